/**
 * Detours: where all that is left waits for each other in a circle, one instance goes somewhere else first,
 * so that another's step becomes legal. Free ways are tried before copies; an instance makes one detour at
 * most.
 */
import {
  FAILOVER,
  FAILOVER_TO_ANY,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import type { Attempt } from './attempt.ts';
import type { Leg } from './routes.ts';

/**
 * A way round for an instance that gets to its place no other: by the old primary where the old secondary
 * cannot carry it, which copies its disks once more, or with the new secondary first where both nodes are
 * new, which changes its primary once more.
 */
function longWay(attempt: Attempt, i: number): Leg | undefined {
  const { layout, goal } = attempt;
  const [first] = attempt.legsOf(i);
  if (first === undefined || layout.restrictedMigration) return undefined;
  const p = attempt.kernel.books.primary[i]!;
  const S = goal.secondary[i]!;
  const { kind, target } = first;
  let leg: Leg;
  if (kind === REPLACE_PRIMARY) leg = { kind: REPLACE_AND_FAILOVER, target, primary: target, secondary: p };
  else if (kind === REPLACE_AND_FAILOVER && S !== p)
    leg = { kind: REPLACE_SECONDARY, target: S, primary: p, secondary: S };
  else return undefined;
  return attempt.scoreAfter(i, leg) < Number.POSITIVE_INFINITY ? leg : undefined;
}

function* detoursOf(attempt: Attempt, i: number, isFree: boolean): Iterable<Leg> {
  const { layout } = attempt;
  const p = attempt.kernel.books.primary[i]!;
  const s = attempt.kernel.books.secondary[i]!;
  if (layout.isMirrored[i] === 0) {
    if (!isFree) return;
    for (const t of layout.targets) {
      if (t !== p) yield { kind: FAILOVER_TO_ANY, target: t, primary: t, secondary: s };
    }
  } else if (isFree) {
    if (layout.instanceMoves) yield { kind: FAILOVER, target: -1, primary: s, secondary: p };
  } else if (layout.diskMoves) {
    for (const t of layout.targets) {
      if (t !== p && t !== s) yield { kind: REPLACE_SECONDARY, target: t, primary: p, secondary: t };
    }
  }
}

/** Whether a detour makes the step of another instance legal. The state is as before afterwards. */
function helps(attempt: Attempt, i: number, leg: Leg): boolean {
  const { kernel } = attempt;
  if (attempt.scoreAfter(i, leg) === Number.POSITIVE_INFINITY) return false;
  const p = kernel.books.primary[i]!;
  const s = kernel.books.secondary[i]!;
  kernel.apply(i, leg.primary, leg.secondary);
  const isFreed = attempt.remaining.some(
    (j) =>
      j !== i && attempt.legsOf(j).some((next) => attempt.scoreAfter(j, next) < Number.POSITIVE_INFINITY),
  );
  kernel.apply(i, p, s);
  return isFreed;
}

/** Goes on with an attempt that is stuck, as long as detours help. */
export function runWithDetours(attempt: Attempt): void {
  const hasDetoured = new Set<number>();
  const find = (): boolean => {
    for (const i of attempt.remaining) {
      const leg = hasDetoured.has(i) ? undefined : longWay(attempt, i);
      if (leg === undefined) continue;
      hasDetoured.add(i);
      attempt.take(i, leg, true);
      return true;
    }
    for (const isFree of [true, false]) {
      for (const i of attempt.remaining) {
        if (hasDetoured.has(i)) continue;
        for (const leg of detoursOf(attempt, i, isFree)) {
          if (!helps(attempt, i, leg)) continue;
          hasDetoured.add(i);
          attempt.take(i, leg, true);
          return true;
        }
      }
    }
    return false;
  };
  do attempt.run();
  while (attempt.remaining.length > 0 && find());
}
