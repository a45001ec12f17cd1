/** The models of docs/why/candidates.md. */
import type { ProviderRecord } from '../../../../src/ledger/candidates/forest/provider.ts';
import { SHARING_TRAIT } from '../../../../src/ledger/claims/model/names.ts';
import { uuidOf } from './random-model.ts';

interface Plan {
  /** Class to capacity, or to capacity and what else differs from the usual. */
  readonly has?: Readonly<
    Record<
      string,
      | number
      | {
          readonly capacity: number;
          readonly used?: number;
          readonly min?: number;
          readonly max?: number;
          readonly step?: number;
        }
    >
  >;
  readonly traits?: readonly string[];
  readonly aggregates?: readonly string[];
  readonly below?: Readonly<Record<string, Plan>>;
}

const MANY = 1_000_000;

/** Records of trees written as plans; uuids count up in the order of writing. */
export function plant(trees: Readonly<Record<string, Plan>>): ProviderRecord[] {
  const records: ProviderRecord[] = [];
  const add = (name: string, plan: Plan, parentUuid: string | undefined): void => {
    const uuid = uuidOf(1, records.length);
    records.push({
      uuid,
      name,
      parentUuid,
      inventories: Object.entries(plan.has ?? {}).map(([resourceClass, given]) => {
        const {
          capacity,
          used = 0,
          min = 1,
          max = MANY,
          step = 1,
        } = typeof given === 'number' ? { capacity: given } : given;
        return { resourceClass, capacity, used, minUnit: min, maxUnit: max, stepSize: step };
      }),
      traits: plan.traits ?? [],
      aggregates: plan.aggregates ?? [],
    });
    for (const [child, below] of Object.entries(plan.below ?? {})) add(child, below, uuid);
  };
  for (const [name, plan] of Object.entries(trees)) add(name, plan, undefined);
  return records;
}

const FPGA = { has: { FPGA: 1 } };
const NIC_ROOT = ['HW_NIC_ROOT'];

export const MODEL_A = plant({
  root: {
    below: {
      numa0: { has: { VCPU: { capacity: 4, used: 2 }, MEMORY_MB: 2048 }, below: { fpga0_0: FPGA } },
      numa1: { has: { VCPU: 4, MEMORY_MB: 2048 }, below: { fpga1_0: FPGA, fpga1_1: FPGA } },
    },
  },
});

export const MODEL_B = plant({
  root: {
    below: {
      nic1: {
        traits: NIC_ROOT,
        below: { pf1_1: { has: { VF: 4 }, traits: ['NET1'] }, pf1_2: { has: { VF: 4 }, traits: ['NET2'] } },
      },
      nic2: {
        traits: NIC_ROOT,
        below: { pf2_1: { has: { VF: 2 }, traits: ['NET1'] }, pf2_2: { has: { VF: 2 }, traits: ['NET2'] } },
      },
    },
  },
});

export const MODEL_C = plant({
  root: {
    below: {
      nic1: { traits: NIC_ROOT, below: { pf1_1: { has: { VF: 4 } }, pf1_2: { has: { VF: 4 } } } },
      nic2: { traits: NIC_ROOT },
    },
  },
});

const AGGREGATE = uuidOf(9, 1);
const pf = (net: number, vf: number): Plan => ({ has: { VF: vf }, traits: [`NET${net}`] });

/** Two hosts: one with two NUMA nodes and a shared disk, one plain with three network cards. */
export const TWO_HOSTS = plant({
  ss1: { has: { DISK_GB: 2000 }, traits: [SHARING_TRAIT], aggregates: [AGGREGATE] },
  cn1: {
    traits: ['MULTI_ATTACH'],
    aggregates: [AGGREGATE],
    below: {
      numa0: {
        traits: ['NUMA'],
        has: { VCPU: { capacity: 4, used: 2 }, MEMORY_MB: { capacity: 2048, min: 512, step: 256 } },
        below: { fpga0: FPGA, pgpu0: { has: { VGPU: 8 } } },
      },
      numa1: {
        traits: ['NUMA', 'FOO'],
        has: { VCPU: 4, MEMORY_MB: { capacity: 2048, min: 256, max: 1024 } },
        below: { fpga1_0: FPGA, fpga1_1: FPGA },
      },
    },
  },
  cn2: {
    traits: ['FOO'],
    aggregates: [AGGREGATE],
    has: {
      VCPU: { capacity: 8, used: 3 },
      MEMORY_MB: { capacity: 2048, min: 1024, step: 128 },
      DISK_GB: 1000,
    },
    below: {
      nic1: { traits: NIC_ROOT, below: { pf1_1: pf(1, 4), pf1_2: pf(2, 4) } },
      nic2: {
        traits: NIC_ROOT,
        below: { pf2_1: pf(1, 2), pf2_2: pf(2, 2), pf2_3: pf(1, 2), pf2_4: pf(2, 2) },
      },
      nic3: { traits: NIC_ROOT, below: { pf3_1: pf(1, 8) } },
    },
  },
});
