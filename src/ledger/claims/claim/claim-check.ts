/** Whether a claim may be granted, all reasons against it at once. Pure: reads a view and changes nothing. */
import { type End, endsOfClaim, joinedEnds } from '../model/ends.ts';
import { brokenUnitRule, capacityOf, hasRoom, type StepMode } from '../model/inventory.ts';
import type { ClaimConflict, ClaimRefusal } from '../model/refusal.ts';
import type { Held, StoredConsumer } from '../tables/consumers.ts';
import type { UsedInventory } from '../tables/inventories.ts';
import type { ClaimRequest, ConsumerClaim } from './claim-request.ts';
import type { ClaimView, ViewedProvider } from './claim-view.ts';

/** The generation that a caller stated and that is not the consumer's. */
export function staleConsumer(request: ClaimRequest, view: ClaimView): ClaimConflict | undefined {
  for (const { consumer, generation } of request.consumers) {
    const found = view.consumers.get(consumer)?.generation ?? null;
    if (generation !== undefined && generation !== found)
      return { kind: 'consumer-generation', consumer, expected: generation, found };
  }
  return undefined;
}

interface Wanted {
  readonly provider: ViewedProvider;
  readonly inventory: UsedInventory;
  readonly amount: number;
  readonly ends: readonly End[];
}

const keyOf = (providerId: number, classId: number): string => `${providerId}/${classId}`;

const placeOf = ({ uuid, name }: ViewedProvider, className: string) => ({
  provider: uuid,
  providerName: name,
  class: className,
});

/** Adds up a consumer's groups; what cannot be found is refused. */
function wantedOf(claim: ConsumerClaim, view: ClaimView, refusals: ClaimRefusal[]): readonly Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { provider: uuid, class: className, amount, expiresAt } of claim.allocations) {
    const provider = view.providers.get(uuid);
    const inventory = provider?.inventories.get(className);
    if (provider === undefined) refusals.push({ kind: 'unknown-provider', provider: uuid });
    else if (inventory === undefined)
      refusals.push({ kind: 'no-inventory', ...placeOf(provider, className) });
    else {
      const key = keyOf(provider.id, inventory.classId);
      const before = wanted.get(key) ?? { amount: 0, ends: [] };
      const ends = expiresAt === undefined ? [] : [{ at: expiresAt, amount }];
      const sum = { amount: amount + before.amount, ends: [...before.ends, ...ends] };
      wanted.set(key, { provider, inventory, ...sum });
    }
  }
  return [...wanted.values()].sort(
    (a, b) => a.provider.id - b.provider.id || a.inventory.classId - b.inventory.classId,
  );
}

/** What the request's consumers hold now, by provider and class. */
function heldBefore(request: ClaimRequest, view: ClaimView): ReadonlyMap<string, number> {
  const before = new Map<string, number>();
  for (const { consumer } of request.consumers)
    for (const { providerId, classId, used } of view.consumers.get(consumer)?.held ?? []) {
      const key = keyOf(providerId, classId);
      before.set(key, used + (before.get(key) ?? 0));
    }
  return before;
}

/** Checks units by consumer, and room for all together. @returns also what each gets, summed, in order */
export function checkClaim(request: ClaimRequest, view: ClaimView) {
  const { isChecked = true } = request;
  const refusals: ClaimRefusal[] = [];
  const wantedByConsumer = request.consumers.map((claim) => wantedOf(claim, view, refusals));
  const after = new Map<string, Wanted>();
  request.consumers.forEach((claim, i) => {
    const { consumer } = claim;
    for (const wanted of wantedByConsumer[i]!) {
      const { provider, inventory, amount } = wanted;
      const broken = isChecked ? brokenUnitRule(inventory, amount, request.stepMode) : undefined;
      if (broken !== undefined && !isOutsideAlready(wanted, claim, view, request.stepMode)) {
        const { rule, limit } = broken;
        refusals.push({ kind: 'unit', consumer, rule, amount, limit, ...placeOf(provider, inventory.class) });
      }
      const key = keyOf(provider.id, inventory.classId);
      after.set(key, { ...wanted, amount: amount + (after.get(key)?.amount ?? 0) });
    }
  });
  const before = heldBefore(request, view);
  if (isChecked)
    for (const [key, { provider, inventory, amount }] of after) {
      const asked = amount - (before.get(key) ?? 0);
      const { used, reserved } = inventory;
      if (hasRoom(inventory, used, used + asked)) continue;
      const capacity = capacityOf(inventory);
      const lacking = asked - (capacity - used);
      const where = placeOf(provider, inventory.class);
      refusals.push({ kind: 'capacity', ...where, asked, used, capacity, reserved, lacking, holders: [] });
    }
  const held = request.consumers.map((claim, i) =>
    wantedByConsumer[i]!.map((wanted) => heldOf(wanted, claim, view.consumers.get(claim.consumer))),
  );
  return { held, refusals };
}

/** Whether a move finds the amount outside of the units where it is: then it may stay so where it goes. */
const isOutsideAlready = (
  { inventory, amount }: Wanted,
  { consumer, movingFrom }: ConsumerClaim,
  { consumers, providers }: ClaimView,
  mode: StepMode,
): boolean =>
  movingFrom !== undefined &&
  consumers.get(consumer)!.held.some(({ provider, class: name, used }) => {
    const own = providers.get(provider)!.inventories.get(name)!;
    return name === inventory.class && used === amount && brokenUnitRule(own, used, mode) !== undefined;
  });

function heldOf(
  { provider, inventory, amount, ends }: Wanted,
  { expiresAt }: ConsumerClaim,
  before: StoredConsumer | undefined,
): Held {
  const { id: providerId } = provider;
  const { classId, class: className } = inventory;
  const had = before?.held.find((one) => one.providerId === providerId && one.classId === classId);
  return {
    providerId,
    classId,
    class: className,
    used: amount,
    ends: expiresAt === undefined ? joinedEnds(ends) : endsOfClaim(amount, had, expiresAt),
  };
}
