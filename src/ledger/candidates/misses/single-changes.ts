/** Each way to ask for a little less. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import { brokenUnitRule, type StepMode } from '../../claims/model/inventory.ts';
import type { explanation } from '../../results/hcand.ts';
import type { Forest } from '../forest/forest.ts';
import type { CandidateRequest, LabelRules, RequestGroup } from '../request/request.ts';
import { dropStep, type Slot, slotsOf } from '../search/slots.ts';

type Change = Omit<DocumentOf<typeof explanation>['changes'][number], 'example'> & {
  readonly request: CandidateRequest;
};

/** Of which only the first that helps is of use. */
type Alternatives = readonly Change[];

/** Amounts worth trying: the largest that single providers would serve. */
const MOST_AMOUNTS = 6;

const dropping = (parameter: string, value: string, request: CandidateRequest): Alternatives => [
  { parameter, kind: 'without', value, request },
];

const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, k) => k !== index);

/** @param name of a parameter by what it is called of a single group */
function* labelChanges(
  { required, forbidden, memberOf, notMemberOf }: LabelRules,
  name: (parameter: 'required' | 'member_of') => string,
  asking: (changed: Partial<LabelRules>) => CandidateRequest,
): Generator<Alternatives> {
  const anyText = (anyOf: readonly string[]): string => (anyOf.length > 1 ? `in:${anyOf.join()}` : anyOf[0]!);
  const traits = name('required');
  for (const [k, anyOf] of required.entries())
    yield dropping(traits, anyText(anyOf), asking({ required: without(required, k) }));
  for (const [k, trait] of forbidden.entries())
    yield dropping(traits, `!${trait}`, asking({ forbidden: without(forbidden, k) }));
  const aggregates = name('member_of');
  for (const [k, anyOf] of memberOf.entries())
    yield dropping(aggregates, anyText(anyOf), asking({ memberOf: without(memberOf, k) }));
  for (const [k, uuid] of notMemberOf.entries())
    yield dropping(aggregates, `!${uuid}`, asking({ notMemberOf: without(notMemberOf, k) }));
}

/**
 * Of providers that may serve the slot but for its amount of the class.
 * @param elsewhere what each other group asks of the class, and may take from the same provider
 */
function amountsBelow(
  forest: Forest,
  slot: Slot,
  resourceClass: string,
  elsewhere: readonly number[],
  mode: StepMode,
): number[] {
  const asked = slot.amounts.find(([name]) => name === resourceClass)![1];
  const rest = { ...slot, amounts: slot.amounts.filter(([name]) => name !== resourceClass) };
  const amounts = new Set<number>();
  for (const provider of forest.byClass.of(resourceClass)) {
    if (dropStep(provider, provider.root, rest, mode)) continue;
    const room = provider.rooms.get(resourceClass)!;
    for (const shared of [0, ...elsewhere, elsewhere.reduce((sum, amount) => sum + amount, 0)]) {
      const most = Math.min(room.capacity - room.used - shared, room.maxUnit - shared, asked - 1);
      // The smallest unit need not be a multiple of the step.
      for (const amount of [most - (most % room.stepSize), room.minUnit])
        if (amount <= most && !brokenUnitRule(room, amount, mode)) amounts.add(amount);
    }
  }
  return [...amounts].sort((a, b) => b - a).slice(0, MOST_AMOUNTS);
}

function* groupChanges(
  request: CandidateRequest,
  group: RequestGroup,
  forest: Forest,
  mode: StepMode,
): Generator<Alternatives> {
  const { suffix, resources, inTree } = group;
  const asking = (changed: Partial<RequestGroup>): CandidateRequest => ({
    ...request,
    groups: request.groups.map((one) => (one === group ? { ...one, ...changed } : one)),
  });
  yield* labelChanges(group, (parameter) => `${parameter}${suffix}`, asking);
  if (inTree !== undefined) yield dropping(`in_tree${suffix}`, inTree, asking({ inTree: undefined }));
  const slots = slotsOf({ groups: [group] }, forest);
  for (const resourceClass of resources.keys()) {
    const others = request.groups.filter((one) => one !== group);
    const elsewhere = others.flatMap((one) => one.resources.get(resourceClass) ?? []);
    const slot = slots.find(({ amounts }) => amounts.some(([name]) => name === resourceClass))!;
    // In the unsuffixed group another provider may bring the traits; most often it is one that has all.
    const amounts = [...new Set([true, slot.isSuffixed])].flatMap((isSuffixed) =>
      amountsBelow(forest, { ...slot, isSuffixed }, resourceClass, elsewhere, mode),
    );
    const largestFirst = [...new Set(amounts)].sort((a, b) => b - a);
    yield largestFirst.map((amount) => ({
      parameter: `resources${suffix}`,
      kind: 'at most',
      value: `${resourceClass}:${amount}`,
      request: asking({ resources: new Map(resources).set(resourceClass, amount) }),
    }));
  }
}

function* wideChanges(request: CandidateRequest): Generator<Alternatives> {
  const { sameSubtree, groupPolicy, isolate, root } = request;
  const asking = (changed: Partial<CandidateRequest>): CandidateRequest => ({ ...request, ...changed });
  for (const [k, suffixes] of sameSubtree.entries())
    yield dropping('same_subtree', suffixes.join(), asking({ sameSubtree: without(sameSubtree, k) }));
  if (groupPolicy === 'isolate') yield dropping('group_policy', 'isolate', asking({ groupPolicy: 'none' }));
  if (isolate.length > 0) yield dropping('isolate', isolate.join(), asking({ isolate: [] }));
  yield* labelChanges(
    root,
    (parameter) => `root_${parameter}`,
    (changed) => asking({ root: { ...root, ...changed } }),
  );
}

export const singleChanges = (
  request: CandidateRequest,
  forest: Forest,
  mode: StepMode,
): readonly Alternatives[] => [
  ...request.groups.flatMap((group) => [...groupChanges(request, group, forest, mode)]),
  ...wideChanges(request),
];
