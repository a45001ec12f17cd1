/** What the checks of `npm run check -- live` found: a line each, and how many failed. */

let failures = 0;

/** Says how a check went. @param problem what is wrong; undefined = nothing */
export function check(what: string, problem: string | undefined): void {
  console.log(`live: ${what}: ${problem === undefined ? 'fine' : `FAILED\n${problem}`}`);
  if (problem !== undefined) failures++;
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

/** The last line. @returns the exit status */
export function conclude(): number {
  console.log(failures === 0 ? 'live: all fine' : `live: ${failures} FAILED`);
  return failures === 0 ? 0 : 1;
}
