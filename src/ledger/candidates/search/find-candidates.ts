/** The search: from a forest and a request to candidates, in a fixed order, as many as are asked for. */
import type { StepMode } from '../../claims/model/inventory.ts';
import type { Forest } from '../forest/forest.ts';
import { byName, type Provider } from '../forest/provider.ts';
import type { CandidateRequest, LabelRules } from '../request/request.ts';
import {
  AnchorWalk,
  Budget,
  MOST_CANDIDATES,
  MOST_TRIALS,
  type Relaxation,
  type WalkRules,
  type Work,
} from './anchor-walk.ts';
import { allocationKey, type Candidate, dropStep, rootAllows, type Slot, slotsOf } from './slots.ts';

/** Lists of which at least one member of each list's union is in every candidate. */
function musts(
  { root }: CandidateRequest,
  slots: readonly Slot[],
  forest: Forest,
): ReadonlySet<Provider>[][] {
  const withLabels = ({ required, memberOf }: LabelRules) => [
    ...required.map((anyOf) => anyOf.map((trait) => forest.byTrait.of(trait))),
    ...memberOf.map((anyOf) => anyOf.map((uuid) => forest.byAggregate.of(uuid))),
  ];
  const ofSlots = slots.flatMap(({ amounts, group, isSuffixed }) => [
    ...amounts.map(([resourceClass]) => [forest.byClass.of(resourceClass)]),
    ...(isSuffixed ? withLabels(group) : []),
  ]);
  return [...ofSlots, ...withLabels(root)];
}

const sizeOf = (list: readonly ReadonlySet<Provider>[]): number =>
  list.reduce((sum, { size }) => sum + size, 0);

/** The roots under which it may serve: its own, and for a sharing one those that share an aggregate. */
function* anchorsOf(provider: Provider, forest: Forest): Generator<Provider> {
  yield provider.root;
  if (!provider.isSharing) return;
  for (const aggregate of provider.aggregates)
    for (const member of forest.byAggregate.of(aggregate)) yield member.root;
}

/** When this share of all roots would have to be sorted, going through all of them in order is quicker. */
const WORTHWHILE_SHARE = 0.25;

/** Roots that may anchor a candidate, by name: where the rarest thing is that every candidate must have. */
function anchorsFor(request: CandidateRequest, slots: readonly Slot[], forest: Forest): readonly Provider[] {
  const all = forest.roots;
  const unsuffixedTree = slots.find(({ isSuffixed, tree }) => !isSuffixed && tree !== undefined)?.tree;
  if (slots.some(({ tree }) => tree === null)) return [];
  if (unsuffixedTree) return [unsuffixedTree];
  const only = slots.find(
    ({ tree }) => tree && !forest.treeOf(tree).some(({ isSharing }) => isSharing),
  )?.tree;
  if (only) return [only];
  const rarest = musts(request, slots, forest).reduce((best, list) =>
    sizeOf(list) < sizeOf(best) ? list : best,
  );
  if (sizeOf(rarest) > all.length * WORTHWHILE_SHARE) return all;
  const found = new Set<Provider>();
  for (const set of rarest)
    for (const provider of set) for (const root of anchorsOf(provider, forest)) found.add(root);
  return found.size > all.length * WORTHWHILE_SHARE ? all : [...found].sort(byName);
}

export interface SearchOptions {
  readonly stepMode?: StepMode;
  /** Up to microversion 1.28 a candidate takes at most one provider of a tree. */
  readonly isNested?: boolean;
  /** What makes two candidates differ: by mappings and allocations, or by allocations alone. */
  readonly distinct?: 'mappings' | 'allocations';
  readonly relaxed?: Relaxation;
  /** Holds whatever the limit is. Default: MOST_CANDIDATES, or the limit. */
  readonly mostCandidates?: number;
  /** Default: MOST_TRIALS for this search. */
  readonly work?: Work;
}

/** By slot the providers that may serve it by themselves, by name; undefined when some slot has none. */
function domainsAt(
  anchor: Provider,
  slots: readonly Slot[],
  forest: Forest,
  mode: StepMode,
): Provider[][] | undefined {
  const tree = forest.treeOf(anchor);
  const sharers = forest.sharersWith(anchor);
  const reachable = sharers.length === 0 ? tree : [...sharers, ...tree].sort(byName);
  const domains: Provider[][] = [];
  for (const slot of slots) {
    const domain = reachable.filter((provider) => dropStep(provider, anchor, slot, mode) === undefined);
    if (domain.length === 0) return undefined;
    domains.push(domain);
  }
  return domains;
}

/**
 * Candidates by the anchor's name, then by names of providers slot by slot (the unsuffixed group first, class
 * by class). One of sharing providers alone belongs to the first anchor that has it. @throws {SearchTooWide}
 */
export function findCandidates(forest: Forest, request: CandidateRequest, options: SearchOptions = {}) {
  const slots = slotsOf(request, forest);
  return { slots, candidates: walk(forest, request, slots, options) };
}

const isFirst = (seen: Set<string>, key: string): boolean => seen.size < seen.add(key).size;

function* walk(
  forest: Forest,
  request: CandidateRequest,
  slots: readonly Slot[],
  {
    stepMode = 'strict',
    isNested = true,
    distinct = 'mappings',
    relaxed = {},
    mostCandidates = Math.max(request.limit ?? 0, MOST_CANDIDATES),
    work = { trialsLeft: MOST_TRIALS },
  }: SearchOptions,
): Generator<Candidate> {
  const rules: WalkRules = { request, slots, stepMode, isNested, relaxed };
  const budget = new Budget(mostCandidates, work);
  // Only candidates of sharing providers alone can come from two anchors.
  const seen = new Set<string>();
  const seenAllocations = new Set<string>();
  for (const anchor of anchorsFor(request, slots, forest)) {
    if (!rootAllows(anchor, request)) continue;
    const domains = domainsAt(anchor, slots, forest, stepMode);
    budget.spend(slots.length * forest.treeOf(anchor).length, anchor);
    if (!domains) continue;
    for (const providers of new AnchorWalk(anchor, domains, rules, budget).fillings()) {
      const isShared = providers.every(({ isSharing }) => isSharing);
      if (isShared && !isFirst(seen, providers.map(({ uuid }) => uuid).join())) continue;
      const candidate: Candidate = { anchor, providers: [...providers] };
      if (distinct === 'allocations' && !isFirst(seenAllocations, allocationKey(candidate, slots))) continue;
      budget.found++;
      yield candidate;
      if (budget.found === request.limit) return;
    }
  }
}
