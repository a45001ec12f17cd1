/**
 * Evacuation by the deep search: where instances go is decided for all of them together. What it has to beat
 * is stock's answer: nobody stays whom that moves, fewer stay, or as many and the score is lower. What is
 * copied is the same wherever they go. Source: docs/why/search.md.
 */

import { type GroupPart, GroupParts } from '../../../model/state/group-parts.ts';
import { Budget } from '../../anneal/budget.ts';
import { RandomStream } from '../../anneal/random.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../balance/options.ts';
import { homeOf } from '../../groups/relocate/relocation.ts';
import { Kernel } from '../../search/kernel/kernel.ts';
import { type Evacuees, makeLayout, type SearchLayout } from '../../search/kernel/layout.ts';
import { hottestOf, runLane } from '../../search/walk/lane.ts';
import { type Placement, Prices } from '../../search/walk/prices.ts';
import { type EvacuationWay, Evacuator } from '../evacuator.ts';
import type { Evacuation, NodePair } from '../outcome.ts';
import {
  carryOut,
  type EvacuationTask,
  type GroupTask,
  isBetter,
  meritOf,
  type OpenPlaces,
  openPlaces,
} from './rehearsal.ts';

/** How long a search goes on, and the seed of its random numbers. */
interface DeepLimits {
  readonly seed: number;
  readonly candidates: number;
  /** The share of the time that is over, 1 and more at its end. */
  readonly clock: () => number;
  /** Told where time ended the search. @param workShare of the candidates that were looked at */
  readonly onCutShort?: (workShare: number) => void;
}

/** Candidates of a walk for each choice of an instance and a node, and their bounds. */
const FOR_CHOICE = 400;
const FEWEST = 100_000;
const MOST = 400_000;
/** After so many walks in vain little is left to find; somebody without a place is worth more. */
const IN_VAIN = 6;
const IN_VAIN_FOR_PLACE = 9;
/** Temperature at which walks start while somebody has no place: room has to be made where there was none. */
const HOTTEST_FOR_PLACE = 6;
/** Score that a place for one more instance is worth: above any. */
const WORTH_OF_PLACE = 1e6;
const ROUNDING = 1e-7;

const mostInVain = ({ left }: ReturnType<typeof judge>): number => (left > 0 ? IN_VAIN_FOR_PLACE : IN_VAIN);

/** Where a walk came to: how many instances it leaves, and the score within rounding. */
function judge(kernel: Kernel, placement: Placement) {
  kernel.load(placement.primary, placement.secondary);
  return { placement, left: new Prices(kernel.layout).of(placement), score: kernel.score };
}

/**
 * Placements, each better than all before. Where instances that leave their nodes go is little of what there
 * is to decide, so several short walks see more than a long one.
 * @param until share of the budget at which it ends
 */
function* betterPlacements(
  layout: SearchLayout,
  seed: number,
  budget: Budget,
  until: number,
): Iterable<Placement> {
  const { movable, targets } = layout;
  // Where all nodes are offline there is no place to go to.
  if (movable.length === 0 || targets.length === 0) return;
  const candidates = Math.min(MOST, Math.max(FEWEST, FOR_CHOICE * movable.length * targets.length));
  const task = { cap: 0, rate: WORTH_OF_PLACE, candidates };
  const kernel = new Kernel(layout);
  let best = judge(kernel, layout);
  for (let lane = 0, inVain = 0; inVain < mostInVain(best) && budget.share < until; lane++, inVain++) {
    const random = new RandomStream(seed, lane);
    const hottest = best.left > 0 ? HOTTEST_FOR_PLACE : hottestOf(layout, lane);
    const end = runLane(layout, task, random, hottest, { from: best.placement });
    budget.spend(candidates);
    const reached = judge(kernel, end);
    const isSame = reached.left === best.left && reached.score >= best.score - ROUNDING;
    if (reached.left > best.left || isSame) continue;
    best = reached;
    inVain = -1;
    yield best.placement;
  }
}

type Places = ReadonlyMap<number, NodePair>;

const placesOf = (outcomes: readonly Evacuation[]): Places =>
  new Map(outcomes.flatMap((outcome) => (outcome.isMoved ? [[outcome.instance, outcome]] : [])));

const isAt = (placement: Placement, i: number, { primary, secondary }: NodePair): boolean =>
  placement.primary[i] === primary && placement.secondary[i] === secondary;

/** A group as the search sees it, where the state shows what stock does. @param homes of all before */
function layoutOf(
  { state, nodes }: GroupTask,
  open: ReadonlyMap<number, OpenPlaces>,
  homes: Placement,
): SearchLayout {
  const { nodeCount, instanceCount } = state;
  const inGroup = new Set(nodes);
  const isWithin = ({ primary, secondary }: NodePair): boolean =>
    inGroup.has(primary) && (secondary < 0 || inGroup.has(secondary));
  const hasChoice = (i: number, { primaries, secondaries }: OpenPlaces): boolean =>
    isAt(homes, i, homeOf(state, i)) || primaries.length > 1 || secondaries.length > 1;
  const chosen = [...open].filter(([i, places]) => isWithin(homeOf(state, i)) && hasChoice(i, places));
  const evacuees = {
    instances: chosen.map(([i]) => i),
    placeOf: new Int32Array(instanceCount).fill(-1),
    primaries: new Uint8Array(chosen.length * nodeCount),
    secondaries: new Uint8Array(chosen.length * nodeCount),
    homePrimary: homes.primary,
    homeSecondary: homes.secondary,
    isForced: new Uint8Array(instanceCount),
  } satisfies Evacuees;
  chosen.forEach(([i, { primaries, secondaries, isForced }], place) => {
    evacuees.placeOf[i] = place;
    for (const n of primaries) evacuees.primaries[place * nodeCount + n] = 1;
    for (const n of secondaries) evacuees.secondaries[place * nodeCount + n] = 1;
    evacuees.isForced[i] = isForced ? 1 : 0;
  });
  return makeLayout(state, nodes, DEFAULT_BALANCE_OPTIONS, evacuees);
}

/** Places with those of a placement in them; who stays in it has none. */
function withPlacement(places: Places, movable: Iterable<number>, homes: Placement, now: Placement): Places {
  const all = new Map(places);
  for (const i of movable) {
    const place = { primary: now.primary[i]!, secondary: now.secondary[i]! };
    if (isAt(homes, i, place)) all.delete(i);
    else all.set(i, place);
  }
  return all;
}

/** The part of a task that concerns a group, there. @param inCluster what the group's state has */
function taskIn(task: EvacuationTask, { state, nodes, inCluster }: GroupPart): GroupTask {
  const instanceAt = new Map(inCluster.instances.map((i, at) => [i, at]));
  const nodeAt = new Map(inCluster.nodes.map((n, at) => [n, at]));
  const group = state.groupOf[nodes[0]!];
  const own = [...task.targets].filter(([i]) => task.state.groupOf[task.state.primary[i]!] === group);
  const targets = new Map(own.map(([i, list]) => [instanceAt.get(i)!, list.map((n) => nodeAt.get(n)!)]));
  return { ...task, state, nodes, targets };
}

/** The places in a group: stock's, or better ones if any are found. The state is as before. */
function placesIn(task: GroupTask, seed: number, budget: Budget, until: number) {
  const { state, nodes, mode, ignoreSoftErrors, targets } = task;
  const start = state.journal.mark();
  const homes = { primary: state.primary.slice(), secondary: state.secondary.slice() };
  const open = new Map<number, OpenPlaces>();
  for (const [i, list] of targets) {
    const found = openPlaces(state, i, mode, list, nodes, ignoreSoftErrors);
    if (found) open.set(i, found);
  }
  // Without places each is evacuated as if alone: as the stock program does it.
  const outcomes = carryOut(task, new Map());
  const stock = placesOf(outcomes);
  let places = stock;
  let best = meritOf(task, outcomes);
  const layout = layoutOf(task, open, homes);
  state.journal.rollback(start);
  const consider = (others: Places): void => {
    const merit = meritOf(task, carryOut(task, others));
    state.journal.rollback(start);
    if (!isBetter(merit, best)) return;
    best = merit;
    places = others;
  };
  // The last may have made room for the first.
  if (best.left.length > 0) consider(new Map(stock));
  for (const placement of betterPlacements(layout, seed, budget, until))
    consider(withPlacement(places, layout.movable, homes, placement));
  return { places, isBettered: places !== stock };
}

/** Places that make a better evacuation than stock's, if any are found. */
function betterPlaces(task: EvacuationTask, limits: DeepLimits): Places | undefined {
  const { state, targets } = task;
  // Each group is searched as a cluster of its own: some tables are squares of the nodes.
  const parts = new GroupParts(state.snapshot);
  const concerned = [...new Set([...targets.keys()].map((i) => state.groupOf[state.primary[i]!]!))];
  const budget = new Budget(limits);
  let isBettered = false;
  const places = concerned.flatMap((group, k) => {
    const part = parts.of(group);
    const { nodes, instances } = part.inCluster;
    const found = placesIn(taskIn(task, part), limits.seed, budget, (k + 1) / concerned.length);
    isBettered ||= found.isBettered;
    const inCluster = (n: number): number => nodes[n] ?? n;
    return [...found.places].map(
      ([i, { primary, secondary }]) =>
        [instances[i]!, { primary: inCluster(primary), secondary: inCluster(secondary) }] as const,
    );
  });
  if (budget.isCut) limits.onCutShort?.(budget.workShare);
  return isBettered ? new Map(places) : undefined;
}

/** The way that looks for places of all instances together, within limits. */
export const deepEvacuation =
  (limits: DeepLimits): EvacuationWay =>
  (state, instances, mode, { ignoreSoftErrors, evacuations }) => {
    const stock = new Evacuator(state, ignoreSoftErrors, evacuations);
    const lists = stock.targetsOf(instances, mode);
    const targets = new Map(instances.map((i, k) => [i, lists[k]!]));
    const task = { state, mode, ignoreSoftErrors, targets };
    // One alone goes to the best place already, and one that is named twice moves twice.
    const canBetter = targets.size > 1 && targets.size === instances.length;
    const places = canBetter ? betterPlaces(task, limits) : undefined;
    return places ? carryOut(task, places, evacuations) : stock.evacuate(instances, mode);
  };
