/**
 * The filters of GET /resource_providers. A provider must meet all by itself, like a suffixed group of a
 * candidate query.
 */
import type { Provider } from '../../../candidates/forest/provider.ts';
import { type Dialect, dialectOf } from '../../../candidates/request/dialect.ts';
import { ProblemList } from '../../../candidates/request/problem.ts';
import {
  canonicalUuid,
  isUuidLike,
  readAggregates,
  readResources,
  readTraits,
} from '../../../candidates/request/values.ts';
import { dropStep, type Slot, slotsOf } from '../../../candidates/search/slots.ts';
import { ApiError } from '../../../http/api-error.ts';
import { parameter } from '../../../http/parameters.ts';
import type { Request } from '../../../http/route.ts';
import type { Service } from '../service/service.ts';
import { requireNames } from './vocabulary.ts';

/** Names of the parameters, and the minor number that has them. */
const SINCE: Readonly<Record<string, number>> = {
  name: 0,
  uuid: 0,
  member_of: 3,
  resources: 4,
  in_tree: 14,
  required: 18,
};
export const PROVIDER_QUERY_NAMES = Object.keys(SINCE);

const INVALID = 'Invalid query string parameters: ';

function checkNames({ query, minor }: Request): void {
  for (const [name, value] of query) {
    if ((SINCE[name] ?? Number.POSITIVE_INFINITY) > minor)
      throw new ApiError(400, `${INVALID}Additional properties are not allowed ('${name}' was unexpected)`);
    if ((name === 'uuid' || name === 'in_tree') && !isUuidLike(value))
      throw new ApiError(
        400,
        `${INVALID}'${value}' is not a 'uuid'\n\nFailed validating 'format' in schema['properties']['${name}']`,
      );
  }
}

/** Traits are understood from 1.18 on, marks in front of them and repeats as in candidate queries. */
function filterOf(request: Request): { readonly group: Slot['group']; readonly problems: ProblemList } {
  const dialect: Dialect = dialectOf(request.minor);
  const problems = new ProblemList();
  const all = (name: string): string[] =>
    request.query.filter(([key]) => key === name).map(([, value]) => value);
  const traits = { required: [] as string[][], forbidden: [] as string[] };
  const aggregates = { memberOf: [] as string[][], notMemberOf: [] as string[] };
  const resources = new Map<string, number>();
  const resourceText = all('resources').at(-1);
  if (resourceText !== undefined) readResources('resources', resourceText, dialect, resources, problems);
  const required = dialect.anyTraits ? all('required') : all('required').slice(-1);
  for (const value of required) readTraits('required', value, dialect, traits, problems);
  const members = all('member_of');
  if (!dialect.repeatedMemberOf && members.length > 1)
    problems.add('member_of', members.join(), 'Multiple member_of parameters are not supported');
  for (const value of members) readAggregates('member_of', value, dialect, aggregates, problems);
  const inTree = all('in_tree').at(-1);
  const group = {
    suffix: 'filter',
    resources,
    ...traits,
    ...aggregates,
    inTree: inTree === undefined ? undefined : canonicalUuid(inTree),
  };
  return { group, problems };
}

/** UUIDs of the providers that match. @throws {ApiError} 400 */
export async function matchingProviders(service: Service, request: Request): Promise<readonly string[]> {
  checkNames(request);
  const { group, problems } = filterOf(request);
  const problem = problems.problems[0];
  if (problem) throw new ApiError(400, problems.problems.map((one) => one.problem).join('\n'), problem.code);
  await requireNames(service, [group]);
  const name = parameter(request, 'name');
  const uuid = parameter(request, 'uuid');
  const forest = await service.forest.fresh();
  const [slot] = slotsOf({ groups: [group] }, forest);
  const isWanted = (provider: Provider): boolean =>
    (name === undefined || provider.name === name) &&
    (uuid === undefined || provider.uuid === canonicalUuid(uuid)) &&
    dropStep(provider, provider.root, slot!, service.stepMode) === undefined;
  return forest.roots.flatMap((root) =>
    forest
      .treeOf(root)
      .filter(isWanted)
      .map((provider) => provider.uuid),
  );
}
