/** Replays a plan between groups: what each move does to the scores, and what the other groups said. */
import { InternalError } from '../../../kit/faults.ts';
import { kept } from '../../../kit/kept.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { nodeRows, Scorer } from '../../model/score/scorer.ts';
import { groupScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { GroupRules, type TargetRefusal } from '../../planners/groups/homes/leaving.ts';
import { SuperCluster } from '../../planners/groups/homes/super-cluster.ts';
import { refusalsOfOthers } from '../../planners/groups/refusals/refusals.ts';
import { type PlannedMove, relocationFacts } from '../../planners/groups/relocate/plan-facts.ts';
import { nodesOf, type Relocation } from '../../planners/groups/relocate/relocation.ts';
import type {
  GroupChange,
  GroupRefusal,
  RelocationStep,
  RelocationsExplanation,
} from '../../results/parts/relocations.ts';
import { metricChanges, metricValues } from '../metric-changes.ts';

type ScorePicture = ReadonlyMap<number, { readonly score: number; readonly values: Float64Array }>;

export class GroupScores {
  private readonly scorers = new Map<number, Scorer>();

  private readonly rows: Float64Array;

  constructor(private readonly state: ClusterState) {
    this.rows = nodeRows(state);
  }

  private of(group: number): Scorer {
    const { state, rows } = this;
    return kept(this.scorers, group, () => new Scorer(state, groupScope(state.snapshot, group).nodes, rows));
  }

  picture(groups: readonly number[]): ScorePicture {
    return new Map(
      [...new Set(groups)].map((group) => {
        const scorer = this.of(group);
        return [group, { score: scorer.score, values: metricValues(scorer) }];
      }),
    );
  }

  refresh(nodes: readonly number[]): void {
    for (const scorer of this.scorers.values()) {
      const own = nodes.filter((n) => scorer.nodes.includes(n));
      if (own.length > 0) scorer.refresh(own);
    }
  }

  since(before: ScorePicture): GroupChange[] {
    return [...before].map(([group, { score: scoreBefore, values }]) => {
      const scorer = this.of(group);
      const { score } = scorer;
      const metrics = metricChanges(scorer, values, metricValues(scorer));
      const name = this.state.snapshot.groups[group]!.name;
      return { group: name, scoreBefore, score, gain: scoreBefore - score, metrics };
    });
  }
}

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
  const scores = new GroupScores(cluster.state);
  const rules = new GroupRules(cluster);
  const touched = moves.flatMap(({ relocation: { from, to } }) => [from.group, to.group]);
  const first = scores.picture([...new Set(touched)].sort((a, b) => a - b));
  const steps = moves.map(({ relocation, jobSet }, at): RelocationStep => {
    const others = othersOf(cluster, rules, relocation, emptied);
    const before = scores.picture([relocation.from.group, relocation.to.group]);
    if (!cluster.move(relocation.instance, relocation.to))
      throw new InternalError(`move ${at + 1} is refused when it is explained`);
    scores.refresh(nodesOf(relocation));
    onStep(at + 1);
    return {
      ...explainedRelocation(start, relocation, scores.since(before)),
      step: at + 1,
      jobSet,
      ...others,
    };
  });
  return { groups: scores.since(first).filter(({ metrics }) => metrics.length > 0), steps };
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
