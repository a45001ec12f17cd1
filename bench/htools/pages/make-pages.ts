/**
 * The pages to look at: each program's on made clusters of a size, and some of a cluster whose names carry
 * markup.
 */
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCluster } from '../../generate/cluster.ts';
import { PLAIN_SHAPE } from '../../generate/shape.ts';
import { makeSuperCluster, PLAIN_SUPER_SHAPE } from '../../generate/super-cluster.ts';
import { clusterText } from '../../generate/text.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** How a program is run. */
type Runs = (program: string, words: readonly string[]) => { status: number | null; stderr: string };
const launched: Runs = (program, words) =>
  spawnSync(join(ROOT, 'bin', program), words, { encoding: 'utf8', maxBuffer: 2 ** 28 });
const SEED = 4_100;

/** Programs of one group, and of many, with what makes their pages fullest. */
const OF_NODES: Readonly<Record<string, readonly string[]>> = {
  hbal: [],
  hspace: ['--explain'],
  hinfo: ['--groups', '--storage', '--n1'],
};
const OF_GROUPS: Readonly<Record<string, readonly string[]>> = {
  hredist: [],
  hcompress: ['--evacuate', '--all'],
  hspread: ['--disk-moves'],
};

export interface MadePage {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** Names of the cluster's instances. */
  readonly instances: readonly string[];
}

/** How many groups a cluster of so many nodes has. */
const GROUPS: Readonly<Record<number, number>> = { 20: 4, 80: 10, 320: 20 };

function made(
  folder: string,
  name: string,
  program: string,
  args: readonly string[],
  text: string,
  runs = launched,
): MadePage {
  const input = join(folder, `${name}.data`);
  const file = join(folder, `${name}.html`);
  writeFileSync(input, text);
  const run = runs(program, ['-t', input, ...args, '--html', file]);
  if (run.status !== 0) throw new Error(`${program} on ${name}: exit status ${run.status}\n${run.stderr}`);
  const instances = (text.split('\n\n')[2] ?? '').split('\n').flatMap((line) => line.split('|')[0] || []);
  return { name, file, bytes: statSync(file).size, instances };
}

/** The pages of all programs at one size. */
export function pagesOfSize(folder: string, nodes: number): MadePage[] {
  const groupCount = GROUPS[nodes]!;
  const one = clusterText(makeCluster({ ...PLAIN_SHAPE, seed: SEED + nodes, nodesPerGroup: nodes }));
  const many = clusterText(
    makeSuperCluster({
      ...PLAIN_SUPER_SHAPE,
      seed: SEED + nodes,
      groupCount,
      nodesPerGroup: nodes / groupCount,
    }),
  );
  const pages = (programs: typeof OF_NODES, text: string): MadePage[] =>
    Object.entries(programs).map(([program, args]) =>
      made(folder, `${program}-${nodes}`, program, args, text),
    );
  return [...pages(OF_NODES, one), ...pages(OF_GROUPS, many)];
}

/** What would run if it were not shown: each sets `window.hasRun`. */
export const MARKUP = [
  '<script>window.hasRun=1</script>',
  '<img src=x onerror="window.hasRun=1">',
  '"onmouseover="window.hasRun=1',
  "'><svg onload=window.hasRun=1>",
  '</pre></td><iframe srcdoc="x">',
  '&lt;b&gt;&amp;',
];

/** Pages of a cluster whose nodes and instances are called by markup. */
export function hostilePages(folder: string, runs?: Runs): MadePage[] {
  const groups = MARKUP.slice(0, 2).map(
    (name, k) => `${name}|00000000-0000-4000-8000-00000000000${k}|preferred||`,
  );
  const nodes = MARKUP.map(
    (name, k) =>
      `node${name}|32768|1024|${k < 2 ? 9000 : 30000}|1048576|900000|16|N|00000000-0000-4000-8000-00000000000${k % 2}|1`,
  );
  // More in one group than in the other, so that each program has something to do.
  const homeOf = (k: number): number => (k < 5 ? 0 : 1);
  const instances = MARKUP.flatMap((name, k) =>
    [0, 1].map(
      (n) =>
        `${n}${name}|2048|10240|1|running|Y|node${MARKUP[homeOf(k)]}|node${MARKUP[homeOf(k) + 2]}|drbd|${name}|1`,
    ),
  );
  const text = [groups, nodes, instances, MARKUP.slice(0, 1)].map((lines) => lines.join('\n')).join('\n\n');
  return Object.entries({ ...OF_NODES, ...OF_GROUPS, hbal: ['--all-groups'] }).map(([program, args]) =>
    made(folder, `${program}-markup`, program, args, `${text}\n`, runs),
  );
}
