/** The kinds of move; their numbers are the order in which the balancer tries them (hbal(1)). */

/** Fail over or migrate to the secondary (`f`). No target. */
export const FAILOVER = 0;
/** Fail over or migrate to any node, on shared storage (`fa:T`). */
export const FAILOVER_TO_ANY = 1;
/** Replace the secondary by the target (`r:T`). */
export const REPLACE_SECONDARY = 2;
/** The target becomes secondary and then primary; the old primary becomes secondary (`r:T f`). */
export const REPLACE_AND_FAILOVER = 3;
/** The target takes the primary's place; the secondary stays (`f r:T f`). */
export const REPLACE_PRIMARY = 4;
/** The secondary becomes primary, the target becomes secondary (`f r:T`). */
export const FAILOVER_AND_REPLACE = 5;

export type MoveKind = 0 | 1 | 2 | 3 | 4 | 5;

/** Names for JSON output and messages. */
export const MOVE_KIND_NAMES = [
  'failover',
  'failover-to-any',
  'replace-secondary',
  'replace-and-failover',
  'replace-primary',
  'failover-and-replace',
] as const;

/** One move of one instance; `target` is a node position, -1 where the kind has none. */
export interface Move {
  readonly instance: number;
  readonly kind: MoveKind;
  readonly target: number;
}

/** Where an instance is after a move of that kind, given where it was. Returns [primary, secondary]. */
export function placementAfter<N = number>(
  kind: MoveKind,
  primary: N,
  secondary: N,
  target: N,
): readonly [N, N] {
  switch (kind) {
    case FAILOVER:
      return [secondary, primary];
    case FAILOVER_TO_ANY:
      return [target, secondary];
    case REPLACE_SECONDARY:
      return [primary, target];
    case REPLACE_AND_FAILOVER:
      return [target, primary];
    case REPLACE_PRIMARY:
      return [target, secondary];
    case FAILOVER_AND_REPLACE:
      return [secondary, target];
  }
}

/** The single changes that each kind is made of, in order: failovers, and new secondaries on its target. */
export const SINGLE_CHANGES: Readonly<Record<MoveKind, readonly MoveKind[]>> = {
  [FAILOVER]: [FAILOVER],
  [FAILOVER_TO_ANY]: [FAILOVER_TO_ANY],
  [REPLACE_SECONDARY]: [REPLACE_SECONDARY],
  [REPLACE_AND_FAILOVER]: [REPLACE_SECONDARY, FAILOVER],
  [REPLACE_PRIMARY]: [FAILOVER, REPLACE_SECONDARY, FAILOVER],
  [FAILOVER_AND_REPLACE]: [FAILOVER, REPLACE_SECONDARY],
};

/**
 * The one move of a mirrored instance from `p`, `s` to `P`, `S`, which differ; undefined when it takes two.
 * @param none stands for the target of a kind that has none
 */
export function moveBetween<N>(p: N, s: N, P: N, S: N, none: N): readonly [MoveKind, N] | undefined {
  if (P === p) return [REPLACE_SECONDARY, S];
  if (P === s) return S === p ? [FAILOVER, none] : [FAILOVER_AND_REPLACE, S];
  if (S === p) return [REPLACE_AND_FAILOVER, P];
  if (S === s) return [REPLACE_PRIMARY, P];
  return undefined;
}
