/** Pairs of nodes alike to the last bit have the same score: one of each kind is enough. */
import { METRIC_COUNT } from '../../../model/score/metrics.ts';
import * as F from '../../../model/state/node-fields.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { findClasses } from '../choose/node-classes.ts';
import type { Placement } from '../solution.ts';
import type { RoleChanges } from './role-changes.ts';

/** Order in which stock visits pairs; of equal scores the last one wins. */
export const byPlace = (a: Placement, b: Placement): number =>
  a.primary - b.primary || a.secondary - b.secondary;

/**
 * The last of all pairs that are alike. Pairs whose secondary reserves memory for the primary already stand
 * for themselves. Only for clusters without location tags.
 */
export function oneOfEach(
  state: ClusterState,
  changes: RoleChanges,
  homes: readonly Placement[],
): readonly Placement[] {
  if (homes.length <= 1) return homes;
  const classOf = new Int32Array(state.nodeCount);
  const nodes = new Set(homes.flatMap(({ primary, secondary }) => [primary, secondary]));
  findClasses(
    [...nodes],
    [
      { values: changes.statistics.rows, width: METRIC_COUNT },
      { values: changes.primary.rows, width: METRIC_COUNT },
      { values: changes.secondary.rows, width: METRIC_COUNT },
      { values: state.nodeFields, width: F.NODE_STRIDE },
      { values: state.totalMem, width: 1 },
    ],
    classOf,
  );
  const last = new Map<number, Placement>();
  const singles: Placement[] = [];
  for (const home of homes) {
    const { primary, secondary } = home;
    if (state.peers.get(secondary, primary) > 0) {
      singles.push(home);
      continue;
    }
    const key = classOf[primary]! * state.nodeCount + classOf[secondary]!;
    const known = last.get(key);
    if (known === undefined || byPlace(known, home) < 0) last.set(key, home);
  }
  return [...last.values(), ...singles];
}
