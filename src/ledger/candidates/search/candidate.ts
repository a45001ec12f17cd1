/** A candidate: what is taken where, and which providers serve which group. */
import { kept } from '../../../kit/kept.ts';
import type { Provider } from '../forest/provider.ts';
import type { Slot } from './slots.ts';

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

/** Equal for candidates that take the same amounts from the same providers. */
export function allocationKey(candidate: Candidate, slots: readonly Slot[]): string {
  const parts: string[] = [];
  for (const [{ uuid }, taken] of allocationsOf(candidate, slots))
    for (const [resourceClass, amount] of taken) parts.push(`${uuid} ${resourceClass} ${amount}`);
  return parts.sort().join('\n');
}
