/** A query as slots of one provider each: a suffixed group is a slot, the unsuffixed one a slot a class. */
import { kept } from '../../../kit/kept.ts';
import { brokenUnitRule, type StepMode } from '../../claims/model/inventory.ts';
import type { Forest } from '../forest/forest.ts';
import type { Provider } from '../forest/provider.ts';
import type { CandidateRequest, RequestGroup } from '../request/request.ts';

export interface Slot {
  /** Position in the list of slots: the order of the answer. */
  readonly index: number;
  readonly group: RequestGroup;
  readonly isSuffixed: boolean;
  /** Class and amount; none for a group that only names a place. */
  readonly amounts: readonly (readonly [resourceClass: string, amount: number])[];
  /** Root of the one tree that will do; null: who names it is unknown; undefined: any tree will do. */
  readonly tree: Provider | null | undefined;
}

/** Slots in the order of the answer: by suffix, the unsuffixed group's by class. */
export function slotsOf({ groups }: Pick<CandidateRequest, 'groups'>, forest: Forest): readonly Slot[] {
  const slots: Slot[] = [];
  for (const group of groups) {
    const isSuffixed = group.suffix !== '';
    const tree = group.inTree === undefined ? undefined : (forest.get(group.inTree)?.root ?? null);
    const amounts = [...group.resources].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const part of isSuffixed ? [amounts] : amounts.map((amount) => [amount]))
      slots.push({ index: slots.length, group, isSuffixed, amounts: part, tree });
  }
  return slots;
}

/** The steps at which a provider can fall out of a slot, in the order in which they are looked at. */
export const STEPS = ['class', 'room', 'trait', 'aggregate', 'tree'] as const;
export type Step = (typeof STEPS)[number];

const hasOneOfEach = (held: ReadonlySet<string>, wanted: readonly (readonly string[])[]): boolean =>
  wanted.every((anyOf) => anyOf.some((name) => held.has(name)));

const hasAny = (held: ReadonlySet<string>, names: readonly string[]): boolean =>
  names.some((name) => held.has(name));

function aggregatesAllow(provider: Provider, anchor: Provider, { group, isSuffixed }: Slot): boolean {
  const { memberOf, notMemberOf } = group;
  if (memberOf.length > 0 && !hasOneOfEach(provider.aggregates, memberOf)) {
    // An aggregate of the root counts for its whole tree, but not for what other trees share with it.
    if (isSuffixed || provider.root !== anchor || !hasOneOfEach(anchor.aggregates, memberOf)) return false;
  }
  if (notMemberOf.length === 0) return true;
  return !(
    hasAny(provider.aggregates, notMemberOf) ||
    (!isSuffixed && hasAny(anchor.aggregates, notMemberOf))
  );
}

function roomsAllow(provider: Provider, { amounts }: Slot, mode: StepMode): Step | undefined {
  for (const [resourceClass, amount] of amounts) {
    const room = provider.rooms.get(resourceClass);
    if (!room) return 'class';
    if (room.used + amount > room.capacity || brokenUnitRule(room, amount, mode)) return 'room';
  }
  return undefined;
}

/**
 * The step at which `provider` falls out of `slot` under `anchor`, whatever other slots take; undefined when
 * it may serve. Required traits of the unsuffixed group concern all its providers together.
 */
export function dropStep(provider: Provider, anchor: Provider, slot: Slot, mode: StepMode): Step | undefined {
  const { group, isSuffixed } = slot;
  const step = roomsAllow(provider, slot, mode);
  if (step) return step;
  if (isSuffixed && !hasOneOfEach(provider.traits, group.required)) return 'trait';
  if (hasAny(provider.traits, group.forbidden)) return 'trait';
  if (!aggregatesAllow(provider, anchor, slot)) return 'aggregate';
  if (slot.tree === undefined) return undefined;
  return provider.root === slot.tree && (isSuffixed || anchor === slot.tree) ? undefined : 'tree';
}

export const rootAllows = ({ traits, aggregates }: Provider, { root }: CandidateRequest): boolean =>
  hasOneOfEach(traits, root.required) &&
  !hasAny(traits, root.forbidden) &&
  hasOneOfEach(aggregates, root.memberOf) &&
  !hasAny(aggregates, root.notMemberOf);

export interface Candidate {
  readonly anchor: Provider;
  /** Provider by slot. */
  readonly providers: readonly Provider[];
}

type Allocations = ReadonlyMap<Provider, ReadonlyMap<string, number>>;

/** Amounts by provider and class, summed over the groups; providers in the order of the groups. */
export function allocationsOf({ providers }: Candidate, slots: readonly Slot[]): Allocations {
  const allocations = new Map<Provider, Map<string, number>>();
  for (let k = 0; k < slots.length; k++) {
    const { amounts } = slots[k]!;
    if (amounts.length === 0) continue;
    const taken = kept(allocations, providers[k]!, () => new Map());
    for (const [resourceClass, amount] of amounts)
      taken.set(resourceClass, (taken.get(resourceClass) ?? 0) + amount);
  }
  return allocations;
}

/** Providers by suffix, each once. */
export function mappingsOf(
  { providers }: Candidate,
  slots: readonly Slot[],
): ReadonlyMap<string, readonly Provider[]> {
  const mappings = new Map<string, Provider[]>();
  for (let k = 0; k < slots.length; k++) {
    const { suffix } = slots[k]!.group;
    const list = kept(mappings, suffix, () => []);
    if (!list.includes(providers[k]!)) list.push(providers[k]!);
  }
  return mappings;
}

export const mappedNames = (
  candidate: Candidate,
  slots: readonly Slot[],
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...mappingsOf(candidate, slots)].map(([suffix, providers]) => [
      suffix,
      providers.map(({ name }) => name),
    ]),
  );

/** Equal for candidates that take the same amounts from the same providers. */
export function allocationKey(candidate: Candidate, slots: readonly Slot[]): string {
  const parts: string[] = [];
  for (const [{ uuid }, taken] of allocationsOf(candidate, slots))
    for (const [resourceClass, amount] of taken) parts.push(`${uuid} ${resourceClass} ${amount}`);
  return parts.sort().join('\n');
}
