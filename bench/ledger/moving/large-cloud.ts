/** What a cloud of a given size has in its Placement: hosts with a device below every fifth, and servers. */
import type { ConsumerImage, LedgerImage, ProviderImage } from '../../../src/ledger/claims/cluster/image.ts';
import { STANDARD_CLASSES, STANDARD_TRAITS } from '../../../src/ledger/claims/schema/standard-names.ts';

const EVERY = 5;
const RACKS = 20;
const AGGREGATES = 50;
const PROJECTS = 300;
const USERS = 900;

/** UUIDs of several kinds of things, by number. */
const uuidOf = (kind: number, number: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;

const inventory = (total: number, allocationRatio = '1', reserved = 0) => ({
  total,
  reserved,
  minUnit: 1,
  maxUnit: total,
  stepSize: 1,
  allocationRatio,
});

function provider(i: number): ProviderImage {
  const isDevice = i % EVERY === EVERY - 1;
  return {
    uuid: uuidOf(1, i),
    name: isDevice ? `host${i - 1}_fpga` : `host${i}`,
    generation: 3 + (i % 40),
    parent: isDevice ? uuidOf(1, i - 1) : null,
    canHost: true,
    inventories: new Map(
      isDevice
        ? [['CUSTOM_FPGA', inventory(400)]]
        : [
            ['VCPU', inventory(640, '16')],
            ['MEMORY_MB', inventory(4_194_304, '1.5', 512)],
            ['DISK_GB', inventory(100_000, '1.15')],
          ],
    ),
    traits: isDevice ? [] : ['COMPUTE_NODE', `CUSTOM_RACK_${i % RACKS}`],
    aggregates: isDevice ? [] : [{ uuid: uuidOf(2, i % AGGREGATES), name: null }],
  };
}

export function largeCloud(providerCount: number, consumerCount: number): LedgerImage {
  const list = Array.from({ length: providerCount }, (_, i) => provider(i));
  const hosts = list.filter(({ parent }) => parent === null);
  const devices = new Map(list.flatMap(({ parent, uuid }) => (parent === null ? [] : [[parent, uuid]])));
  const consumers = Array.from({ length: consumerCount }, (_, i): ConsumerImage => {
    const host = hosts[i % hosts.length]!.uuid;
    const device = i % 10 === 0 ? devices.get(host) : undefined;
    const amounts = new Map([
      ['VCPU', 1 + (i % 8)],
      ['MEMORY_MB', 1024 * (1 + (i % 4))],
      ['DISK_GB', 10 + (i % 40)],
    ]);
    return {
      consumer: uuidOf(3, i),
      project: uuidOf(4, i % PROJECTS),
      user: uuidOf(5, i % USERS),
      type: i % 50 === 0 ? null : i % 25 === 0 ? 'MIGRATION' : 'INSTANCE',
      generation: 1 + (i % 5),
      allocations: new Map([
        [host, amounts],
        ...(device === undefined ? [] : [[device, new Map([['CUSTOM_FPGA', 1]])] as const]),
      ]),
      ends: [],
      movingFrom: null,
    };
  });
  return {
    providers: new Map(list.map((one) => [one.uuid, one])),
    consumers: new Map(consumers.map((one) => [one.consumer, one])),
    names: {
      class: [...STANDARD_CLASSES, 'CUSTOM_FPGA', 'CUSTOM_UNUSED'],
      trait: [...STANDARD_TRAITS, ...Array.from({ length: RACKS }, (_, i) => `CUSTOM_RACK_${i}`)],
    },
  };
}
