/**
 * `npm run bench -- evacuations [--clusters N] [--seconds N] [NODES,...]`: evacuations by the deep search
 * against the stock program's on the same made clusters in the same run. One JSON line an evacuation, and one
 * a size and kind: scores of the group, instances that stay, cpu seconds.
 *
 * On each cluster the node that most instances would leave is evacuated, in each of the ways in which Ganeti
 * asks for it: secondaries of a node in use and of a dead one, primaries on shared storage, and both nodes of
 * each instance. `tight` clusters are so full that some find no place. The seconds are the limit of one
 * search, which ends sooner where its work is done.
 */
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { scoreOf } from '../../../../src/htools/model/score/scorer.ts';
import { movedSnapshot } from '../../../../src/htools/model/state/moved-snapshot.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { balanceSteps } from '../../../../src/htools/planners/balance/steps/balance.ts';
import { StepSearch } from '../../../../src/htools/planners/balance/steps/step-search.ts';
import { deepEvacuation } from '../../../../src/htools/planners/evacuate/deep/deep-evacuation.ts';
import { Evacuator } from '../../../../src/htools/planners/evacuate/evacuator.ts';
import type { Evacuation } from '../../../../src/htools/planners/evacuate/outcome.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { readArguments } from '../../../arguments.ts';
import { makeCluster } from '../../../generate/cluster.ts';
import { type ClusterShape, PLAIN_SHAPE } from '../../../generate/shape.ts';
import { clusterText } from '../../../generate/text.ts';
import { median, rounded } from '../../../statistics.ts';

const FIRST_SEED = 8_000;

interface Kind {
  readonly name: string;
  readonly mode: 'primary-only' | 'secondary-only' | 'all';
  readonly shape: Partial<ClusterShape>;
  readonly isDead?: boolean;
  /** Whether hbal has been there before. */
  readonly isBalanced?: boolean;
}

const SHARED: Partial<ClusterShape> = { templates: { ext: 1 } };
const TIGHT: Partial<ClusterShape> = { memoryFill: 0.9, diskFill: 0.7, exclusionTagShare: 0.5 };
const KINDS: readonly Kind[] = [
  { name: 'secondaries', mode: 'secondary-only', shape: {} },
  { name: 'secondaries of a dead node', mode: 'secondary-only', shape: {}, isDead: true },
  { name: 'secondaries, balanced', mode: 'secondary-only', shape: {}, isBalanced: true },
  { name: 'secondaries, tight', mode: 'secondary-only', shape: TIGHT },
  { name: 'shared', mode: 'primary-only', shape: SHARED },
  { name: 'shared, balanced', mode: 'primary-only', shape: SHARED, isBalanced: true },
  { name: 'shared, tight', mode: 'primary-only', shape: { ...SHARED, ...TIGHT } },
  { name: 'both nodes', mode: 'all', shape: {} },
];

/** Instances that would leave a node. */
const leaving = ({ instances }: Snapshot, { mode }: Kind, node: number): number[] =>
  [...instances.keys()].filter((i) => {
    const { primary, secondary } = instances[i]!;
    if (mode === 'primary-only') return primary === node;
    // Both nodes of each: only so many that there are nodes to go to.
    return mode === 'all' ? primary === node && i % 3 === 0 : secondary === node;
  });

/** The cluster as hbal would leave it. */
function balanced(snapshot: Snapshot): Snapshot {
  const state = new ClusterState(snapshot);
  const { nodes } = groupScope(snapshot, 0);
  const steps = [
    ...balanceSteps(
      state,
      nodes,
      DEFAULT_BALANCE_OPTIONS,
      new StepSearch(state, nodes, DEFAULT_BALANCE_OPTIONS),
    ),
  ];
  return steps.length > 0 ? movedSnapshot(state) : snapshot;
}

function taskOf(
  nodes: number,
  seed: number,
  kind: Kind,
): { snapshot: Snapshot; instances: readonly number[] } {
  const made = makeCluster({ ...PLAIN_SHAPE, ...kind.shape, seed, nodesPerGroup: nodes });
  const raw = parseText(clusterText(made), `seed ${seed}`);
  const { snapshot: found } = prepareSnapshot(raw, { staticKvmNodeMemoryMib: 4096 });
  const snapshot = kind.isBalanced ? balanced(found) : found;
  const counts = snapshot.nodes.map((_, n) => leaving(snapshot, kind, n).length);
  const node = counts.indexOf(Math.max(...counts));
  const isOffline = kind.isDead === true;
  return {
    snapshot: {
      ...snapshot,
      nodes: snapshot.nodes.map((one, n) => (n === node && isOffline ? { ...one, isOffline } : one)),
    },
    instances: leaving(snapshot, kind, node),
  };
}

const DECIMALS = 4;
const USAGE = 'usage: npm run bench -- evacuations [--clusters N] [--seconds N] [NODES,...]';
const { values, positionals } = readArguments(
  USAGE,
  { clusters: { type: 'string', default: '20' }, seconds: { type: 'string', default: '2' } },
  1,
);
const sizes = (positionals[0] ?? '20,80').split(',').map(Number);
const clusters = Number(values.clusters);
const seconds = Number(values.seconds);

const failedOf = (outcomes: readonly Evacuation[]): number =>
  outcomes.filter(({ isMoved }) => !isMoved).length;

function measure(nodes: number, seed: number, kind: Kind) {
  const { snapshot, instances } = taskOf(nodes, seed, kind);
  const group = groupScope(snapshot, 0).nodes;
  const before = new ClusterState(snapshot);
  const stock = new ClusterState(snapshot);
  const greedy = new Evacuator(stock, false).evacuate(instances, kind.mode);
  const state = new ClusterState(snapshot);
  const cpu = process.cpuUsage();
  const started = performance.now();
  const way = deepEvacuation({
    seed: 1,
    candidates: Number.POSITIVE_INFINITY,
    clock: () => (performance.now() - started) / (1000 * seconds),
  });
  const deep = way(state, instances, kind.mode, { ignoreSoftErrors: false });
  const { user, system } = process.cpuUsage(cpu);
  return {
    instances: instances.length,
    before: rounded(scoreOf(before, group), DECIMALS),
    greedy: { failed: failedOf(greedy), score: rounded(scoreOf(stock, group), DECIMALS) },
    deep: { failed: failedOf(deep), score: rounded(scoreOf(state, group), DECIMALS) },
    cpuSeconds: rounded((user + system) / 1e6, DECIMALS),
    seconds: rounded((performance.now() - started) / 1000, DECIMALS),
  };
}

const print = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

for (const nodes of sizes) {
  for (const kind of KINDS) {
    const results = Array.from({ length: clusters }, (_, k) => {
      const seed = FIRST_SEED + k;
      const result = measure(nodes, seed, kind);
      print({ nodes, kind: kind.name, seed, ...result });
      return result;
    });
    const comparable = results.filter(({ greedy, deep }) => greedy.failed === deep.failed);
    print({
      nodes,
      kind: kind.name,
      evacuations: results.length,
      better: results.filter(({ greedy, deep }) => deep.failed < greedy.failed || deep.score < greedy.score)
        .length,
      medianGain: median(comparable.map(({ greedy, deep }) => rounded(greedy.score - deep.score, DECIMALS))),
      mostGain: Math.max(
        ...comparable.map(({ greedy, deep }) => rounded(greedy.score - deep.score, DECIMALS)),
      ),
      medianScore: median(comparable.map(({ deep }) => deep.score)),
      failed: {
        greedy: results.reduce((sum, { greedy }) => sum + greedy.failed, 0),
        deep: results.reduce((sum, { deep }) => sum + deep.failed, 0),
      },
      wholeEvacuations: {
        greedy: results.filter(({ greedy }) => greedy.failed === 0).length,
        deep: results.filter(({ deep }) => deep.failed === 0).length,
      },
      medianCpuSeconds: median(results.map((one) => one.cpuSeconds)),
      mostCpuSeconds: Math.max(...results.map((one) => one.cpuSeconds)),
    });
  }
}
