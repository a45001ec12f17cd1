/** Each way to ask for a little less. */
import type { Forest } from '../forest/forest.ts';
import type { CandidateRequest, RequestGroup } from '../request/request.ts';

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

const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, k) => k !== index);

const withGroup = (
  request: CandidateRequest,
  group: RequestGroup,
  changed: Partial<RequestGroup>,
): CandidateRequest => ({
  ...request,
  groups: request.groups.map((one) => (one === group ? { ...one, ...changed } : one)),
});

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
  const { suffix, resources, required, forbidden, memberOf, notMemberOf, inTree } = group;
  const drop = (parameter: string, value: string, changed: Partial<RequestGroup>): Change => ({
    parameter: `${parameter}${suffix}`,
    kind: 'without',
    value,
    request: withGroup(request, group, changed),
  });
  for (const [k, anyOf] of required.entries())
    yield drop('required', anyOf.length > 1 ? `in:${anyOf.join()}` : anyOf[0]!, {
      required: without(required, k),
    });
  for (const [k, trait] of forbidden.entries())
    yield drop('required', `!${trait}`, { forbidden: without(forbidden, k) });
  for (const [k, anyOf] of memberOf.entries())
    yield drop('member_of', anyOf.length > 1 ? `in:${anyOf.join()}` : anyOf[0]!, {
      memberOf: without(memberOf, k),
    });
  for (const [k, uuid] of notMemberOf.entries())
    yield drop('member_of', `!${uuid}`, { notMemberOf: without(notMemberOf, k) });
  if (inTree !== undefined) yield drop('in_tree', inTree, { inTree: undefined });
  for (const [resourceClass, asked] of resources) {
    const others = request.groups.filter((one) => one !== group);
    const elsewhere = others.flatMap((one) => one.resources.get(resourceClass) ?? []);
    for (const amount of amountsBelow(forest, resourceClass, asked, elsewhere))
      yield {
        parameter: `resources${suffix}`,
        kind: 'at most',
        value: `${resourceClass}:${amount}`,
        request: withGroup(request, group, { resources: new Map(resources).set(resourceClass, amount) }),
      };
  }
}

function* wideChanges(request: CandidateRequest): Generator<Change> {
  const { sameSubtree, groupPolicy, isolate, rootRequired, rootForbidden, rootMemberOf, rootNotMemberOf } =
    request;
  const drop = (parameter: string, value: string, changed: Partial<CandidateRequest>): Change => ({
    parameter,
    kind: 'without',
    value,
    request: { ...request, ...changed },
  });
  for (const [k, suffixes] of sameSubtree.entries())
    yield drop('same_subtree', suffixes.join(), { sameSubtree: without(sameSubtree, k) });
  if (groupPolicy === 'isolate') yield drop('group_policy', 'isolate', { groupPolicy: 'none' });
  if (isolate.length > 0) yield drop('isolate', isolate.join(), { isolate: [] });
  for (const [k, trait] of rootRequired.entries())
    yield drop('root_required', trait, { rootRequired: without(rootRequired, k) });
  for (const [k, trait] of rootForbidden.entries())
    yield drop('root_required', `!${trait}`, { rootForbidden: without(rootForbidden, k) });
  for (const [k, anyOf] of rootMemberOf.entries())
    yield drop('root_member_of', anyOf.join(), { rootMemberOf: without(rootMemberOf, k) });
  for (const [k, uuid] of rootNotMemberOf.entries())
    yield drop('root_member_of', `!${uuid}`, { rootNotMemberOf: without(rootNotMemberOf, k) });
}

/** Requests that ask one thing less each; of smaller amounts only the largest that helps is of use. */
export const singleChanges = (request: CandidateRequest, forest: Forest): readonly Change[] => [
  ...request.groups.flatMap((group) => [...groupChanges(request, group, forest)]),
  ...wideChanges(request),
];
