/**
 * A walk over placements by simulated annealing: what is copied, and a high price for what is still wrong.
 * What a rule of nodes forbids is not tried; those of the moves (who carries what in between) are left to the
 * order that is sought for the outcome.
 */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { putInstance, takeOff } from '../../../model/moves/apply.ts';
import { allowance, anneal } from '../../anneal/anneal.ts';
import type { Budget } from '../../anneal/budget.ts';
import type { RandomStream } from '../../anneal/random.ts';
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import { type Home, homeOf, nodesIn, type Relocation } from '../relocate/relocation.ts';
import { type Aim, leftOn } from './aim.ts';
import type { Wanted } from './legal-order.ts';
import { placementPrice } from './price.ts';
import { proposals, residents } from './proposals.ts';

/** Temperatures in disks of middling size; a walk cools down to the second. */
const COLDEST = 0.0005;
/** How often two instances are tried together, and how often the second leaves where the first goes. */
const PAIR_SHARE = 0.4;
const CHAIN_SHARE = 0.6;
/** Accepted steps after which the journal, which remembers them all, is begun anew. */
const STEPS_REMEMBERED = 20_000;

/** One instance of a candidate. */
type Shift = Omit<Relocation, 'steps'>;

const isSame = (a: Home, b: Home): boolean => a.primary === b.primary && a.secondary === b.secondary;

/** @param start where every instance is where it was before anything was done; the state is there */
export function placementWalk(cluster: SuperCluster, aim: Aim, random: RandomStream, start: TrialMark) {
  const { state, n1 } = cluster;
  const { journal } = state;
  const homes = Array.from({ length: state.instanceCount }, (_, i) => homeOf(state, i));
  const price = placementPrice(cluster, aim, homes);
  const { draw: drawHome, admitsPrimary, admitsSecondary } = proposals(cluster, aim, random, homes);
  const { wrong, moved, on, draw: drawInstance } = residents(cluster, aim.movable, random);
  /** Prices, in MiB of disk: of the homes, of what is wrong with nodes, and of what the whole state tells. */
  let sums = { homes: 0, nodes: 0, unrestartable: 0, harm: 0 };
  /** Nodes of instances, counted for each, where none may be left. */
  let staying = 0;
  let steps = 0;
  let best: readonly Wanted[] | undefined;
  /** What was done since the best placement, where that is not told yet: most are soon beaten. */
  let since: Shift[] | undefined;
  let bestPrice = Number.POSITIVE_INFINITY;

  const isHealed = (node: number): boolean => aim.healed.has(state.groupOf[node]!);
  const harmPrice = (): number => price.unit * (aim.harm?.() ?? 0);
  const unrestartablePrice = (): number =>
    aim.healed.size === 0 || n1.isHealthy ? 0 : price.ofUnrestartable(n1.failing().filter(isHealed).length);
  const noteWrong = (node: number): void => {
    const { primaries, secondaries } = state;
    const isResident = aim.leaves[node] === 1 && primaries[node]!.length + secondaries[node]!.length > 0;
    wrong.set(node, isResident || price.ofNode(node) > 0);
  };
  const noteUnrestartable = (): void => {
    for (const n of n1.failing()) if (isHealed(n)) wrong.set(n, true);
  };

  /** All sums anew, so that they do not drift. */
  const takeStock = (): void => {
    staying = 0;
    let ofHomes = 0;
    for (const i of aim.movable) {
      const home = homeOf(state, i);
      ofHomes += price.ofHome(i, home);
      staying += leftOn(aim.leaves, home);
    }
    let nodes = 0;
    for (let n = 0; n < state.nodeCount; n++) {
      nodes += price.ofNode(n);
      noteWrong(n);
    }
    sums = { homes: ofHomes, nodes, unrestartable: unrestartablePrice(), harm: harmPrice() };
    noteUnrestartable();
  };
  const place = (wanted: readonly Wanted[]): void => {
    cluster.rollback(start);
    for (const i of [...moved.all]) moved.set(i, false);
    const touched = new Set<number>();
    for (const { instance, to } of wanted) {
      for (const n of nodesIn([homeOf(state, instance), to])) touched.add(n);
      takeOff(state, instance);
      putInstance(state, instance, to.primary, to.secondary);
      moved.set(instance, true);
    }
    cluster.refresh([...touched]);
    steps = 0;
    takeStock();
  };

  /** Where all instances that have moved are now. */
  const now = (): Wanted[] =>
    [...moved.all].sort((a, b) => a - b).map((instance) => ({ instance, to: homeOf(state, instance) }));
  const keepBest = (): void => {
    if (staying > 0 || sums.nodes > 0 || sums.unrestartable > 0) return;
    const found = sums.homes + sums.harm;
    if (found >= bestPrice) return;
    since = [];
    bestPrice = found;
  };
  const tellBest = (): readonly Wanted[] | undefined => {
    if (since === undefined) return best;
    const ends = new Map(now().map(({ instance, to }) => [instance, to]));
    for (const { instance, from } of since.toReversed()) ends.set(instance, from);
    best = [...ends]
      .filter(([i, to]) => !isSame(to, homes[i]!))
      .sort(([a], [b]) => a - b)
      .map(([instance, to]) => ({ instance, to }));
    since = undefined;
    return best;
  };

  const draw = (instance: number): Shift | undefined => {
    const to = drawHome(instance, moved.has(instance));
    return to && { instance, from: homeOf(state, instance), to };
  };
  /** One or two instances and homes for them; none where a draw leads nowhere. */
  const drawShifts = (): readonly Shift[] => {
    const first = draw(drawInstance());
    if (first === undefined) return [];
    if (random.unit() >= PAIR_SHARE) return [first];
    const { primary, secondary } = first.to;
    const via = secondary === NO_NODE || random.unit() < 0.5 ? primary : secondary;
    const second = random.unit() < CHAIN_SHARE ? on(via) : drawInstance();
    if (second === undefined || second === first.instance || state.isOffline[via]) return [first];
    const other = draw(second);
    return other ? [first, other] : [first];
  };
  /** Puts instances on new nodes as far as the nodes' rules go; false, half-way, where they refuse. */
  const put = (shifts: readonly Shift[]): boolean => {
    for (const { instance } of shifts) takeOff(state, instance);
    for (const { instance: i, to } of shifts) {
      if (!admitsPrimary(i, to) || !admitsSecondary(i, to)) return false;
      putInstance(state, i, to.primary, to.secondary);
    }
    return true;
  };
  /** Takes over a change if the groups that need no healing stay as they are. */
  const takeOver = (touched: readonly number[], arrived: readonly number[]): boolean => {
    const others = arrived.filter((n) => !isHealed(n) && !state.isOffline[n]);
    if (others.some((n) => cluster.isOvercommitted(n)) || cluster.refreshIfHarmless(others)) return false;
    cluster.refresh(touched.filter((n) => !others.includes(n)));
    return true;
  };
  const note = (shifts: readonly Shift[], touched: readonly number[]): void => {
    for (const { instance: i, from, to } of shifts) {
      sums.homes += price.ofHome(i, to) - price.ofHome(i, from);
      staying += leftOn(aim.leaves, to) - leftOn(aim.leaves, from);
      moved.set(i, !isSame(to, homes[i]!));
    }
    since?.push(...shifts);
    for (const n of touched) noteWrong(n);
    if (aim.healed.size > 0) sums.nodes = wrong.all.reduce((sum, n) => sum + price.ofNode(n), 0);
    if (sums.unrestartable > 0) noteUnrestartable();
    steps++;
  };

  /** Tries one change. @param allowed by how much the price may grow @returns whether it was made */
  const step = (allowed: number): boolean => {
    const shifts = drawShifts();
    if (shifts.every(({ from, to }) => isSame(from, to))) return false;
    const arrived = shifts.map(({ to }) => to);
    const touched = nodesIn([...shifts.map(({ from }) => from), ...arrived]);
    let change = 0;
    for (const { instance: i, from, to } of shifts) change += price.ofHome(i, to) - price.ofHome(i, from);
    const known = sums.unrestartable + sums.nodes;
    // Whatever else it brings, it cannot mend more than is wrong.
    if (change - known > allowed && aim.harm === undefined) return false;
    for (const n of touched) change -= price.ofNode(n);
    const mark = cluster.mark();
    if (!put(shifts)) {
      journal.rollback(mark.journal);
      return false;
    }
    for (const n of touched) change += price.ofNode(n);
    cluster.refreshScores(touched);
    const harm = harmPrice();
    change = change + harm - sums.harm;
    if (change - sums.unrestartable > allowed || !takeOver(touched, nodesIn(arrived))) {
      journal.rollback(mark.journal);
      cluster.refreshScores(touched);
      return false;
    }
    const unrestartable = unrestartablePrice();
    if (change + unrestartable - sums.unrestartable > allowed) {
      cluster.rollback(mark);
      return false;
    }
    Object.assign(sums, { unrestartable, harm });
    note(shifts, touched);
    return true;
  };

  return {
    /** Puts instances where they are wanted, the others where they were, and forgets the best placement. */
    begin: (wanted: readonly Wanted[]): void => {
      best = undefined;
      since = undefined;
      bestPrice = Number.POSITIVE_INFINITY;
      place(wanted);
      keepBest();
    },
    /** Walks up to a share of the budget; the best placement since its beginning with all that is wanted. */
    run: (budget: Budget, until: number, hottest: number): readonly Wanted[] | undefined => {
      const { unit } = price;
      if (aim.movable.length === 0) return tellBest();
      anneal({ budget, until, hottest: hottest * unit, coldest: COLDEST * unit }, (temperature) => {
        budget.spend();
        if (step(allowance(random, temperature))) keepBest();
        if (steps > STEPS_REMEMBERED) {
          tellBest();
          place(now());
        }
      });
      return tellBest();
    },
    left: (): number => staying,
  };
}
