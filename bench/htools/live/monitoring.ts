/**
 * The nodes' monitoring daemons: loads as the stock program sees them, and what is said when one of them is
 * silent.
 */
import { LUXI, nodeName, type Ran, run, setDaemon } from './cluster.ts';
import { check } from './report.ts';

/** Nothing is planned; the table of nodes stands on standard error. */
const WORDS = [LUXI, '-G', 'default', '-l', '0', '--mond=yes', '-pname,cload'];
/** The last digit shown, and what a load may be off while it rises and falls between two questions. */
const DIGIT = 0.001;
const TOLERANCE = 0.25;
/** Loads are means, on a cluster that has just come up over little time: what is not alike is asked again. */
const ROUNDS = 5;
/** Who is asked in a round, one after the other. */
const MAKERS = ['stock', 'ours', 'stock'] as const;

type Loads = ReadonlyMap<string, number>;

/** cpu load by node, from a table of nodes (the first one: before the moves). */
function loadsOf({ stdout, stderr }: Ran): Loads {
  const loads = new Map<string, number>();
  for (const line of `${stderr}\n${stdout}`.split('\n')) {
    const [name = '', load = ''] = line.trim().split(/\s+/);
    if (/^node\d+(\.example\.com)?$/.test(name) && !loads.has(name)) loads.set(name, Number(load));
  }
  return loads;
}

/** Ours saw what the stock program saw just before or just after, or between; and loads there are. */
function difference(runs: readonly Ran[]): string | undefined {
  const [before, own, after] = runs.map(loadsOf) as [Loads, Loads, Loads];
  const areAlike = [...own].every(([name, load]) => {
    const both = [before.get(name) ?? Number.NaN, after.get(name) ?? Number.NaN];
    const [least, most] = [Math.min(...both), Math.max(...both)];
    return load >= (1 - TOLERANCE) * least - DIGIT && load <= (1 + TOLERANCE) * most + DIGIT;
  });
  const isLoaded = own.size > 1 && [...own.values()].some((load) => load > 0);
  if (runs.every(({ status }) => status === 0) && areAlike && isLoaded) return undefined;
  return runs.map(({ stderr, stdout }, k) => `${MAKERS[k]}:\n${stderr}${stdout}`).join('\n');
}

async function checkLoads(): Promise<void> {
  let found: string | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const runs: Ran[] = [];
    for (const maker of MAKERS) runs.push(await run(maker, 'hbal', WORDS));
    found = difference(runs);
    if (found === undefined) break;
  }
  check('--mond=yes: the loads are those that the stock program sees', found);
}

export async function checkMonitoring(): Promise<void> {
  await checkLoads();
  const silent = 4;
  setDaemon(silent, 'mond', false);
  try {
    const left = await run('ours', 'hbal', WORDS);
    const isLeftAside =
      left.status === 0 &&
      left.stderr.includes(nodeName(silent)) &&
      [...loadsOf(left).values()].every((load) => load <= 1 || Number.isInteger(load));
    check(
      '--mond=yes with one silent monitor: the loads of all are left aside, with a warning',
      isLeftAside ? undefined : left.stderr,
    );
    const words = [...WORDS, '--exit-on-missing-mond-data'];
    const runs = [await run('ours', 'hbal', words), await run('stock', 'hbal', words)];
    const areRight = runs.every(({ status, stdout }) => status === 1 && stdout === '');
    check(
      '--exit-on-missing-mond-data: that is an error in both',
      areRight ? undefined : runs.map((one) => `${one.status} ${one.stdout}${one.stderr}`).join('--\n'),
    );
  } finally {
    setDaemon(silent, 'mond', true);
  }
}
