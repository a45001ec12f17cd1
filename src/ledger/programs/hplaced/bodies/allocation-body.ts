/** Allocations as bodies have them, and as claims; and what a refused claim is answered. */
import { canonicalUuid } from '../../../candidates/request/values.ts';
import type { ConsumerClaim } from '../../../claims/claim/claim-request.ts';
import { UNKNOWN_OWNER } from '../../../claims/model/names.ts';
import type { ClaimConflict, ClaimRefusal } from '../../../claims/model/refusal.ts';
import { nameView } from '../../../claims/placement/name-views.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Session } from '../../../store/store.ts';
import { concurrentUpdate } from '../protocol/placement.ts';
import { conflictAnswer } from '../service/service.ts';

type Resources = Readonly<Record<string, number>>;

export interface ConsumerBody {
  readonly allocations:
    | Readonly<Record<string, { readonly resources: Resources }>>
    | readonly { readonly resource_provider: { readonly uuid: string }; readonly resources: Resources }[];
  readonly project_id?: string;
  readonly user_id?: string;
  readonly consumer_generation?: number | null;
  readonly consumer_type?: string;
  readonly lasts_seconds?: number;
}

const isList = (
  allocations: ConsumerBody['allocations'],
): allocations is Extract<ConsumerBody['allocations'], readonly unknown[]> => Array.isArray(allocations);

/** Uuids in paths and keys may be written in several ways; they are kept in one. */
export const uuidKey = (text: string): string =>
  /^[0-9a-f-]{32,36}$/i.test(text) && text.replaceAll('-', '').length === 32 ? canonicalUuid(text) : text;

const MS_PER_SECOND = 1000;

/** When what is asked for at `now` for so many seconds goes back. */
export const endAfter = (now: number, seconds: number): number => now + seconds * MS_PER_SECOND;

/**
 * @param minor before 1.28 no generation is compared, before 1.38 the kind of the consumer stays as it is
 * @param now milliseconds since 1970
 */
export function claimOf(consumer: string, body: ConsumerBody, minor: number, now: number): ConsumerClaim {
  const byProvider = isList(body.allocations)
    ? // Up to 1.11 the last entry of a provider counts.
      Object.fromEntries(body.allocations.map((item) => [item.resource_provider.uuid, item]))
    : body.allocations;
  return {
    consumer,
    allocations: Object.entries(byProvider).flatMap(([provider, { resources }]) =>
      Object.entries(resources).map(([name, amount]) => ({
        provider: uuidKey(provider),
        class: name,
        amount,
      })),
    ),
    project: body.project_id ?? UNKNOWN_OWNER,
    user: body.user_id ?? UNKNOWN_OWNER,
    ...(minor >= 38 ? { type: body.consumer_type } : {}),
    ...(minor >= 28 ? { generation: body.consumer_generation } : {}),
    ...(body.lasts_seconds === undefined ? {} : { expiresAt: endAfter(now, body.lasts_seconds) }),
  };
}

/** @param forConsumer ` for consumer UUID`, or nothing */
export async function refusalAnswer(
  session: Session,
  refusals: readonly ClaimRefusal[],
  forConsumer: string,
): Promise<ApiError> {
  const details: string[] = [];
  for (const refusal of refusals) {
    switch (refusal.kind) {
      case 'unknown-provider':
        return new ApiError(
          400,
          `Allocation for resource provider '${refusal.provider}' that does not exist.`,
        );
      case 'unknown-class':
        return unknownClass(refusal.class, forConsumer);
      case 'no-inventory':
        if (!(await nameView(session, 'resource_classes', refusal.class)))
          return unknownClass(refusal.class, forConsumer);
        details.push(`Inventory for '${refusal.class}' on resource provider '${refusal.provider}' invalid.`);
        break;
      case 'unit':
        details.push(
          `Unable to create allocation for '${refusal.class}' on resource provider '${refusal.provider}'. The requested amount would violate inventory constraints. (${refusal.rule} is ${refusal.limit}, asked were ${refusal.amount})`,
        );
        break;
      case 'capacity':
        details.push(
          `Unable to create allocation for '${refusal.class}' on resource provider '${refusal.provider}'. The requested amount would exceed the capacity. (${refusal.used} of ${refusal.capacity} are used, ${refusal.asked} more were asked)`,
        );
    }
  }
  return new ApiError(409, `Unable to allocate inventory: ${details.join(' ')}`);
}

const unknownClass = (name: string, forConsumer: string): ApiError =>
  new ApiError(400, `Unable to allocate inventory${forConsumer}: No such resource class ${name}.`);

export function claimConflict(conflict: ClaimConflict): ApiError {
  if (conflict.kind === 'provider-generation')
    return concurrentUpdate(
      `resource provider generation conflict for provider ${conflict.provider}: actual: ${conflict.found}, given: ${conflict.expected}`,
    );
  return conflictAnswer(conflict, 'Inventory and/or allocations changed while attempting to allocate');
}
