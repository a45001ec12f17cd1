/**
 * A ledger as the rules say it, without a database: what is used is added up from the claims each time,
 * capacities are compared as fractions of whole numbers, and a request is tried on a copy that is thrown away
 * when anything is wrong with it. Each single unit that a consumer has knows when it goes back.
 */
import type { ClaimRequest } from '../../../src/ledger/claims/claim/claim-request.ts';

export interface BruteInventory {
  readonly total: number;
  readonly reserved: number;
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
  /** Decimal text. */
  readonly allocationRatio: string;
}

/** When each unit goes back; null: never. */
type Units = readonly (number | null)[];

interface BruteConsumer {
  generation: number;
  /** `provider class` to its units. */
  readonly held: ReadonlyMap<string, Units>;
}

const unitsOf = (amount: number, end: number | null): Units => Array<number | null>(amount).fill(end);

export interface BruteOutcome {
  readonly kind: 'done' | 'refused' | 'conflict';
  /** `provider class rule`, sorted; the rule is `room` where there is none. */
  readonly reasons: readonly string[];
}

const keyOf = (provider: string, name: string): string => `${provider} ${name}`;

/** Whether `used` is at most (total - reserved) x ratio. */
function fits({ total, reserved, allocationRatio }: BruteInventory, used: number): boolean {
  const [whole = '', fraction = ''] = allocationRatio.split('.');
  const scale = 10n ** BigInt(fraction.length);
  return BigInt(used) * scale <= BigInt(total - reserved) * BigInt(whole + fraction);
}

export class BruteLedger {
  /** `provider class` to inventory. */
  readonly inventories = new Map<string, BruteInventory>();
  readonly generations = new Map<string, number>();
  readonly consumers = new Map<string, BruteConsumer>();

  used(key: string): number {
    let sum = 0;
    for (const { held } of this.consumers.values()) sum += held.get(key)?.length ?? 0;
    return sum;
  }

  setInventory(provider: string, name: string, inventory: BruteInventory): void {
    this.inventories.set(keyOf(provider, name), inventory);
    this.generations.set(provider, this.generations.get(provider)! + 1);
  }

  /** @returns whether it could be: nothing of it was used. */
  removeInventory(provider: string, name: string): boolean {
    const key = keyOf(provider, name);
    if (!this.inventories.has(key) || this.used(key) > 0) return false;
    this.inventories.delete(key);
    this.generations.set(provider, this.generations.get(provider)! + 1);
    return true;
  }

  claim({ consumers, stepMode }: ClaimRequest): BruteOutcome {
    for (const { consumer, generation } of consumers)
      if (generation !== undefined && generation !== (this.consumers.get(consumer)?.generation ?? null))
        return { kind: 'conflict', reasons: [] };
    const reasons: string[] = [];
    const wanted = consumers.map(({ consumer, allocations, expiresAt: end }) => {
      const sums = new Map<string, Units>();
      for (const { provider, class: name, amount, expiresAt = null } of allocations) {
        const key = keyOf(provider, name);
        if (!this.generations.has(provider)) reasons.push(`${provider} unknown`);
        else if (!this.inventories.has(key)) reasons.push(`${key} none`);
        else sums.set(key, [...(sums.get(key) ?? []), ...unitsOf(amount, expiresAt)]);
      }
      if (end !== undefined)
        for (const [key, units] of sums) sums.set(key, this.endingUnits(consumer, key, units.length, end));
      return sums;
    });
    const asked = new Set<string>();
    for (const sums of wanted)
      for (const [key, { length: amount }] of sums) {
        asked.add(key);
        const { minUnit, maxUnit, stepSize } = this.inventories.get(key)!;
        if (amount < minUnit) reasons.push(`${key} min_unit`);
        else if (amount > maxUnit) reasons.push(`${key} max_unit`);
        else if (amount % stepSize !== 0 && !(stepMode === 'exempt' && amount === minUnit))
          reasons.push(`${key} step_size`);
      }
    const after = this.after(consumers.map(({ consumer }, i) => [consumer, wanted[i]!] as const));
    for (const key of asked)
      if (!fits(this.inventories.get(key)!, after.used(key)) && after.used(key) > this.used(key))
        reasons.push(`${key} room`);
    if (reasons.length > 0) return { kind: 'refused', reasons: reasons.sort() };
    const touched = new Set<string>();
    for (const [i, { consumer }] of consumers.entries())
      for (const key of [...(this.consumers.get(consumer)?.held.keys() ?? []), ...wanted[i]!.keys()])
        touched.add(key.split(' ')[0]!);
    for (const provider of touched) this.generations.set(provider, this.generations.get(provider)! + 1);
    this.consumers.clear();
    for (const [name, consumer] of after.consumers) this.consumers.set(name, consumer);
    return { kind: 'done', reasons: [] };
  }

  /** Everything of `from` goes to `to`, on top of what that has. */
  move(from: string, to: string): BruteOutcome {
    const source = this.consumers.get(from);
    if (source === undefined) return { kind: 'refused', reasons: ['nobody'] };
    const all = [...source.held, ...(this.consumers.get(to)?.held ?? [])];
    const allocations = all.flatMap(([key, units]) => {
      const [provider = '', name = ''] = key.split(' ');
      return units.map((end) => ({ provider, class: name, amount: 1, expiresAt: end ?? undefined }));
    });
    const consumers = [
      { consumer: from, allocations: [] },
      { consumer: to, allocations },
    ];
    return this.claim({ consumers, stepMode: 'exempt', action: 'move' });
  }

  /** Whose end has come gives back. @returns how many consumers did. */
  expire(now: number): number {
    let count = 0;
    for (const [name, { generation, held }] of [...this.consumers]) {
      if (![...held.values()].flat().some((end) => end !== null && end <= now)) continue;
      count++;
      for (const provider of new Set([...held.keys()].map((key) => key.split(' ')[0]!)))
        this.generations.set(provider, this.generations.get(provider)! + 1);
      const left = [...held].map(
        ([key, units]) => [key, units.filter((end) => end === null || end > now)] as const,
      );
      const some = left.filter(([, units]) => units.length > 0);
      if (some.length === 0) this.consumers.delete(name);
      else this.consumers.set(name, { generation: generation + 1, held: new Map(some) });
    }
    return count;
  }

  /**
   * Everything that would go back does so at `until`; null: never. @returns whether nothing was due already.
   */
  setEnds(name: string, until: number | null, now: number): boolean {
    const consumer = this.consumers.get(name);
    if (consumer === undefined) return false;
    if ([...consumer.held.values()].flat().some((end) => end !== null && end <= now)) return false;
    const held = new Map(
      [...consumer.held].map(([key, units]) => [key, units.map((end) => (end === null ? null : until))]),
    );
    this.consumers.set(name, { generation: consumer.generation + 1, held });
    return true;
  }

  /** What the consumer had for good stays so; the rest goes back. */
  private endingUnits(consumer: string, key: string, amount: number, end: number): Units {
    const had = this.consumers.get(consumer)?.held.get(key) ?? [];
    const kept = Math.min(amount, had.filter((one) => one === null).length);
    return [...unitsOf(kept, null), ...unitsOf(amount - kept, end)];
  }

  private after(replaced: readonly (readonly [string, ReadonlyMap<string, Units>])[]): BruteLedger {
    const copy = new BruteLedger();
    for (const [name, consumer] of this.consumers) copy.consumers.set(name, consumer);
    for (const [name, held] of replaced)
      if (held.size === 0) copy.consumers.delete(name);
      else copy.consumers.set(name, { generation: (this.consumers.get(name)?.generation ?? 0) + 1, held });
    return copy;
  }
}
