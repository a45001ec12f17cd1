/**
 * The nodes' monitoring daemons: loads as the stock program sees them, and what is said when one of them is
 * silent.
 */
import { LUXI, nodeName, type Ran, run, setDaemon } from './cluster.ts';
import { check } from './report.ts';

/** Nothing is planned; the table of nodes stands on standard error. */
const WORDS = [LUXI, '-G', 'default', '-l', '0', '--mond=yes', '-pname,cload'];
/** Loads change from one question to the next, and are shown to so many digits. */
const TOLERANCE = 0.25;
const DIGIT = 0.001;

/** cpu load by node, from a table of nodes (the first one: before the moves). */
function loadsOf({ stdout, stderr }: Ran): ReadonlyMap<string, number> {
  const loads = new Map<string, number>();
  for (const line of `${stderr}\n${stdout}`.split('\n')) {
    const [name = '', load = ''] = line.trim().split(/\s+/);
    if (/^node\d+(\.example\.com)?$/.test(name) && !loads.has(name)) loads.set(name, Number(load));
  }
  return loads;
}

/** Loads that two programs saw one after the other are alike, and there are some. */
function difference(ours: Ran, stock: Ran): string | undefined {
  const [a, b] = [loadsOf(ours), loadsOf(stock)];
  const areAlike = [...a].every(([name, load]) => {
    const other = b.get(name);
    return other !== undefined && Math.abs(load - other) <= TOLERANCE * Math.max(load, other) + DIGIT;
  });
  const isLoaded = a.size > 1 && [...a.values()].some((load) => load > 0);
  if (ours.status === 0 && stock.status === 0 && areAlike && isLoaded) return undefined;
  return `ours:\n${ours.stderr}${ours.stdout}\nstock:\n${stock.stderr}${stock.stdout}`;
}

export async function checkMonitoring(): Promise<void> {
  const [ours, stock] = [await run('ours', 'hbal', WORDS), await run('stock', 'hbal', WORDS)];
  check('--mond=yes: the loads are those that the stock program sees', difference(ours, stock));
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
