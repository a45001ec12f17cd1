/** Forms of bodies about pods and bindings, and what their answers have in common. */
import { byKind } from '../../../../kit/kinds.ts';
import type { BookRefusal, Outcome } from '../../../binding/book/book.ts';
import { filterNames } from '../../../binding/filters/filters.ts';
import type { Policy } from '../../../binding/model/pod.ts';
import { MOST } from '../../../binding/model/usage.ts';
import { weigherNames } from '../../../binding/weighers/weighers.ts';
import { ApiError, badQuery } from '../../../http/api-error.ts';
import { type JsonSchema, schemaFaults } from '../../../http/json-check.ts';
import { parameter } from '../../../http/query-string.ts';
import type { Reply } from '../../../http/route.ts';
import { MOST_SECONDS, NAME, record } from '../protocol/forms.ts';
import { type Call, operation, type Particulars } from '../service/service.ts';

export const ZONE: JsonSchema<string> = { ...NAME, minLength: 0 };
export const AMOUNT: JsonSchema<number> = { type: 'number', minimum: 0, maximum: MOST };
export const SIGNED: JsonSchema<number> = { ...AMOUNT, minimum: -MOST };
export const SECONDS: JsonSchema<number> = { type: 'number', exclusiveMinimum: 0, maximum: MOST_SECONDS };

/** An object whose members may have any names. */
export const named = <T>(
  value: JsonSchema<T>,
  names: JsonSchema = NAME,
): JsonSchema<Readonly<Record<string, T>>> => ({
  type: 'object',
  propertyNames: names,
  additionalProperties: value,
});

const FILTERS: JsonSchema<Policy['filters']> = {
  type: 'array',
  uniqueItems: true,
  items: { type: 'string', pattern: `^(${filterNames.join('|')})$` },
};
export const POLICY = record({
  filters: FILTERS,
  weighers: named(SIGNED, { pattern: `^(${weigherNames.join('|')})$` }),
});

/** Of these something has to be said. */
export const some = <T>(schema: JsonSchema<T>): JsonSchema<T> => ({ ...schema, minProperties: 1 });

/** An operation that takes a body, and gives what became of it. */
export const change = <Body>(
  id: string,
  summary: string,
  bodySchema: JsonSchema<Body>,
  handle: (call: Call<Body>) => Promise<Reply>,
  more: Particulars<Body> = {},
) => operation(id, summary, handle, { givesJson: true, bodySchema, ...more });

/** The tenant that a query is about. @throws {ApiError} 400 */
export function tenantOf(call: Call): string {
  const tenant = parameter(call, 'tenant');
  const faults = tenant === undefined ? [`'tenant' is a required property`] : schemaFaults(tenant, NAME);
  if (faults.length > 0) throw badQuery(faults.join('\n\n'));
  return tenant!;
}

const words = byKind<BookRefusal, string>({
  'unknown-pod': ({ pod }) => `No pod ${pod} found`,
  'name-taken': ({ pod }) => `There is a pod ${pod} already`,
  'ever-bound': ({ pod }) => `Tenants are or were bound to ${pod}: close it in place of removing it`,
  closed: ({ pod }) => `${pod} is closed, and takes no requests`,
  'not-in-maintenance': ({ pod, state }) => `${pod} is not under maintenance, but ${state}`,
  'does-not-suit': ({ pod, why }) => `${pod} ${why}: no such request would find the tenant there`,
});

/** The value of an outcome. @throws {ApiError} where there is none */
export async function settled<Value>(settling: Promise<Outcome<Value>>): Promise<Value> {
  const outcome = await settling;
  if (outcome.kind === 'done') return outcome.value;
  const [first] = outcome.refusals;
  throw new ApiError(first!.kind === 'unknown-pod' ? 404 : 409, outcome.refusals.map(words).join('; '));
}
