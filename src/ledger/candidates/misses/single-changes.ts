/** Each way to ask for a little less. */
import type { Forest } from '../forest/forest.ts';
import type { CandidateRequest, LabelRules, RequestGroup } from '../request/request.ts';

interface SingleChange {
  /** The parameter to change, such as `required_ACCEL`. */
  readonly parameter: string;
  /** What to take away, or for an amount what to ask at most. */
  readonly kind: 'without' | 'at most';
  readonly value: string;
}

type Change = SingleChange & { readonly request: CandidateRequest };

/** Amounts worth trying: what single providers have left, largest first. */
const MOST_AMOUNTS = 6;

const dropping = (parameter: string, value: string, request: CandidateRequest): Change => ({
  parameter,
  kind: 'without',
  value,
  request,
});

const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, k) => k !== index);

/** @param name of a parameter by what it is called of a single group */
function* labelChanges(
  { required, forbidden, memberOf, notMemberOf }: LabelRules,
  name: (parameter: 'required' | 'member_of') => string,
  asking: (changed: Partial<LabelRules>) => CandidateRequest,
): Generator<Change> {
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

/** @param elsewhere what each other group asks of the class, and may take from the same provider */
function amountsBelow(
  forest: Forest,
  resourceClass: string,
  asked: number,
  elsewhere: readonly number[],
): number[] {
  const amounts = new Set<number>();
  for (const { rooms } of forest.byClass.of(resourceClass)) {
    const { capacity, used, maxUnit, minUnit, stepSize } = rooms.get(resourceClass)!;
    for (const shared of [0, ...elsewhere, elsewhere.reduce((sum, amount) => sum + amount, 0)]) {
      const most = Math.min(capacity - used - shared, maxUnit - shared, asked - 1);
      const amount = most - (most % stepSize);
      if (amount >= Math.max(1, minUnit)) amounts.add(amount);
    }
  }
  return [...amounts].sort((a, b) => b - a).slice(0, MOST_AMOUNTS);
}

function* groupChanges(request: CandidateRequest, group: RequestGroup, forest: Forest): Generator<Change> {
  const { suffix, resources, inTree } = group;
  const asking = (changed: Partial<RequestGroup>): CandidateRequest => ({
    ...request,
    groups: request.groups.map((one) => (one === group ? { ...one, ...changed } : one)),
  });
  yield* labelChanges(group, (parameter) => `${parameter}${suffix}`, asking);
  if (inTree !== undefined) yield dropping(`in_tree${suffix}`, inTree, asking({ inTree: undefined }));
  for (const [resourceClass, asked] of resources) {
    const others = request.groups.filter((one) => one !== group);
    const elsewhere = others.flatMap((one) => one.resources.get(resourceClass) ?? []);
    for (const amount of amountsBelow(forest, resourceClass, asked, elsewhere))
      yield {
        parameter: `resources${suffix}`,
        kind: 'at most',
        value: `${resourceClass}:${amount}`,
        request: asking({ resources: new Map(resources).set(resourceClass, amount) }),
      };
  }
}

function* wideChanges(request: CandidateRequest): Generator<Change> {
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

/** Requests that ask one thing less each; of smaller amounts only the largest that helps is of use. */
export const singleChanges = (request: CandidateRequest, forest: Forest): readonly Change[] => [
  ...request.groups.flatMap((group) => [...groupChanges(request, group, forest)]),
  ...wideChanges(request),
];
