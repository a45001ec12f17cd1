/** The scores of groups, metric by metric, as the state of their cluster changes. */
import { kept } from '../../../kit/kept.ts';
import { nodeRows, Scorer } from '../../model/score/scorer.ts';
import { groupScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { GroupChange } from '../../results/parts/relocations.ts';
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
