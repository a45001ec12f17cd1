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

const leg = (kind: MoveKind, target: number, primary: number, secondary: number): Leg => ({
  kind,
  target,
  primary,
  secondary,
});

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
  if (layout.isMirrored[i] === 0) return [leg(FAILOVER_TO_ANY, P, P, s)];
  if (P === p) return [leg(REPLACE_SECONDARY, S, p, S)];
  if (P === s) {
    const failover = leg(FAILOVER, -1, s, p);
    return S === p || layout.restrictedMigration
      ? [failover]
      : [leg(FAILOVER_AND_REPLACE, S, s, S), failover];
  }
  if (layout.restrictedMigration) return [leg(REPLACE_SECONDARY, P, p, P)];
  if (S === s) return [leg(REPLACE_PRIMARY, P, P, s)];
  return [leg(REPLACE_AND_FAILOVER, P, P, p), leg(REPLACE_SECONDARY, P, p, P)];
}
