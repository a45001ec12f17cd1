import { expect } from 'chai';
import { ask, readQuery } from '../builders/ask.ts';
import { MODEL_A, MODEL_B, MODEL_C, TWO_HOSTS } from '../builders/models.ts';

const byMappings = (model: typeof MODEL_A, query: string): number => ask(model, query).length;
const byAllocations = (model: typeof MODEL_A, query: string): number =>
  ask(model, query, { distinct: 'allocations' }).length;
/** Both ways of counting. */
const both = (model: typeof MODEL_A, query: string): readonly [mappings: number, allocations: number] => [
  byMappings(model, query),
  byAllocations(model, query),
];
const codesOf = (query: string): unknown => readQuery(query).problems?.map(({ code }) => code);

describe('candidates in NUMA nodes with FPGAs', () => {
  const compute = 'resources_COMPUTE=VCPU:2,MEMORY_MB:512&resources_ACCEL=FPGA:1';

  it('takes an FPGA of the same NUMA node', () => {
    expect(ask(MODEL_A, `${compute}&same_subtree=_COMPUTE,_ACCEL`)).to.deep.equal([
      'fpga0_0 FPGA:1, numa0 MEMORY_MB:512, numa0 VCPU:2 | _ACCEL->fpga0_0, _COMPUTE->numa0',
      'fpga1_0 FPGA:1, numa1 MEMORY_MB:512, numa1 VCPU:2 | _ACCEL->fpga1_0, _COMPUTE->numa1',
      'fpga1_1 FPGA:1, numa1 MEMORY_MB:512, numa1 VCPU:2 | _ACCEL->fpga1_1, _COMPUTE->numa1',
    ]);
    expect(both(MODEL_A, `${compute}&same_subtree=_COMPUTE,_ACCEL`)).to.deep.equal([3, 3]);
  });

  it('takes any FPGA where no subtree is named', () => {
    expect(both(MODEL_A, compute)).to.deep.equal([6, 6]);
  });

  it('is not changed by isolation, which this subtree implies', () => {
    const query = `${compute}&same_subtree=_COMPUTE,_ACCEL&group_policy=isolate`;
    expect(both(MODEL_A, query)).to.deep.equal([3, 3]);
  });

  it('passes over the node that has too little left', () => {
    // The first request with VCPU 3: numa0 has 2 left, so only the FPGAs of numa1 are near enough.
    const query = `${compute.replace('VCPU:2', 'VCPU:3')}&same_subtree=_COMPUTE,_ACCEL`;
    expect(ask(MODEL_A, query)).to.deep.equal([
      'fpga1_0 FPGA:1, numa1 MEMORY_MB:512, numa1 VCPU:3 | _ACCEL->fpga1_0, _COMPUTE->numa1',
      'fpga1_1 FPGA:1, numa1 MEMORY_MB:512, numa1 VCPU:3 | _ACCEL->fpga1_1, _COMPUTE->numa1',
    ]);
    expect(both(MODEL_A, query)).to.deep.equal([2, 2]);
    expect(both(MODEL_A, 'resources_COMPUTE=VCPU:3')).to.deep.equal([1, 1]);
    expect(both(MODEL_A, 'resources_COMPUTE=VCPU:2')).to.deep.equal([2, 2]);
  });

  it('counts two FPGAs twice by mappings, once by allocations', () => {
    const query =
      'resources_COMPUTE=VCPU:1&resources_A=FPGA:1&resources_B=FPGA:1&same_subtree=_COMPUTE,_A,_B';
    expect(both(MODEL_A, query)).to.deep.equal([2, 1]);
  });

  it('spreads the unsuffixed group over the tree', () => {
    expect(both(MODEL_A, 'resources=VCPU:1,FPGA:1')).to.deep.equal([6, 6]);
    expect(both(MODEL_A, 'resources=VCPU:1,MEMORY_MB:512,FPGA:1')).to.deep.equal([12, 12]);
  });
});

describe('candidates on network cards of two networks', () => {
  const vifs = 'resources_V1=VF:1&required_V1=NET1&resources_V2=VF:1&required_V2=NET2';

  it('takes both from one card', () => {
    const query = `${vifs}&required_NIC=HW_NIC_ROOT&same_subtree=_V1,_V2,_NIC`;
    expect(ask(MODEL_B, query, { distinct: 'allocations' })).to.deep.equal([
      'pf1_1 VF:1, pf1_2 VF:1',
      'pf2_1 VF:1, pf2_2 VF:1',
    ]);
    expect(both(MODEL_B, query)).to.deep.equal([2, 2]);
  });

  it('takes any pair without the card and the subtree', () => {
    expect(both(MODEL_B, vifs)).to.deep.equal([4, 4]);
  });

  it('refuses a group without resources outside of subtrees', () => {
    expect(codesOf(`${vifs}&required_NIC=HW_NIC_ROOT`)).to.deep.equal(['placement.query.bad_value']);
    expect(codesOf('required_NIC=HW_NIC_ROOT&same_subtree=_NIC')).to.deep.equal([
      'placement.query.missing_value',
    ]);
  });

  it('filters by traits of the root, not of the ports', () => {
    expect(both(MODEL_B, 'resources=VF:3')).to.deep.equal([2, 2]);
    expect(both(MODEL_B, 'resources=VF:3&root_required=NET1')).to.deep.equal([0, 0]);
    expect(both(MODEL_B, 'resources=VF:3&root_required=!NET1')).to.deep.equal([2, 2]);
  });
});

describe('candidates on two ports of one card', () => {
  const query =
    'resources_VIF1=VF:1&resources_VIF2=VF:1&required_NIC=HW_NIC_ROOT&same_subtree=_VIF1,_VIF2,_NIC';
  const counts = (more: string) => both(MODEL_C, `${query}${more}`);

  it('keeps the groups apart with the policy isolate', () => {
    expect(counts('&group_policy=isolate')).to.deep.equal([2, 1]);
  });

  it('may use one port twice with the policy none, which is the default', () => {
    expect(counts('&group_policy=none')).to.deep.equal([4, 3]);
    expect(counts('')).to.deep.equal([4, 3]);
    expect(ask(MODEL_C, query, { distinct: 'allocations' })).to.deep.equal([
      'pf1_1 VF:2',
      'pf1_1 VF:1, pf1_2 VF:1',
      'pf1_2 VF:2',
    ]);
  });

  it('keeps single groups to themselves', () => {
    for (const isolate of ['_VIF1,_VIF2', '_VIF1', '_VIF2'])
      expect(counts(`&isolate=${isolate}`), isolate).to.deep.equal([2, 1]);
  });
});

describe('candidates on two real hosts', () => {
  it('takes VCPU and FPGA with and without a subtree', () => {
    expect(both(TWO_HOSTS, 'resources_C=VCPU:1&resources_A=FPGA:1')).to.deep.equal([6, 6]);
    expect(both(TWO_HOSTS, 'resources_C=VCPU:1&resources_A=FPGA:1&same_subtree=_C,_A')).to.deep.equal([3, 3]);
  });

  const vifs = (a: number, b: number): string =>
    `resources_V1=VF:${a}&required_V1=NET1&resources_V2=VF:${b}&required_V2=NET2`;
  const nic = '&required_N=HW_NIC_ROOT&same_subtree=_V1,_V2,_N';

  it('takes functions of two networks', () => {
    expect(both(TWO_HOSTS, vifs(4, 4))).to.deep.equal([2, 2]);
    expect(both(TWO_HOSTS, vifs(4, 4) + nic)).to.deep.equal([1, 1]);
    expect(both(TWO_HOSTS, vifs(2, 2) + nic)).to.deep.equal([5, 5]);
  });

  it('takes three groups with and without isolation', () => {
    const query = `${vifs(2, 1)}&resources_V3=VF:1&required_V3=NET2&required_N=HW_NIC_ROOT&same_subtree=_V1,_V2,_V3,_N`;
    // Where both groups of NET2 are, two mappings have the same amounts.
    expect(both(TWO_HOSTS, query)).to.deep.equal([9, 7]);
    expect(both(TWO_HOSTS, `${query}&group_policy=isolate`)).to.deep.equal([4, 2]);
  });

  it('takes each list of suffixes for itself', () => {
    const query = 'resources_C=VCPU:1&required_N=HW_NIC_ROOT&resources_P=VF:1&required_P=NET1';
    expect(both(TWO_HOSTS, `${query}&same_subtree=_N,_C&same_subtree=_N,_P`)).to.deep.equal([4, 4]);
    // The card takes nothing: which of the three it is, only the mappings tell.
    expect(both(TWO_HOSTS, `${query}&same_subtree=_N,_C,_P`)).to.deep.equal([12, 4]);
  });

  it('uses the shared disk of an aggregate, and lets it stand alone', () => {
    expect(ask(TWO_HOSTS, 'resources=DISK_GB:1500')).to.deep.equal(['ss1 DISK_GB:1500 | ->ss1']);
    expect(both(TWO_HOSTS, 'resources=VCPU:4,DISK_GB:100')).to.deep.equal([3, 3]);
  });
});
