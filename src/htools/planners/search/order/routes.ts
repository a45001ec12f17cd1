/**
 * The first step of each way from where an instance is to where it is to be. One step does where one node at
 * most is new; two new nodes take two, and restricted migration takes more, since it has failovers and new
 * secondaries only.
 */
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  placementAfter,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import type { SearchLayout } from '../kernel/layout.ts';

/** A step that may be next: kind, target (-1 for none), and where the instance is afterwards. */
export interface Leg {
  readonly kind: MoveKind;
  readonly target: number;
  readonly primary: number;
  readonly secondary: number;
}

/** A step of a kind from (p, s). */
export function legOf(kind: MoveKind, target: number, p: number, s: number): Leg {
  const [primary, secondary] = placementAfter(kind, p, s, target);
  return { kind, target, primary, secondary };
}

/** Ways to begin, from (p, s) to (P, S); none when it is there. */
export function firstLegs(
  layout: SearchLayout,
  i: number,
  p: number,
  s: number,
  P: number,
  S: number,
): readonly Leg[] {
  if (P === p && S === s) return [];
  const leg = (kind: MoveKind, target: number): Leg => legOf(kind, target, p, s);
  if (layout.isMirrored[i] === 0) return [leg(FAILOVER_TO_ANY, P)];
  if (P === p) return [leg(REPLACE_SECONDARY, S)];
  if (P === s && (S === p || layout.restrictedMigration)) return [leg(FAILOVER, -1)];
  if (P === s) return [leg(FAILOVER_AND_REPLACE, S), leg(FAILOVER, -1)];
  if (layout.restrictedMigration) return [leg(REPLACE_SECONDARY, P)];
  if (S === s) return [leg(REPLACE_PRIMARY, P)];
  return [leg(REPLACE_AND_FAILOVER, P), leg(REPLACE_SECONDARY, P)];
}
