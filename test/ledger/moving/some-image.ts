/** What ledgers and Placements may hold, drawn by a seed: small, and with all that is seldom. */
import { Random } from '../../../bench/generate/random.ts';
import type { ConsumerImage, LedgerImage, ProviderImage } from '../../../src/ledger/claims/cluster/image.ts';
import type { Inventory } from '../../../src/ledger/claims/model/inventory.ts';
import { STANDARD_CLASSES, STANDARD_TRAITS } from '../../../src/ledger/claims/schema/standard-names.ts';
import { uuidOf } from '../claims/ledgers.ts';

const RATIOS = ['1', '16', '1.15', '0.5', '1.333333333333', '0.0000001', '100000.5'];
const CLASSES = ['VCPU', 'MEMORY_MB', 'CUSTOM_FPGA', 'CUSTOM_GOLD'];
const TRAITS = ['COMPUTE_NODE', 'CUSTOM_RACK_1', 'CUSTOM_RACK_2'];

const someOf = <Item>(random: Random, items: readonly Item[]): readonly Item[] =>
  items.filter(() => random.chance(0.5));

function someInventory(random: Random): Inventory {
  const total = random.between(1, 1000);
  return {
    total,
    reserved: random.between(0, total),
    minUnit: random.between(1, 3),
    maxUnit: random.between(1, 2_000_000_000),
    stepSize: random.between(1, 4),
    allocationRatio: random.pick(RATIOS),
  };
}

/** Trees of providers, more used than there is, units that nobody would be granted, owners of all kinds. */
export function someImage(seed: number): LedgerImage {
  const random = new Random(seed, 'image');
  const providers = new Map<string, ProviderImage>();
  const providerCount = random.between(0, 8);
  for (let i = 1; i <= providerCount; i++) {
    const uuid = uuidOf(i);
    const parent = random.chance(0.4) ? random.pick([null, ...providers.keys()]) : null;
    providers.set(uuid, {
      uuid,
      // Names run the other way, so that children may come before their parents.
      name: `host ${9 - i}é`,
      generation: random.between(0, 500),
      parent,
      canHost: true,
      inventories: new Map(someOf(random, CLASSES).map((name) => [name, someInventory(random)])),
      traits: someOf(random, TRAITS),
      aggregates: someOf(random, [uuidOf(101), uuidOf(102)]).map((one) => ({ uuid: one, name: null })),
    });
  }
  const stocked = [...providers.values()].filter(({ inventories }) => inventories.size > 0);
  const consumers = new Map<string, ConsumerImage>();
  const consumerCount = stocked.length === 0 ? 0 : random.between(0, 12);
  for (let i = 1; i <= consumerCount; i++) {
    const allocations = new Map<string, Map<string, number>>();
    for (const { uuid, inventories } of new Set([random.pick(stocked), random.pick(stocked)])) {
      const names = [...inventories.keys()];
      const held = new Set([random.pick(names), random.pick(names)]);
      allocations.set(uuid, new Map([...held].map((name) => [name, random.between(1, 5000)])));
    }
    const consumer = uuidOf(1000 + i);
    consumers.set(consumer, {
      consumer,
      project: `project ${random.between(1, 3)}`,
      user: `user ${random.between(1, 3)}`,
      type: random.pick([null, 'INSTANCE', 'MIGRATION']),
      generation: random.between(1, 90),
      allocations,
      ends: [],
      movingFrom: null,
    });
  }
  const names = {
    class: [...STANDARD_CLASSES, ...CLASSES.slice(2), 'CUSTOM_UNUSED'].sort(),
    trait: [...STANDARD_TRAITS, ...TRAITS.slice(1), 'CUSTOM_LOOSE'].sort(),
  };
  return { providers, consumers, names };
}
