/**
 * Goes on where no move mends anything: some that break nothing are made at random near what is stuck, and
 * from there chains are looked for. All may move again; `mend.ts` says it as moves from the start.
 */
import type { Move } from '../../model/moves/kinds.ts';
import { instancesOn } from '../../model/state/scope.ts';
import type { Budget } from '../anneal/budget.ts';
import { RandomStream } from '../anneal/random.ts';
import { suspects } from './best-move.ts';
import { make, type Task, Workbench } from './workbench.ts';

/** Moves in a row, and instances on one node that may give way. */
const LONGEST = 8;
const MOST_BLOCKERS = 6;

/** What a move has to come to. */
interface Wish {
  /** Broken rules that it may add at most; negative: it must mend. */
  readonly mostChange: number;
  /** Where the instance must not be afterwards. */
  readonly off?: number;
}

/**
 * Takes a chain of moves of which only the last mends: what is in its way goes elsewhere first, each to a
 * node that the chain has not come by yet. Source: Kuhn's augmenting paths, walked on the state itself, since
 * what fits is known only once the others have left.
 * @param random decides which nodes and instances are tried first
 * @returns false where none was found within the work that is allowed
 */
function takeChain(bench: Workbench, random: RandomStream): boolean {
  /** Nodes that the chain has tried, each once. */
  const visited = new Set<number>();

  /** Movable ones in the way on a node: the primary with a tag of the instance, else some of those there. */
  const blockersOn = (n: number, i: number): number[] => {
    const { tags, primaries, secondaries } = bench.state;
    const mayGo = (b: number): boolean => b !== i && bench.mayMove(b);
    const own = tags.exclusionsOf[i]!;
    const clashing = primaries[n]!.filter((b) => tags.exclusionsOf[b]!.some((tag) => own.includes(tag)));
    if (clashing.length > 0) return clashing.length === 1 ? clashing.filter(mayGo) : [];
    const others = [...primaries[n]!, ...secondaries[n]!].filter(mayGo);
    return shuffled(others, random).slice(0, MOST_BLOCKERS);
  };
  /** Moves the instance as it is wished, after as many moves of others as that takes. */
  const move = (i: number, wish: Wish, longest: number): boolean => {
    if (takeAny(bench, i, wish, random)) return true;
    if (longest === 1) return false;
    const { length } = bench.taken;
    for (const n of shuffled(bench.targets, random)) {
      if (bench.work.isSpent) return false;
      if (visited.has(n) || n === bench.state.primary[i]) continue;
      visited.add(n);
      for (const blocker of blockersOn(n, i)) {
        const isGone = move(blocker, { mostChange: 0, off: n }, longest - 1);
        if (isGone && takeAny(bench, i, wish, random)) return true;
      }
      bench.takeBackTo(length);
    }
    return false;
  };

  for (const i of shuffled(suspects(bench), random)) {
    visited.clear();
    if (move(i, { mostChange: -1 }, LONGEST)) return true;
  }
  return false;
}

/** Takes the first move of an instance that comes to what is wished, of all in any order. */
function takeAny(bench: Workbench, i: number, { mostChange, off }: Wish, random: RandomStream): boolean {
  for (const move of shuffled(bench.movesOf(i), random)) {
    if (bench.work.isSpent) return false;
    if (off !== undefined && bench.placeAfter(move).includes(off)) continue;
    const tried = bench.try(move);
    if (!tried || tried.change > mostChange || bench.isGuarded(move)) continue;
    bench.take(tried);
    return true;
  }
  return false;
}

function shuffled<T>(items: readonly T[], random: RandomStream): T[] {
  const list = [...items];
  for (let k = list.length - 1; k > 0; k--) {
    const at = random.below(k + 1);
    [list[k], list[at]] = [list[at]!, list[k]!];
  }
  return list;
}

/** Moves at random ahead of a chain: none at first, then up to so many. */
const MOST_LOOSENING = 4;

/** Moves that mend more, taken on the state; none once the work is done, or with nothing broken. */
export function loosen(task: Task, work: Budget, seed: number): Move[] {
  const random = new RandomStream(seed, 1);
  const moves: Move[] = [];
  let bench = new Workbench(task);
  for (let attempt = 0; bench.broken > 0 && !work.isSpent; attempt++) {
    bench.work = work;
    // Whatever is found, an attempt costs as much as a look at each node.
    work.spend(task.nodes.length);
    const before = bench.broken;
    for (let k = attempt % (MOST_LOOSENING + 1); k > 0; k--) shake(bench, random);
    while (bench.broken > 0 && takeChain(bench, random));
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
 * Moves any instance, or one that shares a tag or a node with what is stuck. Mostly that breaks nothing; now
 * and then one rule more, since some ways lead through that.
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
