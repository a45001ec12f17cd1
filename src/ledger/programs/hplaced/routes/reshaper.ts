/** POST /reshaper: inventories and the allocations on them change their providers in one step. */
import { setInventories } from '../../../claims/changes/inventory-changes.ts';
import type { ProviderRefusal } from '../../../claims/changes/provider-write.ts';
import { change } from '../../../claims/claim/ledger.ts';
import { replaceAllocations } from '../../../claims/claim/replace-allocations.ts';
import type { Inventory } from '../../../claims/model/inventory.ts';
import type { ClaimRefusal, Outcome } from '../../../claims/model/refusal.ts';
import { providerView } from '../../../claims/placement/provider-views.ts';
import { ApiError } from '../../../http/api-error.ts';
import { readJson } from '../../../http/json-check.ts';
import type { Reply, Request } from '../../../http/route.ts';
import {
  type ConsumerBody,
  claimConflict,
  claimOf,
  refusalAnswer,
  uuidKey,
} from '../bodies/allocation-body.ts';
import { type InventoryBody, inventoryOf } from '../bodies/inventory-body.ts';
import { concurrentUpdate } from '../protocol/placement.ts';
import { postReshaper } from '../schemas/allocations.ts';
import { authorOf, conflictAnswer, type Routes, type Service } from '../service/service.ts';

interface ReshaperBody {
  readonly inventories: Readonly<
    Record<
      string,
      {
        readonly resource_provider_generation: number;
        readonly inventories: Readonly<Record<string, InventoryBody>>;
      }
    >
  >;
  readonly allocations: Readonly<Record<string, ConsumerBody>>;
}

interface Shape {
  readonly provider: string;
  readonly generation: number;
  readonly wanted: ReadonlyMap<string, Inventory>;
}

/** @throws {ApiError} when a provider is unknown, or has moved on */
async function shapesOf({ ledger }: Service, body: ReshaperBody): Promise<readonly Shape[]> {
  return ledger.store.read(async (session) => {
    const shapes: Shape[] = [];
    for (const [key, { resource_provider_generation: given, inventories }] of Object.entries(
      body.inventories,
    )) {
      const view = await providerView(session, uuidKey(key));
      if (!view)
        throw new ApiError(
          400,
          `Resource provider ${key} in inventories not found: No resource provider with uuid ${key} found`,
          { code: 'placement.resource_provider.not_found' },
        );
      if (view.generation !== given)
        throw concurrentUpdate(
          `resource provider generation conflict for provider ${view.uuid}: actual: ${view.generation}, given: ${given}`,
        );
      const wanted = Object.entries(inventories).map(
        ([name, inventory]) => [name, inventoryOf(name, inventory, view.uuid)] as const,
      );
      shapes.push({ provider: view.uuid, generation: view.generation, wanted: new Map(wanted) });
    }
    return shapes;
  });
}

type Refusal =
  | { readonly of: 'inventory'; readonly refusal: ProviderRefusal }
  | { readonly of: 'claim'; readonly refusal: ClaimRefusal };

const tagged = <Of extends string, Why>(of: Of, outcome: Outcome<unknown, Why>) =>
  outcome.kind === 'refused'
    ? { kind: outcome.kind, refusals: outcome.refusals.map((refusal) => ({ of, refusal })) }
    : outcome;

async function reshape(service: Service, request: Request): Promise<Reply> {
  const body = readJson<ReshaperBody>(request.body, postReshaper(request.minor));
  const shapes = await shapesOf(service, body);
  const consumers = Object.entries(body.allocations).map(([consumer, one]) =>
    claimOf(uuidKey(consumer), one, request.minor, service.ledger.now()),
  );
  const outcome = await change<object, Refusal>(
    service.ledger,
    authorOf(request),
    async (session, context) => {
      // Old and new inventories side by side, then the allocations, then the old ones go.
      for (const { provider, generation, wanted } of shapes) {
        if (wanted.size === 0) continue;
        const target = { provider, generation };
        const added = tagged('inventory', await setInventories(session, context, target, wanted, 'kept'));
        if (added.kind !== 'done') return added;
      }
      const wanted = { consumers, stepMode: service.stepMode, action: 'reshape', raises: 'claimed' } as const;
      const claimed = tagged('claim', await replaceAllocations(session, wanted, context));
      if (claimed.kind !== 'done') return claimed;
      for (const { provider, wanted } of shapes) {
        const target = { provider };
        const settled = tagged(
          'inventory',
          await setInventories(session, context, target, wanted, 'removed'),
        );
        if (settled.kind !== 'done') return settled;
      }
      return { kind: 'done', value: {} };
    },
  );
  if (outcome.kind === 'done') return { status: 204 };
  if (outcome.kind === 'conflict')
    throw outcome.conflict.kind === 'consumer-generation'
      ? claimConflict(outcome.conflict)
      : conflictAnswer(outcome.conflict, 'update conflict: resource provider generation conflict');
  throw await refused(service, outcome.refusals);
}

async function refused({ ledger }: Service, refusals: readonly Refusal[]): Promise<ApiError> {
  for (const { of, refusal } of refusals) {
    if (of !== 'inventory') continue;
    if (refusal.kind === 'unknown-class')
      return new ApiError(400, `malformed reshaper data: No such resource class ${refusal.class}.`);
    if (refusal.kind === 'in-use')
      return new ApiError(
        409,
        `update conflict: Inventory for '${refusal.classes.join(', ')}' on resource provider '${refusal.provider}' in use.`,
        { code: 'placement.inventory.inuse' },
      );
    return concurrentUpdate('update conflict: a provider is gone');
  }
  const claims = refusals.flatMap((one) => (one.of === 'claim' ? [one.refusal] : []));
  return ledger.store.read((session) => refusalAnswer(session, claims, ''));
}

export const RESHAPER_ROUTES: Routes = {
  'POST /reshaper': {
    id: 'reshape',
    summary: 'Move inventories with their allocations between providers, all or nothing',
    since: 30,
    bodySchema: postReshaper,
    success: 204,
    handle: reshape,
  },
};
