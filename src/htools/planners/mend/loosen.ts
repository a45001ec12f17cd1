/**
 * Goes on where no move mends anything any more: some that break nothing are made at random, of what is on
 * the nodes concerned, and from there chains are looked for. Every instance may move again; what it comes
 * to is said as moves from the start (`shorter.ts`).
 */
import { applyMove } from '../../model/moves/apply.ts';
import type { Move } from '../../model/moves/kinds.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { RandomStream } from '../anneal/random.ts';
import type { BalanceOptions } from '../balance/options.ts';
import { Chains, takeAny } from './chains.ts';
import { suspects } from './suspects.ts';
import type { Work } from './work.ts';
import { Workbench } from './workbench.ts';

/** Moves at random ahead of a chain: none at first, then up to so many. */
const MOST_LOOSENING = 4;

/** Moves that mend more, taken on the state; none once the work is done, or with nothing broken. */
export function loosen(
  state: ClusterState,
  nodes: readonly number[],
  options: BalanceOptions,
  work: Work,
  seed: number,
): Move[] {
  const random = new RandomStream(seed, 1);
  const moves: Move[] = [];
  let bench = new Workbench(state, nodes, options);
  for (let attempt = 0; bench.broken > 0 && !work.isSpent; attempt++) {
    // Nothing that may move stands in the way: no move of any other would change that.
    if (suspects(bench).length === 0) break;
    bench.allow(work);
    // Whatever is found, an attempt costs as much as a look at each node.
    work.spend(nodes.length);
    const before = bench.broken;
    for (let k = attempt % (MOST_LOOSENING + 1); k > 0; k--) shake(bench, random);
    const chains = new Chains(bench, random);
    while (bench.broken > 0 && chains.mend());
    const taken = [...bench.taken];
    const isBetter = bench.broken < before;
    bench.takeBackTo(0);
    if (!isBetter) continue;
    moves.push(...taken);
    for (const { instance, kind, target } of taken)
      applyMove(state, instance, kind, target, options.ignoreSoftErrors);
    bench = new Workbench(state, nodes, options);
  }
  return moves;
}

/**
 * Makes a move of any instance, or of one that shares a tag or a node with what is stuck. Mostly it breaks
 * nothing; now and then one rule more, since some ways lead through that.
 */
function shake(bench: Workbench, random: RandomStream): void {
  const { state, moved, movable } = bench;
  const pick = <T>(list: readonly T[]): T | undefined => list[random.below(list.length)];
  const stuck = pick(suspects(bench));
  if (stuck === undefined) return;
  const tag = pick(state.tags.exclusionsOf[stuck]!);
  const onNode = (n: number): readonly number[] =>
    n < 0 ? [] : [...state.primaries[n]!, ...state.secondaries[n]!];
  const near =
    tag === undefined
      ? [...onNode(state.primary[stuck]!), ...onNode(state.secondary[stuck]!)]
      : movable.filter((i) => state.tags.exclusionsOf[i]!.includes(tag));
  const among = random.below(3) === 0 ? movable : near;
  const i = pick(among.filter((one) => bench.isMovable[one] === 1 && !moved.has(one)));
  const mostChange = random.below(4) === 0 ? 1 : 0;
  if (i !== undefined && takeAny(bench, i, { mostChange }, random)) bench.release(i);
}
