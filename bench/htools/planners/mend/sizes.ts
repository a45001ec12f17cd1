/**
 * `npm run bench -- mending [--short] [NODES,...] [SEEDS]`: what `hbal --only-rules` comes to on clusters of
 * 10 instances a node in which something is wrong. One JSON line a cluster: how many times rules are broken
 * before and after, moves, the bound from below, GiB copied, cpu seconds.
 *
 * Shapes: `dead` (a node has gone offline), `tight` (the same where 70 % of the memory is used), `tags`
 * (rules as tags on one in 20 instances, and a dead node; not all of them can be met), `careless` (placed
 * without a look at N+1). The exit status is 1 where anything but tags is left broken. `--short`: one cluster
 * of each shape, 80 nodes.
 */
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { mend } from '../../../../src/htools/planners/mend/mend.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { withWishes } from '../../../../test/builders/wishes.ts';
import { readArguments } from '../../../arguments.ts';
import { makeCluster } from '../../../generate/cluster.ts';
import { Random } from '../../../generate/random.ts';
import { type ClusterShape, PLAIN_SHAPE } from '../../../generate/shape.ts';
import { clusterText } from '../../../generate/text.ts';

const TAGGED_SHARE = 0.05;
const FIRST_SEED = 4_100;
const US_PER_SECOND = 1e6;

const SHAPES: Readonly<Record<string, Partial<ClusterShape>>> = {
  dead: {},
  tight: { memoryFill: 0.7 },
  tags: {},
  careless: { carelessShare: 0.5, memoryFill: 0.65 },
};

function clusterOf(name: string, nodesPerGroup: number, seed: number): Snapshot {
  const made = makeCluster({ ...PLAIN_SHAPE, ...SHAPES[name], seed, nodesPerGroup });
  const random = new Random(seed, 'mend-sizes');
  const { snapshot: whole } = prepareSnapshot(parseText(clusterText(made), name), {});
  const tagged = name === 'tags' ? withWishes(whole, random, TAGGED_SHARE) : whole;
  const dead = name === 'careless' ? -1 : random.below(nodesPerGroup);
  const nodes = tagged.nodes.map((node, n) => (n === dead ? { ...node, isOffline: true } : node));
  return { ...tagged, nodes };
}

const USAGE = 'usage: npm run bench -- mending [--short] [NODES,...] [SEEDS]';
const { values, positionals } = readArguments(USAGE, { short: { type: 'boolean', default: false } }, 2);
const [sizes = values.short ? '80' : '20,80,320', seeds = values.short ? '1' : '2'] = positionals;
for (const size of sizes.split(',').map(Number))
  for (const name of Object.keys(SHAPES))
    for (let seed = FIRST_SEED; seed < FIRST_SEED + Number(seeds); seed++) {
      const snapshot = clusterOf(name, size, seed);
      const state = new ClusterState(snapshot);
      const start = process.cpuUsage();
      const found = mend(state, groupScope(snapshot, 0).nodes, DEFAULT_BALANCE_OPTIONS);
      const { user, system } = process.cpuUsage(start);
      const { before, after, moves, isFewest, isCheapest, price } = found;
      if (name !== 'tags' && after > 0) process.exitCode = 1;
      const priceSeconds = Math.round(price[1] / 1000);
      const cpuSeconds = Number(((user + system) / US_PER_SECOND).toFixed(2));
      const line = {
        nodes: size,
        shape: name,
        seed,
        before,
        after,
        moves: moves.length,
        isFewest,
        isCheapest,
      };
      process.stdout.write(`${JSON.stringify({ ...line, priceSeconds, cpuSeconds })}\n`);
    }
