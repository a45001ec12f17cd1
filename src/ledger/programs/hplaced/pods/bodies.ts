/** Bodies of requests about pods and bindings, and what all their answers have in common. */
import { byKind } from '../../../../kit/kinds.ts';
import type { BookRefusal, Outcome } from '../../../binding/book/book.ts';
import { filterNames, weigherNames } from '../../../binding/choice/names.ts';
import { type Limits, USUAL_LIMITS } from '../../../binding/model/limits.ts';
import { type Usage, usageProblems } from '../../../binding/model/usage.ts';
import { ApiError } from '../../../http/api-error.ts';
import { type JsonSchema, schemaFaults } from '../../../http/json-check.ts';
import { NAME, record } from '../schemas/common.ts';

const ZONE: JsonSchema = { ...NAME, minLength: 0 };
const FLAG: JsonSchema = { type: 'boolean' };
const AMOUNT: JsonSchema = { type: 'number', minimum: 0 };
const SHARE: JsonSchema = { type: 'number', minimum: 0, maximum: 1 };
const FIGURE: JsonSchema = { type: ['number', 'null'] };
const PAIRS: JsonSchema = { type: 'object', propertyNames: NAME, additionalProperties: NAME };
const AMOUNTS: JsonSchema = { type: 'object', propertyNames: NAME, additionalProperties: AMOUNT };

const LIMITS = record(
  {
    metrics: {
      type: 'object',
      propertyNames: NAME,
      additionalProperties: {
        anyOf: [
          record({ share: { ...SHARE, exclusiveMinimum: 0 } }, ['share']),
          record({ free: AMOUNT }, ['free']),
        ],
      },
    },
    reopen: { anyOf: [SHARE, { type: 'null' }] },
  },
  [],
);

const POD_FIELDS = {
  az: ZONE,
  affinity: PAIRS,
  weight: FIGURE,
  cost: FIGURE,
  state: { type: 'string', pattern: '^(open|closed)$' },
  limits: LIMITS,
};

export const POST_POD = record({ name: NAME, ...POD_FIELDS }, ['name']);
export const PUT_POD: JsonSchema = { ...record(POD_FIELDS, []), minProperties: 1 };
/** The usage itself is looked at by `checkedUsage`. */
export const PUT_USAGE = record({ usage: { type: ['object', 'null'] } }, ['usage']);
export const PUT_MAINTENANCE = record({ maintenance: FLAG, rebind: FLAG, return: FLAG }, ['maintenance']);

const POLICY_FIELDS = {
  filters: {
    type: 'array',
    uniqueItems: true,
    items: { type: 'string', pattern: `^(${filterNames.join('|')})$` },
  },
  weighers: {
    type: 'object',
    propertyNames: { pattern: `^(${weigherNames.join('|')})$` },
    additionalProperties: { type: 'number' },
  },
};
export const PUT_POLICY: JsonSchema = { ...record(POLICY_FIELDS, []), minProperties: 1 };

const ASK = { az: ZONE, specs: PAIRS };
/** A hundred years. */
const MOST_SECONDS = 100 * 365 * 86_400;
const SECONDS: JsonSchema = { type: 'number', exclusiveMinimum: 0, maximum: MOST_SECONDS };

export const POST_BINDING = record(
  {
    tenant: NAME,
    ...ASK,
    need: AMOUNTS,
    policy: record(POLICY_FIELDS, []),
    lastsSeconds: SECONDS,
    explain: FLAG,
    dryRun: FLAG,
  },
  ['tenant'],
);
export const PUT_BINDING = record({ tenant: NAME, pod: NAME, ...ASK, lastsSeconds: SECONDS }, [
  'tenant',
  'pod',
]);
export const POST_REBIND = record(
  { tenants: { type: 'array', items: NAME, minItems: 1 }, pod: NAME, dryRun: FLAG },
  [],
);
export const POST_SIMULATE = record({ events: { type: 'array' }, policy: record(POLICY_FIELDS, []) }, [
  'events',
]);

/** @throws {ApiError} 400 with all faults */
export function checkedUsage(value: unknown): Usage | null {
  const problems = usageProblems(value, 'usage');
  if (problems.length === 0) return value as Usage | null;
  const words = problems.map(({ field, value: found, problem }) => `${field}, '${found}': ${problem}`);
  throw new ApiError(400, `JSON does not validate: ${words.join('\n\n')}`);
}

/** The limits with what the body says of them; metrics that it does not name stay as they are. */
export const limitsWith = (
  before: Limits = USUAL_LIMITS,
  { metrics = {}, reopen = before.reopen }: Partial<Limits>,
): Limits => ({ metrics: { ...before.metrics, ...metrics }, reopen });

/** @throws {ApiError} 400 */
export function checkedName(what: string, value: string | undefined): string {
  const faults = value === undefined ? [`'${what}' is a required property`] : schemaFaults(value, NAME);
  if (faults.length > 0) throw new ApiError(400, `Invalid query string parameters: ${faults.join('\n\n')}`);
  return value!;
}

const words = byKind<BookRefusal, string>({
  'unknown-pod': ({ pod }) => `No pod ${pod} found`,
  'name-taken': ({ pod }) => `There is a pod ${pod} already`,
  'ever-bound': ({ pod }) => `Tenants are or were bound to ${pod}: close it in place of removing it`,
  'not-in-maintenance': ({ pod, state }) => `${pod} is not under maintenance, but ${state}`,
  'does-not-suit': ({ pod, why }) => `${pod} ${why}: no such request would find the tenant there`,
});

/** The value of an outcome. @throws {ApiError} where there is none */
export function settled<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind === 'done') return outcome.value;
  const [first] = outcome.refusals;
  throw new ApiError(first!.kind === 'unknown-pod' ? 404 : 409, outcome.refusals.map(words).join('; '));
}
