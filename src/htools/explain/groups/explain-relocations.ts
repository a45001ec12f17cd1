/** Replays a plan between groups: what each move does to the scores, and what the other groups said. */
import { InternalError } from '../../../kit/faults.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { GroupRules, type TargetRefusal } from '../../planners/groups/homes/leaving.ts';
import { SuperCluster } from '../../planners/groups/homes/super-cluster.ts';
import { refusalsOfOthers } from '../../planners/groups/refusals/refusals.ts';
import { type PlannedMove, relocationFacts } from '../../planners/groups/relocate/plan-facts.ts';
import type { Relocation } from '../../planners/groups/relocate/relocation.ts';
import type {
  GroupChange,
  GroupRefusal,
  RelocationStep,
  RelocationsExplanation,
} from '../../results/parts/relocations.ts';
import { metricChanges } from '../metric-changes.ts';

type ScorePicture = ReadonlyMap<number, { readonly score: number; readonly values: Float64Array }>;

/** Scores of some groups as the state stands. */
export const scoresOf = (cluster: SuperCluster, groups: readonly number[]): ScorePicture =>
  new Map(
    groups.map((group) => {
      const { score, values } = cluster.scanOf(group).scorer;
      return [group, { score, values }];
    }),
  );

export const changesSince = (cluster: SuperCluster, before: ScorePicture): GroupChange[] =>
  [...before].map(([group, { score: scoreBefore, values }]) => {
    const { scorer } = cluster.scanOf(group);
    const { score } = scorer;
    const metrics = metricChanges(scorer, values, scorer.values);
    const { name } = cluster.snapshot.groups[group]!;
    return { group: name, scoreBefore, score, gain: scoreBefore - score, metrics };
  });

interface RelocationsToExplain {
  readonly start: Snapshot;
  /** In the order in which they are made. */
  readonly moves: readonly PlannedMove[];
  /** Groups that take no part, and those that are being emptied. */
  readonly leftOut: ReadonlySet<number>;
  readonly emptied: ReadonlySet<number>;
}

/** A relocation with names. @param groups what becomes of the scores of the groups */
export function explainedRelocation(start: Snapshot, relocation: Relocation, groups: readonly GroupChange[]) {
  const { instance, from, to, steps, commands, cost } = relocationFacts(start, relocation);
  return { instance, from, to, steps, groups, cost, commands };
}

export const groupRefusalFacts = (
  { groups }: Snapshot,
  { group, ...refusal }: TargetRefusal,
): GroupRefusal => ({ ...refusal, group: groups[group]!.name });

/** @param onStep is told of each move once it is explained */
export function explainRelocations(
  { start, moves, leftOut, emptied }: RelocationsToExplain,
  onStep: (step: number) => void = () => {},
): RelocationsExplanation {
  const cluster = new SuperCluster(start, { leftOut });
  const rules = new GroupRules(cluster);
  const touched = moves.flatMap(({ relocation: { from, to } }) => [from.group, to.group]);
  const first = scoresOf(
    cluster,
    [...new Set(touched)].sort((a, b) => a - b),
  );
  const steps = moves.map(({ relocation, jobSet }, at): RelocationStep => {
    const others = othersOf(cluster, rules, relocation, emptied);
    const before = scoresOf(cluster, [relocation.from.group, relocation.to.group]);
    if (!cluster.move(relocation.instance, relocation.to))
      throw new InternalError(`move ${at + 1} is refused when it is explained`);
    onStep(at + 1);
    return {
      ...explainedRelocation(start, relocation, changesSince(cluster, before)),
      step: at + 1,
      jobSet,
      ...others,
    };
  });
  return { groups: changesSince(cluster, first).filter(({ metrics }) => metrics.length > 0), steps };
}

/** What the groups say that an instance does not go to; nothing where it stays in its own. */
function othersOf(
  cluster: SuperCluster,
  rules: GroupRules,
  { instance, from, to }: Relocation,
  emptied: ReadonlySet<number>,
): Pick<RelocationStep, 'alsoOpen' | 'refused'> {
  if (from.group === to.group) return { alsoOpen: [], refused: [] };
  const isTarget = (group: number): boolean =>
    group !== from.group && group !== to.group && !emptied.has(group) && cluster.isHealthy(group);
  const { snapshot } = cluster;
  const told = refusalsOfOthers(cluster, rules, instance, isTarget).filter(({ group }) => group !== to.group);
  return {
    alsoOpen: told.filter(({ rule }) => rule === 'others').map(({ group }) => snapshot.groups[group]!.name),
    refused: told.filter(({ rule }) => rule !== 'others').map((one) => groupRefusalFacts(snapshot, one)),
  };
}
