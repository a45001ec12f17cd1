/** Allocations as bodies have them, and as claims; and what a refused claim is answered. */
import { MS_PER_S } from '../../../../kit/units.ts';
import type { ConsumerClaim } from '../../../claims/claim/claim-request.ts';
import { keptName, UNKNOWN_OWNER } from '../../../claims/model/names.ts';
import type { ClaimRefusal } from '../../../claims/model/refusal.ts';
import { nameView } from '../../../claims/tables/names.ts';
import { ApiError, badBody, badRequest } from '../../../http/api-error.ts';
import type { FormOf, JsonSchema } from '../../../http/json-check.ts';
import type { Session } from '../../../store/store.ts';
import {
  CLASS_PATTERN,
  INTEGER,
  keyed,
  MOST_SECONDS,
  NAME,
  record,
  UUID,
  UUID_KEY_PATTERN,
} from '../protocol/forms.ts';
import type { Call } from '../service/service.ts';

/** Ours: allocations that end by themselves unless somebody confirms them. */
export const ENDS_SINCE = 41;

const AMOUNT: JsonSchema<number> = { type: 'integer', minimum: 1 };
const RESOURCES = keyed(CLASS_PATTERN, AMOUNT, 1);
const OWNER = { project_id: NAME, user_id: NAME };
const BY_PROVIDER = record({ generation: INTEGER, resources: RESOURCES }, ['resources']);
const GENERATION: JsonSchema<number | null> = { type: ['integer', 'null'] };
export const SECONDS: JsonSchema<number> = { type: 'integer', minimum: 1, maximum: MOST_SECONDS };
/** Which providers serve which group of the query. */
const MAPPINGS: JsonSchema = {
  type: 'object',
  minProperties: 1,
  patternProperties: { '[a-zA-Z0-9_-]{1,64}': { type: 'array', minItems: 1, items: UUID } },
};

const LISTED = record({ resource_provider: record({ uuid: UUID }, ['uuid']), resources: RESOURCES }, [
  'resource_provider',
  'resources',
]);
/** Up to 1.11 allocations are a list; up to 1.7 without an owner. */
const LIST: JsonSchema<readonly FormOf<typeof LISTED>[]> = { type: 'array', minItems: 1, items: LISTED };
const PUT_0 = record({ allocations: LIST }, ['allocations']);
const PUT_8 = record({ allocations: LIST, ...OWNER }, ['allocations', 'project_id', 'user_id']);

/** One consumer from 1.12 on. @param least how many providers there must be */
const consumerForm = (minor: number, least: number) =>
  record(
    {
      allocations: keyed(UUID_KEY_PATTERN, BY_PROVIDER, least),
      ...OWNER,
      ...(minor >= 28 ? { consumer_generation: GENERATION } : {}),
      ...(minor >= 34 ? { mappings: MAPPINGS } : {}),
      ...(minor >= 38 ? { consumer_type: { ...NAME, pattern: CLASS_PATTERN } } : {}),
      ...(minor >= ENDS_SINCE ? { lasts_seconds: SECONDS } : {}),
    },
    [
      'allocations',
      'project_id',
      'user_id',
      ...(minor >= 28 ? ['consumer_generation' as const] : []),
      ...(minor >= 38 ? ['consumer_type' as const] : []),
    ],
  );

export const consumersForm = (minor: number, least = 0) =>
  keyed(UUID_KEY_PATTERN, consumerForm(minor, 0), least);

export function putAllocations(minor: number) {
  if (minor < 8) return PUT_0;
  return minor < 12 ? PUT_8 : consumerForm(minor, minor >= 28 ? 0 : 1);
}

type ByVersion = FormOf<typeof putAllocations>['allocations'];
type ConsumerBody = Partial<Omit<FormOf<ReturnType<typeof consumerForm>>, 'allocations'>> & {
  readonly allocations: ByVersion;
};

const isList = (allocations: ByVersion): allocations is FormOf<typeof LIST> => Array.isArray(allocations);

/** @param of whom they are @throws {ApiError} 400 where two keys of a body mean one */
export function refuseTwins(of: string, keys: readonly string[]): void {
  if (new Set(keys.map(keptName)).size < keys.length)
    throw badBody(`one ${of} is named twice, in different spellings`);
}

/** When what is asked for at `now` for so many seconds goes back. */
export const endAfter = (now: number, seconds: number): number => now + seconds * MS_PER_S;

/** Before 1.28 no generation is compared, before 1.38 the kind of the consumer stays as it is. */
export function claimOf(consumer: string, body: ConsumerBody, { minor, ledger }: Call): ConsumerClaim {
  const { allocations, project_id, user_id, consumer_type, consumer_generation, lasts_seconds } = body;
  const byProvider: Readonly<Record<string, { readonly resources: FormOf<typeof RESOURCES> }>> = isList(
    allocations,
  )
    ? // Up to 1.11 the last entry of a provider counts.
      Object.fromEntries(allocations.map((item) => [item.resource_provider.uuid, item]))
    : allocations;
  refuseTwins('provider', Object.keys(byProvider));
  return {
    consumer,
    allocations: Object.entries(byProvider).flatMap(([provider, { resources }]) =>
      Object.entries(resources).map(([name, amount]) => ({
        provider: keptName(provider),
        class: name,
        amount,
      })),
    ),
    project: project_id ?? UNKNOWN_OWNER,
    user: user_id ?? UNKNOWN_OWNER,
    ...(minor >= 38 ? { type: consumer_type } : {}),
    ...(minor >= 28 ? { generation: consumer_generation } : {}),
    ...(lasts_seconds === undefined ? {} : { expiresAt: endAfter(ledger.now(), lasts_seconds) }),
  };
}

export function claimsOf(bodies: Readonly<Record<string, ConsumerBody>>, call: Call): ConsumerClaim[] {
  refuseTwins('consumer', Object.keys(bodies));
  return Object.entries(bodies).map(([consumer, body]) => claimOf(keptName(consumer), body, call));
}

/** @param failed what could not be done, where a class is unknown */
export async function refusalAnswer(
  session: Session,
  refusals: readonly ClaimRefusal[],
  failed: string,
): Promise<ApiError> {
  const details: string[] = [];
  for (const refusal of refusals) {
    if (refusal.kind === 'unknown-provider')
      return badRequest(`Allocation for resource provider '${refusal.provider}' that does not exist.`);
    const place = `'${refusal.class}' on resource provider '${refusal.provider}'`;
    if (refusal.kind === 'no-inventory') {
      if (!(await nameView(session, 'resource_classes', refusal.class)))
        return badRequest(`${failed} No such resource class ${refusal.class}.`);
      details.push(`Inventory for ${place} invalid.`);
      continue;
    }
    const why =
      refusal.kind === 'unit'
        ? `violate inventory constraints. (${refusal.rule} is ${refusal.limit}, asked were ${refusal.amount})`
        : `exceed the capacity. (${refusal.used} of ${refusal.capacity} are used, ${refusal.asked} more were asked)`;
    details.push(`Unable to create allocation for ${place}. The requested amount would ${why}`);
  }
  return new ApiError(409, `Unable to allocate inventory: ${details.join(' ')}`);
}

export const CLAIM_CONFLICT = 'Inventory and/or allocations changed while attempting to allocate';
