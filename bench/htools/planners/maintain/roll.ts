/**
 * Rolling maintenances of random clusters: every step, and every state in which nodes are down, is held
 * against the checker.
 *
 *   npm run check -- maintenances [--count 200] [--seed 1]
 *
 * Each cluster has instances on shared storage; a third of them state who reaches which pool. Prints one line
 * with the counts; exit status 1 when the checker finds a fault, with the seeds.
 */
import { ClusterState, MIRROR_EXTERNAL } from '../../../../src/htools/model/state/state.ts';
import { nodesToMaintain } from '../../../../src/htools/planners/maintain/reboot/nodes-to-maintain.ts';
import type { RebootOptions } from '../../../../src/htools/planners/maintain/reboot/reboot-rounds.ts';
import { heldNodes, withoutHeld } from '../../../../src/htools/planners/maintain/roll/leaving.ts';
import { rollingPlan } from '../../../../src/htools/planners/maintain/roll/rolling.ts';
import { RoundChecker } from '../../../../src/htools/planners/maintain/roll/round-faults.ts';
import { randomCluster } from '../../../../test/builders/random-cluster.ts';
import { readArguments } from '../../../arguments.ts';
import { Random } from '../../../generate/random.ts';

const USAGE = 'usage: npm run check -- maintenances [--count N] [--seed S]';
const { values } = readArguments(USAGE, {
  count: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
});
const wanted = Number(values.count);
const firstSeed = Number(values.seed);
const SIZE = { fewestNodes: 3, mostNodes: 12, mostInstancesPerNode: 6 };

const why = new Map<string, number>();
const counts = {
  clusters: 0,
  plans: 0,
  stuck: 0,
  rounds: 0,
  steps: 0,
  staying: 0,
  forced: 0,
  worse: 0,
  faults: 0,
};

for (let seed = firstSeed; counts.plans < wanted; seed++) {
  const state = new ClusterState(randomCluster(seed, SIZE));
  if (!state.mirroring.subarray(0, state.instanceCount).includes(MIRROR_EXTERNAL)) continue;
  const random = new Random(seed, 'roll');
  const options: RebootOptions = {
    offlineMaintenance: random.chance(0.1),
    ignoreNonRedundant: random.chance(0.8),
    fullEvacuation: random.chance(0.3),
    fewest: random.chance(0.2),
  };
  const meant = nodesToMaintain(state, { group: undefined, tags: undefined, skipNonRedundant: false });
  const nodes = withoutHeld(meant, heldNodes(state, meant, options));
  if (nodes.length === 0) continue;
  counts.clusters++;
  const plan = rollingPlan(state, nodes, options);
  if ('why' in plan) {
    counts.stuck++;
    why.set(plan.why, (why.get(plan.why) ?? 0) + 1);
    continue;
  }
  counts.plans++;
  const before = new Set(plan.before.failing);
  const checker = new RoundChecker(state.snapshot, options);
  for (const round of plan.rounds) {
    counts.rounds++;
    counts.steps += round.leave.steps.length + (round.comeBack?.steps.length ?? 0);
    if (!round.comeBack) counts.staying++;
    if (round.leave.isForced) counts.forced++;
    if (round.verdict.failing.some((node) => !before.has(node))) counts.worse++;
    for (const { step, rule, message } of checker.faults(round)) {
      counts.faults++;
      console.error(`seed ${seed}: step ${step}: ${rule}: ${message}`);
    }
  }
}
console.log(
  `roll: ${counts.plans} clusters (and ${counts.stuck} with a node that cannot be emptied: ${[...why].map(([word, count]) => `${count} ${word}`).join(', ')}), ${counts.rounds} rounds with ${counts.steps} steps: ` +
    `${counts.faults} faults, ${counts.forced} rounds against a rule that warns, ${counts.staying} without return, ` +
    `${counts.worse} with less N+1 than before`,
);
process.exit(counts.faults === 0 ? 0 : 1);
