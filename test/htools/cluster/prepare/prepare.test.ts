import { expect } from 'chai';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import type { RawSnapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { ExecutionError } from '../../../../src/kit/faults.ts';

const node = (name: string, group = 'u1', rest = '') =>
  `${name}|65536|1024|60000|1000000|900000|8|N|${group}|1|${rest}|N|0|1|1.0`;
const instance = (name: string, primary: string, secondary: string, rest = 'running|Y', tags = '') => {
  const [status, balance] = rest.split('|');
  const template = secondary === '' ? 'ext' : 'drbd';
  return `${name}|1024|2048|1|${status}|${balance}|${primary}|${secondary}|${template}|${tags}|1|-|N`;
};
const cluster = (nodes: string[], instances: string[], tags: string[] = []): RawSnapshot => {
  const groups = ['g1|u1|preferred||', 'g2|u2|preferred||'];
  return parseText(
    [groups, nodes, instances, tags].map((lines) => lines.map((l) => `${l}\n`).join('')).join('\n'),
    'test',
  );
};
const nodes = [node('n1.example.com'), node('n2.example.com'), node('n3.example.com', 'u2')];

describe('preparing a snapshot', () => {
  it('cuts the ending that all names share', () => {
    const raw = cluster(nodes, [instance('i1.lab.example.com', 'n1.example.com', '')]);
    const { snapshot } = prepareSnapshot(raw, {});
    expect([...snapshot.nodes, ...snapshot.instances].map((item) => item.alias)).to.deep.equal([
      'n1',
      'n2',
      'n3',
      'i1.lab',
    ]);
  });

  it('finds exclusion tags by the cluster, and by the command line behind a colon', () => {
    const raw = cluster(
      nodes,
      [instance('i', 'n1.example.com', '', 'running|Y', 'web:1,webby:2,db:3,dbx:4')],
      ['htools:iextags:web', 'htools:desiredlocation:db'],
    );
    const { snapshot } = prepareSnapshot(raw, { exclusionTags: ['db'] });
    expect(snapshot.instances[0]!.exclusionTags).to.deep.equal(['web:1', 'webby:2', 'db:3']);
    expect(snapshot.instances[0]!.desiredLocationTags).to.deep.equal(['db:3', 'dbx:4']);
  });

  it('keeps instances that are split over two groups where they are', () => {
    const raw = cluster(nodes, [
      instance('whole', 'n1.example.com', 'n2.example.com'),
      instance('split', 'n1.example.com', 'n3.example.com'),
    ]);
    expect(prepareSnapshot(raw, {}).snapshot.instances.map((i) => i.isMovable)).to.deep.equal([true, false]);
  });

  it('lets only selected and not excluded instances move, by parts of their names', () => {
    const raw = cluster(
      nodes,
      ['a.x', 'b.x', 'c.x'].map((name) => instance(name, 'n1.example.com', '')),
    );
    const movable = (options: object) =>
      prepareSnapshot(raw, options).snapshot.instances.map((i) => i.isMovable);
    expect(movable({ selectedInstances: ['a', 'b.x'] })).to.deep.equal([true, true, false]);
    expect(movable({ excludedInstances: ['b'] })).to.deep.equal([true, false, true]);
    expect(movable({ selectedInstances: ['a', 'b'], excludedInstances: ['b'] })).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('names all unknown instances, the selected ones first', () => {
    const raw = cluster(nodes, [
      instance('a.x', 'n1.example.com', ''),
      instance('a.y', 'n1.example.com', ''),
    ]);
    const options = { selectedInstances: ['a', 'zz', 'a.x'], excludedInstances: ['foo'] };
    expect(() => prepareSnapshot(raw, options)).to.throw(
      ExecutionError,
      'failed to load data, aborting: Unknown instance(s): ["a","zz","foo"]',
    );
  });

  it('takes loads by full name, and all as zero when told to ignore them', () => {
    const raw = cluster(nodes, [instance('a', 'n1.example.com', ''), instance('b', 'n1.example.com', '')]);
    const load = { cpu: 0.5, mem: 2, disk: 3, net: 4 };
    const dynamicUse = new Map([
      ['a', load],
      ['nobody', load],
    ]);
    const cpus = (options: object) =>
      prepareSnapshot(raw, options).snapshot.instances.map((i) => i.utilisation.cpu);
    expect(cpus({ dynamicUse })).to.deep.equal([0.5, 1]);
    expect(cpus({ dynamicUse, ignoreDynamicUse: true })).to.deep.equal([0, 0]);
  });

  it('warns of missing memory and disk, the last node first', () => {
    const raw = cluster(
      [
        node('n1'),
        'n2|4000|0|3488|1000|1000|8|N|u1',
        'n3|4000|0|3487|3073|2048|8|N|u1',
        'n4|4000|0|4000|3073|2048|8|N|u1',
      ],
      [instance('i', 'n1', 'n4'), instance('down', 'n3', 'n4', 'ADMIN_down|Y')],
    );
    expect(prepareSnapshot(raw, {}).warnings).to.deep.equal([
      'node n3 is missing 513 MB ram and -1 GB disk',
      'node n1 is missing 3488 MB ram and 95 GB disk',
    ]);
  });

  it('warns of online nodes that have none of what scores are shares of', () => {
    const raw = cluster(
      [
        'n1|0|0|0|1000|1000|8|N|u1',
        'n2|0|0|0|1000|1000|0|Y|u1',
        'n3|4000|0|4000|0|0|0|N|u1|0',
        'n4|4000|0|4000|0|0|8|N|u1|1',
        'n5|0|0|0|1000|1000|8|N|u1',
      ],
      [],
    );
    const warned = (name: string, what: string): string =>
      `online without ${what}: ${name}. Each score that counts such a node is NaN, so that no move improves it; should it be offline?`;
    expect(prepareSnapshot(raw, {}).warnings).to.deep.equal([
      warned('n1, n5', 'memory'),
      warned('n3', 'cpus, spindles by its policy'),
    ]);
    const groups = raw.groups.map((group) => ({ ...group, policy: { ...group.policy, spindleRatio: 0 } }));
    expect(prepareSnapshot({ ...raw, groups }, {}).warnings).to.include(
      warned('n4', 'spindles by its policy'),
    );
  });

  it('takes the static memory of KVM nodes before it looks for what is missing', () => {
    const raw = cluster([node('n1'), node('n2')], []);
    const kvm = { ...raw, nodes: raw.nodes.map((n, i) => (i === 0 ? { ...n, hypervisor: 'kvm' } : n)) };
    const memory = (mib: number) =>
      prepareSnapshot(kvm, { staticKvmNodeMemoryMib: mib }).snapshot.nodes.map((n) => n.nodeMemMib);
    expect(memory(4096)).to.deep.equal([4096, 1024]);
    expect(memory(0)).to.deep.equal([1024, 1024]);
    expect(prepareSnapshot(kvm, {}).warnings[1]).to.equal('node n1 is missing 1440 MB ram and 97 GB disk');
  });
});

describe('loads from the monitoring daemons', () => {
  const raw = cluster(
    [node('n1'), node('n2')],
    [instance('a', 'n1', ''), instance('b', 'n1', ''), instance('off', 'n1', '', 'ADMIN_offline|Y')],
  );

  it('share a node total out by vcpus, the node itself included', () => {
    const cpuLoadByNode = new Map([
      ['n1', 6],
      ['n2', 0],
    ]);
    const { snapshot, monitoringWarning } = prepareSnapshot(raw, {
      monitoring: { collector: 'node-total', cpuLoadByNode },
    });
    expect(snapshot.instances.map((i) => i.utilisation.cpu)).to.deep.equal([2, 2, 2]);
    expect(snapshot.nodes.map((n) => n.reportedCpuLoad)).to.deep.equal([6, 0]);
    expect(monitoringWarning).to.equal(undefined);
  });

  it('are not used at all when one node is silent', () => {
    const monitoring = { collector: 'node-total', cpuLoadByNode: new Map([['n1', 6]]) } as const;
    const { snapshot, monitoringWarning } = prepareSnapshot(raw, { monitoring });
    expect(snapshot.instances.map((i) => i.utilisation.cpu)).to.deep.equal([1, 1, 1]);
    expect(monitoringWarning).to.equal(
      "Didn't receive an answer by all MonDs, cpu-avg-load's data will be ignored.\n" +
        '  n2: no report that can be read',
    );
  });

  it('are summed up per node when they come per instance', () => {
    const cpuLoadsByNode = new Map([
      ['n1', new Map([['a', 0.5]])],
      ['n2', new Map(Object.entries({ a: 9, b: 0.25, off: 0.25 }))],
    ]);
    const { snapshot } = prepareSnapshot(raw, { monitoring: { collector: 'per-instance', cpuLoadsByNode } });
    expect(snapshot.instances.map((i) => i.utilisation.cpu)).to.deep.equal([0.5, 0.25, 0.25]);
    expect(snapshot.nodes.map((n) => n.reportedCpuLoad)).to.deep.equal([1, 0]);
  });

  it('name the instances that nobody spoke of', () => {
    const cpuLoadsByNode = new Map([
      ['n1', new Map([['b', 1]])],
      ['n2', new Map()],
    ]);
    const { monitoringWarning } = prepareSnapshot(raw, {
      monitoring: { collector: 'per-instance', cpuLoadsByNode },
    });
    expect(monitoringWarning).to.equal('No CPU information available for ["a","off"]');
  });
});
