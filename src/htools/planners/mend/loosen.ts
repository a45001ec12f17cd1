/**
 * Goes on where no move mends anything any more: some that break nothing are made at random, of what is on
 * the nodes concerned, and from there chains are looked for. Every instance may move again; what it comes
 * to is said as moves from the start (`shorter.ts`).
 */
import type { Move } from '../../model/moves/kinds.ts';
import { instancesOn } from '../../model/state/scope.ts';
import type { Budget } from '../anneal/budget.ts';
import { RandomStream } from '../anneal/random.ts';
import { Chains, takeAny } from './chains.ts';
import { suspects } from './suspects.ts';
import { make, type Task, Workbench } from './workbench.ts';

/** Moves at random ahead of a chain: none at first, then up to so many. */
const MOST_LOOSENING = 4;

/** Moves that mend more, taken on the state; none once the work is done, or with nothing broken. */
export function loosen(task: Task, work: Budget, seed: number): Move[] {
  const random = new RandomStream(seed, 1);
  const moves: Move[] = [];
  let bench = new Workbench(task);
  for (let attempt = 0; bench.broken > 0 && !work.isSpent; attempt++) {
    // Nothing that may move stands in the way: no move of any other would change that.
    if (suspects(bench).length === 0) break;
    bench.work = work;
    // Whatever is found, an attempt costs as much as a look at each node.
    work.spend(task.nodes.length);
    const before = bench.broken;
    for (let k = attempt % (MOST_LOOSENING + 1); k > 0; k--) shake(bench, random);
    const chains = new Chains(bench, random);
    while (bench.broken > 0 && chains.mend());
    const taken = [...bench.taken];
    const isBetter = bench.broken < before;
    bench.takeBackTo(0);
    if (!isBetter) continue;
    moves.push(...taken);
    make(task, taken);
    bench = new Workbench(task);
  }
  return moves;
}

/**
 * Makes a move of any instance, or of one that shares a tag or a node with what is stuck. Mostly it breaks
 * nothing; now and then one rule more, since some ways lead through that.
 */
function shake(bench: Workbench, random: RandomStream): void {
  const { state, movable } = bench;
  const pick = <T>(list: readonly T[]): T | undefined => list[random.below(list.length)];
  const stuck = pick(suspects(bench));
  if (stuck === undefined) return;
  const tag = pick(state.tags.exclusionsOf[stuck]!);
  const places = [state.primary[stuck]!, state.secondary[stuck]!].filter((n) => n >= 0);
  const near =
    tag === undefined
      ? places.flatMap((n) => instancesOn(state, [n]))
      : movable.filter((i) => state.tags.exclusionsOf[i]!.includes(tag));
  const among = random.below(3) === 0 ? movable : near;
  const i = pick(among.filter((one) => bench.mayMove(one)));
  const mostChange = random.below(4) === 0 ? 1 : 0;
  if (i !== undefined && takeAny(bench, i, { mostChange }, random)) bench.release(i);
}
