/** POST /reshaper: inventories and the allocations on them change their providers in one step. */
import { setInventories } from '../../../claims/changes/inventory-changes.ts';
import type { ProviderRefusal, ProviderTarget } from '../../../claims/changes/provider-write.ts';
import { replaceAllocations } from '../../../claims/claim/replace-allocations.ts';
import type { Inventory } from '../../../claims/model/inventory.ts';
import { keptName } from '../../../claims/model/names.ts';
import type { Outcome } from '../../../claims/model/refusal.ts';
import type { ChangeContext } from '../../../claims/tables/history.ts';
import { holdGeneration, providerByUuid } from '../../../claims/tables/providers.ts';
import { ApiError, badRequest } from '../../../http/api-error.ts';
import type { FormOf } from '../../../http/json-check.ts';
import type { Reply } from '../../../http/route.ts';
import type { Session } from '../../../store/store.ts';
import { keyed, record, UUID_KEY_PATTERN } from '../protocol/forms.ts';
import { concurrentUpdate, PROVIDER_MOVED_ON } from '../service/faults.ts';
import { type Call, type CallWith, changeBy, made, operation, type Routes } from '../service/service.ts';
import { claimsOf, consumersForm, refusalAnswer, refuseTwins } from './allocation-body.ts';
import { INVENTORY_IN_USE, inventoriesIn, PUT_INVENTORIES } from './inventories.ts';

const postReshaper = (minor: number) =>
  record({ inventories: keyed(UUID_KEY_PATTERN, PUT_INVENTORIES, 1), allocations: consumersForm(minor) }, [
    'inventories',
    'allocations',
  ]);

interface Shape {
  readonly id: number;
  readonly provider: string;
  readonly generation: number;
  readonly wanted: ReadonlyMap<string, Inventory>;
}

const shapesOf = (
  { read, minor }: Call,
  { inventories }: FormOf<typeof postReshaper>,
): Promise<readonly Shape[]> =>
  read(async (session) => {
    refuseTwins('provider', Object.keys(inventories));
    const shapes: Shape[] = [];
    for (const [key, body] of Object.entries(inventories)) {
      const view = await providerByUuid(session, keptName(key));
      if (!view)
        throw badRequest(
          `Resource provider ${key} in inventories not found: No resource provider with uuid ${key} found`,
          { code: 'placement.resource_provider.not_found' },
        );
      const { id, uuid, generation } = view;
      const given = body.resource_provider_generation;
      if (generation !== given)
        throw concurrentUpdate(
          `resource provider generation conflict for provider ${uuid}: actual: ${generation}, given: ${given}`,
        );
      shapes.push({ id, provider: uuid, generation, wanted: inventoriesIn(body, uuid, minor) });
    }
    return shapes;
  });

/** Whether a provider that is to have nothing has not moved on since it was looked at. */
async function held(
  session: Session,
  { id, provider, generation: expected }: Shape,
): Promise<Outcome<unknown, never>> {
  if (await holdGeneration(session, id, expected)) return { kind: 'done', value: {} };
  const found = (await providerByUuid(session, provider))?.generation ?? null;
  return { kind: 'conflict', conflict: { kind: 'provider-generation', provider, expected, found } };
}

/** A step of the change, refused with the answer to it. */
const answered = async <Why>(
  step: Promise<Outcome<unknown, Why>>,
  answer: (refusals: readonly Why[]) => ApiError | Promise<ApiError>,
): Promise<Outcome<unknown, ApiError>> => {
  const outcome = await step;
  return outcome.kind === 'refused'
    ? { kind: 'refused', refusals: [await answer(outcome.refusals)] }
    : outcome;
};

const MALFORMED = 'malformed reshaper data:';

function inventoryAnswer([refusal]: readonly ProviderRefusal[]): ApiError {
  if (refusal?.kind === 'unknown-class')
    return badRequest(`${MALFORMED} No such resource class ${refusal.class}.`);
  if (refusal?.kind !== 'in-use') return concurrentUpdate(`update conflict: ${PROVIDER_MOVED_ON}`);
  const what = `'${refusal.classes.join(', ')}' on resource provider '${refusal.provider}'`;
  return new ApiError(409, `update conflict: Inventory for ${what} in use.`, INVENTORY_IN_USE);
}

async function reshape(call: CallWith<typeof postReshaper>): Promise<Reply> {
  const body = call.json();
  const shapes = await shapesOf(call, body);
  const consumers = claimsOf(body.allocations, call);
  const wish = { consumers, stepMode: call.stepMode, action: 'reshape', raises: 'claimed' } as const;
  /** Old and new inventories side by side, then the allocations, then the old ones go. */
  async function move(session: Session, context: ChangeContext): Promise<Outcome<unknown, ApiError>> {
    const set = ({ wanted }: Shape, target: ProviderTarget, others: 'kept' | 'removed') =>
      answered(setInventories(session, context, target, wanted, others), inventoryAnswer);
    for (const shape of shapes) {
      const added = shape.wanted.size === 0 ? await held(session, shape) : await set(shape, shape, 'kept');
      if (added.kind !== 'done') return added;
    }
    const claimed = await answered(replaceAllocations(session, wish, context), (refusals) =>
      refusalAnswer(session, refusals, MALFORMED),
    );
    if (claimed.kind !== 'done') return claimed;
    for (const shape of shapes) {
      const settled = await set(shape, { provider: shape.provider }, 'removed');
      if (settled.kind !== 'done') return settled;
    }
    return { kind: 'done', value: {} };
  }
  await made(changeBy(call, move), { conflict: 'update conflict', refused: ([answer]) => answer! });
  return { status: 204 };
}

export const RESHAPER_ROUTES: Routes = {
  '/reshaper': {
    POST: operation(
      'reshape',
      'Move inventories with their allocations between providers, all or nothing',
      reshape,
      { since: 30, bodySchema: postReshaper, success: 204 },
    ),
  },
};
