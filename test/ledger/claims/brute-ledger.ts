/**
 * A ledger as the rules say it, without a database: what is used is added up from the claims each time,
 * capacities are compared as fractions of whole numbers, and a request is tried on a copy that is thrown away
 * when anything is wrong with it.
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

interface BruteConsumer {
  generation: number;
  /** `provider class` to amount. */
  readonly held: ReadonlyMap<string, number>;
}

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
    for (const { held } of this.consumers.values()) sum += held.get(key) ?? 0;
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
    const wanted = consumers.map(({ allocations }) => {
      const sums = new Map<string, number>();
      for (const { provider, class: name, amount } of allocations) {
        const key = keyOf(provider, name);
        if (!this.generations.has(provider)) reasons.push(`${provider} unknown`);
        else if (!this.inventories.has(key)) reasons.push(`${key} none`);
        else sums.set(key, (sums.get(key) ?? 0) + amount);
      }
      return sums;
    });
    const asked = new Set<string>();
    for (const sums of wanted)
      for (const [key, amount] of sums) {
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
    const allocations = all.map(([key, amount]) => {
      const [provider = '', name = ''] = key.split(' ');
      return { provider, class: name, amount };
    });
    const consumers = [
      { consumer: from, allocations: [] },
      { consumer: to, allocations },
    ];
    return this.claim({ consumers, stepMode: 'exempt', action: 'move' });
  }

  private after(replaced: readonly (readonly [string, ReadonlyMap<string, number>])[]): BruteLedger {
    const copy = new BruteLedger();
    for (const [name, consumer] of this.consumers) copy.consumers.set(name, consumer);
    for (const [name, held] of replaced)
      if (held.size === 0) copy.consumers.delete(name);
      else copy.consumers.set(name, { generation: (this.consumers.get(name)?.generation ?? 0) + 1, held });
    return copy;
  }
}
