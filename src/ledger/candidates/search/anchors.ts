/**
 * Which roots a search looks at: those to which the index of the rarest thing that every candidate must have
 * leads; where sharing providers may bring it, by way of the aggregates.
 */
import type { Forest } from '../forest/forest.ts';
import { byName, type Provider } from '../forest/provider.ts';
import type { CandidateRequest, LabelRules } from '../request/request.ts';
import type { Slot } from './slots.ts';

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

/** Roots that can anchor a candidate, by name; some of them will turn out not to. */
export function anchorsFor(
  request: CandidateRequest,
  slots: readonly Slot[],
  forest: Forest,
): readonly Provider[] {
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
