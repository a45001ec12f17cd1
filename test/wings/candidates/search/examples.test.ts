import { expect } from 'chai';
import { ask, readQuery } from '../builders/ask.ts';
import { MODEL_A, MODEL_B, MODEL_C, TWO_HOSTS } from '../builders/models.ts';

const byMappings = (model: typeof MODEL_A, query: string): number => ask(model, query).length;
const byAllocations = (model: typeof MODEL_A, query: string): number =>
  ask(model, query, { distinct: 'allocations' }).length;
const codesOf = (query: string): unknown => readQuery(query).problems?.map(({ code }) => code);

describe('candidates in NUMA nodes with FPGAs', () => {
  const compute = 'resources_COMPUTE=VCPU:2,MEMORY_MB:512&resources_ACCEL=FPGA:1';

  it('takes an FPGA of the same NUMA node', () => {
    expect(ask(MODEL_A, `${compute}&same_subtree=_COMPUTE,_ACCEL`)).to.deep.equal([
      'fpga0_0 FPGA:1, numa0 MEMORY_MB:512, numa0 VCPU:2 | _ACCEL->fpga0_0, _COMPUTE->numa0',
      'fpga1_0 FPGA:1, numa1 MEMORY_MB:512, numa1 VCPU:2 | _ACCEL->fpga1_0, _COMPUTE->numa1',
      'fpga1_1 FPGA:1, numa1 MEMORY_MB:512, numa1 VCPU:2 | _ACCEL->fpga1_1, _COMPUTE->numa1',
    ]);
    expect(byAllocations(MODEL_A, `${compute}&same_subtree=_COMPUTE,_ACCEL`)).to.equal(3);
  });

  it('takes any FPGA where no subtree is named', () => {
    expect(byMappings(MODEL_A, compute)).to.equal(6);
    expect(byAllocations(MODEL_A, compute)).to.equal(6);
  });

  it('is not changed by isolation, which this subtree implies', () => {
    const query = `${compute}&same_subtree=_COMPUTE,_ACCEL&group_policy=isolate`;
    expect([byMappings(MODEL_A, query), byAllocations(MODEL_A, query)]).to.deep.equal([3, 3]);
  });

  it('passes over the node that has too little left', () => {
    expect(ask(MODEL_A, 'resources_COMPUTE=VCPU:3')).to.deep.equal(['numa1 VCPU:3 | _COMPUTE->numa1']);
    expect(byMappings(MODEL_A, 'resources_COMPUTE=VCPU:2')).to.equal(2);
  });

  it('counts two FPGAs twice by mappings, once by allocations', () => {
    const query =
      'resources_COMPUTE=VCPU:1&resources_A=FPGA:1&resources_B=FPGA:1&same_subtree=_COMPUTE,_A,_B';
    expect([byMappings(MODEL_A, query), byAllocations(MODEL_A, query)]).to.deep.equal([2, 1]);
  });

  it('spreads the unsuffixed group over the tree', () => {
    expect(byMappings(MODEL_A, 'resources=VCPU:1,FPGA:1')).to.equal(6);
    expect(byMappings(MODEL_A, 'resources=VCPU:1,MEMORY_MB:512,FPGA:1')).to.equal(12);
    expect(byAllocations(MODEL_A, 'resources=VCPU:1,MEMORY_MB:512,FPGA:1')).to.equal(12);
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
    expect(byMappings(MODEL_B, query)).to.equal(2);
  });

  it('takes any pair without the card and the subtree', () => {
    expect([byMappings(MODEL_B, vifs), byAllocations(MODEL_B, vifs)]).to.deep.equal([4, 4]);
  });

  it('refuses a group without resources outside of subtrees', () => {
    expect(codesOf(`${vifs}&required_NIC=HW_NIC_ROOT`)).to.deep.equal(['placement.query.bad_value']);
    expect(codesOf('required_NIC=HW_NIC_ROOT&same_subtree=_NIC')).to.deep.equal([
      'placement.query.missing_value',
    ]);
  });

  it('filters by traits of the root, not of the ports', () => {
    expect(byMappings(MODEL_B, 'resources=VF:3')).to.equal(2);
    expect(byMappings(MODEL_B, 'resources=VF:3&root_required=NET1')).to.equal(0);
    expect(byMappings(MODEL_B, 'resources=VF:3&root_required=!NET1')).to.equal(2);
  });
});

describe('candidates on two ports of one card', () => {
  const query =
    'resources_VIF1=VF:1&resources_VIF2=VF:1&required_NIC=HW_NIC_ROOT&same_subtree=_VIF1,_VIF2,_NIC';
  const both = (more: string): number[] => [
    byMappings(MODEL_C, `${query}${more}`),
    byAllocations(MODEL_C, `${query}${more}`),
  ];

  it('keeps the groups apart with the policy isolate', () => {
    expect(both('&group_policy=isolate')).to.deep.equal([2, 1]);
  });

  it('may use one port twice with the policy none, which is the default', () => {
    expect(both('&group_policy=none')).to.deep.equal([4, 3]);
    expect(both('')).to.deep.equal([4, 3]);
    expect(ask(MODEL_C, query, { distinct: 'allocations' })).to.deep.equal([
      'pf1_1 VF:2',
      'pf1_1 VF:1, pf1_2 VF:1',
      'pf1_2 VF:2',
    ]);
  });

  it('keeps single groups to themselves', () => {
    for (const isolate of ['_VIF1,_VIF2', '_VIF1', '_VIF2'])
      expect(both(`&isolate=${isolate}`), isolate).to.deep.equal([2, 1]);
  });
});

describe('candidates on two real hosts', () => {
  it('takes VCPU and FPGA with and without a subtree', () => {
    expect(byMappings(TWO_HOSTS, 'resources_C=VCPU:1&resources_A=FPGA:1')).to.equal(6);
    expect(byMappings(TWO_HOSTS, 'resources_C=VCPU:1&resources_A=FPGA:1&same_subtree=_C,_A')).to.equal(3);
  });

  const vifs = (a: number, b: number): string =>
    `resources_V1=VF:${a}&required_V1=NET1&resources_V2=VF:${b}&required_V2=NET2`;
  const nic = '&required_N=HW_NIC_ROOT&same_subtree=_V1,_V2,_N';

  it('takes functions of two networks', () => {
    expect(byMappings(TWO_HOSTS, vifs(4, 4))).to.equal(2);
    expect(byMappings(TWO_HOSTS, vifs(4, 4) + nic)).to.equal(1);
    expect(byMappings(TWO_HOSTS, vifs(2, 2) + nic)).to.equal(5);
  });

  it('takes three groups with and without isolation', () => {
    const query = `${vifs(2, 1)}&resources_V3=VF:1&required_V3=NET2&required_N=HW_NIC_ROOT&same_subtree=_V1,_V2,_V3,_N`;
    expect(byMappings(TWO_HOSTS, query)).to.equal(9);
    expect(byMappings(TWO_HOSTS, `${query}&group_policy=isolate`)).to.equal(4);
  });

  it('takes each list of suffixes for itself', () => {
    const query = 'resources_C=VCPU:1&required_N=HW_NIC_ROOT&resources_P=VF:1&required_P=NET1';
    const pairs = byMappings(TWO_HOSTS, `${query}&same_subtree=_N,_C&same_subtree=_N,_P`);
    const one = byMappings(TWO_HOSTS, `${query}&same_subtree=_N,_C,_P`);
    expect([pairs, one]).to.deep.equal([4, 12]);
  });

  it('uses the shared disk of an aggregate, and lets it stand alone', () => {
    expect(ask(TWO_HOSTS, 'resources=DISK_GB:1500')).to.deep.equal(['ss1 DISK_GB:1500 | ->ss1']);
    expect(byMappings(TWO_HOSTS, 'resources=VCPU:4,DISK_GB:100')).to.equal(3);
  });
});
