/** How long `hclaim` takes to enter a cluster of 320 nodes with 3,200 instances, as a whole process. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCluster } from '../../generate/cluster.ts';
import { type ClusterShape, PLAIN_SHAPE } from '../../generate/shape.ts';
import { clusterText } from '../../generate/text.ts';
import { launcherOf } from '../../launchers.ts';
import { SEED } from '../../run/workloads.ts';
import type { Figure } from './figure.ts';

const HCLAIM = launcherOf('hclaim')!;
const TIMES = 5;
const NODES = 320;

const PLAIN: ClusterShape = { ...PLAIN_SHAPE, seed: SEED, nodesPerGroup: NODES };
const SHAPES: Readonly<Record<string, ClusterShape>> = {
  DRBD: PLAIN,
  'four templates': { ...PLAIN, templates: { drbd: 6, plain: 1, ext: 2, rbd: 1 } },
};

/** Wall time of one run, in milliseconds. */
function once(words: readonly string[]): number {
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [HCLAIM, ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`hclaim ${words.join(' ')}: ${stderr}`);
  return performance.now() - begin;
}

const rounded = (times: readonly number[]): string =>
  `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))}`;

/**
 * Each import goes into a new ledger, and is audited against its cluster; then the same is brought in line,
 * without a difference.
 */
export function imports(folder: string): readonly Figure[] {
  return Object.entries(SHAPES).map(([name, shape], at) => {
    const text = join(folder, `cluster${at}.data`);
    const cluster = makeCluster(shape);
    writeFileSync(text, clusterText(cluster));
    const taken: number[] = [];
    const synced: number[] = [];
    for (let i = 0; i < TIMES; i++) {
      const db = ['--db', join(folder, `import${at}-${i}.db`)];
      once(['init', ...db]);
      taken.push(once(['import', '-t', text, ...db]));
      synced.push(once(['import', '--sync', '-t', text, ...db]));
      once(['audit', '-t', text, ...db]);
    }
    return {
      name: `import, ${cluster.nodes.length} nodes, ${cluster.instances.length} instances, ${name}`,
      milliseconds: rounded(taken),
      syncMilliseconds: rounded(synced),
    };
  });
}
