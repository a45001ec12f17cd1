/**
 * What the checks of `npm run check -- live` found: a line each, and those that failed once more at the
 * end.
 */

const failures: string[] = [];

/** Says how a check went. @param problem what is wrong; undefined = nothing */
export function check(what: string, problem: string | undefined): void {
  const found = `live: ${what}: ${problem === undefined ? 'fine' : `FAILED\n${problem}`}`;
  console.log(found);
  if (problem !== undefined) failures.push(found);
}

/** A part of the checks; one that throws has failed, and the others still run. */
export async function part(name: string, work: () => Promise<void>): Promise<void> {
  const started = performance.now();
  try {
    await work();
  } catch (error) {
    check(name, (error as Error).stack);
  }
  console.log(`live: -- ${name}: ${Math.round((performance.now() - started) / 1000)} s`);
}

/** The end: how many failed, and which. @returns the exit status */
export function conclude(): number {
  if (failures.length === 0) console.log('live: all fine');
  else console.log([`live: ${failures.length} FAILED`, ...failures].join('\n'));
  return failures.length === 0 ? 0 : 1;
}
