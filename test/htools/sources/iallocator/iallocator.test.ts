import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { NO_NODE } from '../../../../src/htools/cluster/snapshot.ts';
import {
  parseIallocatorCluster,
  parseIallocatorRequest,
} from '../../../../src/htools/sources/iallocator/iallocator.ts';
import { problemsOf } from '../problems-of.ts';

const TEXT = readFileSync('testdata/snapshots/request.json', 'utf8');
const STATIC_MIB = 4096;

// biome-ignore lint/suspicious/noExplicitAny: tests damage the document in every way.
type Document = any;

const changed = (change: (document: Document) => void): string => {
  const document = JSON.parse(TEXT);
  change(document);
  return JSON.stringify(document);
};
const read = (text: string) => parseIallocatorRequest(text, 'request', STATIC_MIB);
const problemOf = (text: string): string | undefined => problemsOf(() => read(text))[0]?.problem;
const problemAfter = (change: (document: Document) => void) => problemOf(changed(change));
const requestAfter = (request: object) => read(changed((d) => Object.assign(d, { request }))).request;

describe('reading iallocator documents', () => {
  const { snapshot } = read(TEXT);

  it('keeps the order of the document', () => {
    expect(snapshot.nodes.map((node) => node.name)).to.deep.equal(['n2.example', 'n1.example', 'n3.example']);
    expect(snapshot.instances.map((instance) => instance.alias)).to.deep.equal(['web', 'db']);
  });

  it('keeps the order of names that are whole numbers', () => {
    const text = TEXT.replaceAll('web.example', '7').replaceAll('db.example', '3');
    expect(read(text).snapshot.instances.map((instance) => instance.name)).to.deep.equal(['7', '3']);
  });

  it('takes a list of single letters for a word, as the stock reader does, in lists of words too', () => {
    const document = changed((d) => {
      d.enabled_hypervisors = [[...'xen-pvm']];
      for (const group of Object.values<Document>(d.nodegroups)) group.alloc_policy = [...'last_resort'];
    });
    const { nodes, groups } = read(document).snapshot;
    expect(nodes[0]!.hypervisor).to.equal('xen-pvm');
    expect(groups[0]!.allocPolicy).to.equal('last_resort');
    expect(problemAfter((d) => Object.assign(d, { enabled_hypervisors: [['kvm']] }))).to.equal(
      "invalid iallocator message: key 'enabled_hypervisors': Can't parse value for 'Hypervisor': Unable to read Char",
    );
  });

  it('counts drained, offline and incapable nodes as offline', () => {
    expect(snapshot.nodes.map((node) => node.isOffline)).to.deep.equal([false, true, true]);
    const text = changed((d) => (d.nodes['n2.example'].vm_capable = false));
    expect(read(text).snapshot.nodes[0]).to.include({ isOffline: true, totalMemMib: 0, spindles: 7 });
  });

  it('takes spindles from the node with exclusive storage, and from its parameters without', () => {
    expect(snapshot.nodes.map((node) => node.spindles)).to.deep.equal([7, 3, 1]);
  });

  it('sets the first hypervisor on all nodes, and the static memory of KVM', () => {
    expect(snapshot.nodes.map((node) => [node.hypervisor, node.nodeMemMib])).to.deep.equal([
      ['kvm', STATIC_MIB],
      ['kvm', STATIC_MIB],
      ['kvm', STATIC_MIB],
    ]);
    expect(parseIallocatorCluster(TEXT, 'f').nodes[0]!.nodeMemMib).to.equal(1024);
  });

  it('reads groups with their policies', () => {
    const { policy, ...group } = snapshot.groups[0]!;
    expect(group).to.deep.equal({
      index: 0,
      name: 'beta',
      uuid: 'uuid-b',
      allocPolicy: 'last_resort',
      tags: ['t'],
      networks: ['net-1'],
    });
    expect(policy.standard).to.deep.equal({
      memoryMib: 1,
      cpuCount: 2,
      diskMib: 3,
      diskCount: 4,
      nicCount: 5,
      spindleUse: 6,
    });
    expect(policy.ranges[0]!.max.diskMib).to.equal(13);
    expect([policy.diskTemplates, policy.vcpuRatio, policy.spindleRatio]).to.deep.equal([
      ['drbd', 'ext'],
      4,
      31.5,
    ]);
  });

  it('reads instances, with fractions rounded to the even number', () => {
    const [web, db] = snapshot.instances;
    expect(web).to.deep.include({
      memMib: 1024,
      primary: 0,
      secondary: 1,
      status: 'running',
      exclusionTags: ['service:web'],
      desiredLocationTags: ['power:x'],
      nics: [{ network: 'net-1' }],
      disks: [
        { sizeMib: 512, spindles: undefined },
        { sizeMib: 256, spindles: 2 },
      ],
    });
    expect(db).to.include({ primary: 1, secondary: NO_NODE, status: 'ADMIN_down', isForthcoming: true });
    const text = changed((d) =>
      Object.assign(d.instances['web.example'].disks[0], { size: 10.5, spindles: 3.5 }),
    );
    expect(read(text).snapshot.instances[0]!.disks[0]).to.deep.equal({ sizeMib: 10, spindles: 4 });
  });

  it('reads storage pools of nodes and instances', () => {
    expect(snapshot.nodes.map((node) => node.storagePools)).to.deep.equal([
      ['internal/lvm', 'external/nas-a', 'external/nas-b'],
      undefined,
      undefined,
    ]);
    expect(snapshot.instances.map((i) => i.storagePool)).to.deep.equal([undefined, 'external/nas-a']);
  });

  it('does not ask for a request when only the cluster is wanted', () => {
    expect(
      parseIallocatorCluster(
        changed((d) => delete d.request),
        'f',
      ).nodes,
    ).to.have.length(3);
  });
});

describe('iallocator requests', () => {
  it('allocate one instance', () => {
    const { request } = read(TEXT);
    if (request.type !== 'allocate') throw new TypeError(request.type);
    expect(request.restrictToNodes).to.deep.equal(['n2.example']);
    expect(request.wanted).to.include({ requiredNodes: 1, groupName: 'beta' });
    expect(request.wanted.instance).to.deep.include({ name: 'new.example', alias: 'new.example', index: -1 });
    expect(request.wanted.instance).to.deep.include({ primary: NO_NODE, exclusionTags: ['service:web'] });
  });

  it('allocate many, all to the group of the outer request', () => {
    const { request: inner } = JSON.parse(TEXT);
    const request = requestAfter({
      type: 'multi-allocate',
      group_name: 'uuid-b',
      instances: [inner, { ...inner, name: 'x' }],
    });
    if (request.type !== 'multi-allocate') throw new TypeError(request.type);
    expect(request.wanted.map(({ instance, groupName }) => [instance.name, groupName])).to.deep.equal([
      ['new.example', 'uuid-b'],
      ['x', 'uuid-b'],
    ]);
  });

  it('relocate, by short names of nodes', () => {
    const request = {
      type: 'relocate',
      name: 'web.example',
      required_nodes: 1,
      relocate_from: ['n1', 'n2.example'],
    };
    expect(requestAfter(request)).to.deep.equal({
      type: 'relocate',
      instance: 0,
      requiredNodes: 1,
      relocateFrom: [1, 0],
    });
  });

  it('evacuate nodes, by short names of instances', () => {
    const request = { type: 'node-evacuate', instances: ['db', 'web'], evac_mode: 'primary-only' };
    expect(requestAfter(request)).to.deep.equal({
      type: 'node-evacuate',
      instances: [1, 0],
      mode: 'primary-only',
    });
  });

  it('change groups, by name or uuid', () => {
    const request = { type: 'change-group', instances: ['db'], target_groups: ['beta', 'uuid-b'] };
    expect(requestAfter(request)).to.deep.equal({
      type: 'change-group',
      instances: [1],
      targetGroups: [0, 0],
    });
  });

  it('find a new secondary, by the full name only', () => {
    expect(requestAfter({ type: 'allocate-secondary', name: 'db.example' })).to.deep.equal({
      type: 'allocate-secondary',
      instance: 1,
    });
    expect(problemAfter((d) => (d.request = { type: 'allocate-secondary', name: 'db' }))).to.equal(
      "Unknown instance 'db'",
    );
  });
});

describe('faults of iallocator documents', () => {
  // What the stock hail says on standard error behind `Error: `.
  const texts: [string, string][] = [
    ['', 'Invalid JSON: a JSON text a serialized object or array at the top level.'],
    [' {}', 'Invalid JSON: a JSON text a serialized object or array at the top level.'],
    ['[]', 'Unable to read JSObject'],
    ['[', 'Malformed JSON: invalid token in this context '],
    ['{}12345678901234567890', 'Invalid tokens at end of JSON string: "1234567890"'],
    ['{"a":1 "b":2}', 'Unable to parse JSON object: unterminated sequence:  "b":2}'],
    ['{"a" 1}', 'Malformed JSON labelled field:  1}'],
    ["{'a':1}", "Malformed JSON: expecting string: 'a':1}"],
    ['{"a":1,}', 'Malformed JSON: expecting string: }'],
    ['{"a":01}', 'Unable to parse JSON object: unterminated sequence: 1}'],
    ['{"a":-x}', 'Unable to parse JSON Rational: }'],
    ['{"a":1e-x}', 'Unable to parse JSON exponential: x}'],
    ['{"a":falsy1234567}', 'Unable to parse JSON Bool: falsy123'],
    ['{"a":[1 2]}', 'Unable to parse JSON array: unterminated array:  2]}'],
    ['{"a":"\\x"}', "Unable to parse JSON String: invalid escape char: 'x'"],
    ['{"a":"\\u12g4"}', 'Unable to parse JSON String: invalid hex: [(18,"g4'],
    ['{"a":"x', 'Unable to parse JSON String: unterminated String: '],
    ['{"a":"\t"}', 'Illegal unescaped character in string: \t"}'],
    ['['.repeat(100_000), 'Malformed JSON: nested too deeply'],
  ];
  for (const [text, problem] of texts) {
    it(`are told for ${JSON.stringify(text.slice(0, 30))} in stock's words`, () => {
      expect(problemOf(text)).to.equal(`Parsing input IAllocator message: ${problem}`);
    });
  }

  it('do not include a bare point behind a number, which the stock reader passes over', () => {
    expect(problemOf('{"a":1.}')).to.equal(
      `invalid iallocator message: key 'request' not found, object contains only ["a"]`,
    );
  });

  const changes: [string, (d: Document) => void, string][] = [
    [
      'no cluster tags',
      (d) => delete d.cluster_tags,
      "invalid iallocator message: key 'cluster_tags' not found, object contains only",
    ],
    [
      'nodes as a list',
      (d) => (d.nodes = []),
      "invalid iallocator message: key 'nodes': Unable to read JSObject",
    ],
    [
      'an unknown hypervisor',
      (d) => (d.enabled_hypervisors = ['x']),
      `invalid iallocator message: key 'enabled_hypervisors': Invalid string value for type Hypervisor: "x"`,
    ],
    ['an unknown group', (d) => (d.nodes['n1.example'].group = 'x'), "Unknown group 'x' for node n1.example"],
    [
      'memory as text',
      (d) => (d.nodes['n2.example'].free_memory = '1'),
      "invalid data for node 'n2.example': key 'free_memory': Unable to read Int",
    ],
    [
      'a total as null',
      (d) => (d.nodes['n2.example'].total_disk = null),
      "invalid data for node 'n2.example': key 'total_disk': Unable to read Double",
    ],
    [
      'a flag as a number',
      (d) => (d.nodes['n2.example'].offline = 1),
      "invalid data for node 'n2.example': key 'offline': Unable to read Bool",
    ],
    ['a node that is null', (d) => (d.nodes['n2.example'] = null), 'not an object'],
    ['parameters as a list', (d) => (d.nodes['n2.example'].ndparams = []), 'not an object'],
    ['tags as text', (d) => (d.nodes['n2.example'].tags = 'x'), "key 'tags': Unable to read list"],
    [
      'a group without name',
      (d) => delete d.nodegroups['uuid-b'].name,
      `invalid data for group 'uuid-b': key 'name' not found`,
    ],
    [
      'a policy with more',
      (d) => (d.nodegroups['uuid-b'].ipolicy.zz = 1),
      `invalid data for group 'uuid-b': key 'ipolicy': Superfluous dictionary keys: ["zz"], but only ["disk-templates","minmax","spindle-ratio","std","vcpu-ratio"] allowed.`,
    ],
    [
      'a spec with less',
      (d) => delete d.nodegroups['uuid-b'].ipolicy.std['disk-size'],
      `invalid data for group 'uuid-b': key 'ipolicy': Can't parse value for 'std': key 'disk-size' not found`,
    ],
    [
      'a ratio as text',
      (d) => (d.nodegroups['uuid-b'].ipolicy['vcpu-ratio'] = '4'),
      `invalid data for group 'uuid-b': key 'ipolicy': Can't parse value for 'vcpu-ratio': Unable to read Double`,
    ],
    [
      'an unknown template',
      (d) => (d.instances['db.example'].disk_template = 'x'),
      `invalid data for instance 'db.example': key 'disk_template': Invalid string value for type DiskTemplate: "x"`,
    ],
    [
      'disks as text',
      (d) => (d.instances['db.example'].disks = 'x'),
      'Invalid input, expected array but got "x"',
    ],
    [
      'a disk without size',
      (d) => (d.instances['db.example'].disks = [{}]),
      "invalid data for instance 'db.example': key 'size' not found, object contains only []",
    ],
    [
      'an unknown nic mode',
      (d) => (d.instances['db.example'].nics = [{ mode: 'x' }]),
      'invalid NIC mode in instance db.example',
    ],
    [
      'a nic with a number',
      (d) => (d.instances['db.example'].nics = [{ link: 1 }]),
      "key 'link': Unable to read String",
    ],
    ['a nic that is none', (d) => (d.instances['db.example'].nics = ['x']), 'not an object'],
    ['no nodes', (d) => (d.instances['db.example'].nodes = []), 'empty node list for instance db.example'],
    [
      'an unknown node',
      (d) => (d.instances['db.example'].nodes = ['x']),
      "Unknown node 'x' for instance db.example",
    ],
    ['a node that is a number', (d) => (d.instances['db.example'].nodes = [1]), 'Wrong JSON type'],
    [
      'a huge number',
      (d) => (d.instances['db.example'].memory = 1e30),
      "invalid data for instance 'db.example': key 'memory': the number is too large",
    ],
    [
      'an unknown storage type',
      (d) => (d.instances['db.example'].storage_type = 'x'),
      "invalid data for instance 'db.example': key 'storage_type': Invalid string value",
    ],
    [
      'mirrored disks elsewhere',
      (d) => (d.instances['db.example'].disk_template = 'drbd'),
      "invalid data for instance 'db.example': key 'storage_pool': external/nas-a is external",
    ],
    ['an unknown request', (d) => (d.request.type = 'x'), "Invalid request type 'x'"],
    ['a request without name', (d) => delete d.request.name, "invalid request dict: key 'name' not found"],
    [
      'a wish without memory',
      (d) => delete d.request.memory,
      "invalid data for instance 'new.example': key 'memory' not found",
    ],
    [
      'an unknown instance',
      (d) => (d.request = { type: 'node-evacuate', instances: ['x'] }),
      'Wrong number of elems found with name x',
    ],
    [
      'an unknown mode',
      (d) => (d.request = { type: 'node-evacuate', instances: [], evac_mode: 'x' }),
      `invalid request dict: key 'evac_mode': Invalid string value for type EvacMode: "x"`,
    ],
    [
      'a list for a name',
      (d) => (d.request.name = [1]),
      "invalid request dict: key 'name': Unable to read Char",
    ],
  ];
  for (const [what, change, problem] of changes) {
    it(`include ${what}`, () =>
      expect(problemAfter(change)).to.satisfy((text: string) => text.startsWith(problem), problem));
  }

  it('are told all together, those of the request behind those of the cluster', () => {
    const text = changed((d) => {
      Object.assign(d.nodes['n2.example'], { free_memory: '1', total_disk: null });
      Object.assign(d.instances['db.example'], { nodes: ['x', 'n2.example'], disk_template: 'x' });
      d.instances['web.example'].nics = [{ mode: 'x' }];
      d.nodegroups['uuid-b'].ipolicy.std = [];
      d.cluster_tags = [''];
      Object.assign(d.request, { memory: '5', vcpus: -1 });
    });
    const problems = problemsOf(() => read(text));
    expect(problems.map(({ field }) => field)).to.deep.equal([
      ...['std', 'free_memory', 'total_disk', 'mode', 'disk_template', 'nodes', 'cluster_tags'],
      ...['memory', 'vcpus'],
    ]);
    for (const { remedy, problem } of problems) expect(remedy, problem).to.be.a('string');
  });

  it('are told without those that follow from others', () => {
    const fields = (change: (document: Document) => void) =>
      problemsOf(() => read(changed(change))).map(({ field }) => field);
    expect(fields((d) => (d.nodes = 'none'))).to.deep.equal(['nodes']);
    expect(fields((d) => delete d.request)).to.deep.equal(['request']);
    expect(fields((d) => (d.nodes['n2.example'] = 'none'))).to.deep.equal(['n2.example']);
    expect(fields((d) => (d.nodes['n3.example'].offline = 'yes'))).to.deep.equal(['offline']);
  });

  it('show the beginning of values that are too deep to write out', () => {
    const deep = (piece: string, end: string) => piece.repeat(200_000) + end.repeat(200_000);
    const marked = changed((d) => (d.nodes['n2.example'].free_memory = 'HERE'));
    const [problem] = problemsOf(() =>
      read(marked.replace('"HERE"', deep('{"a":', '}').replace(':}', ':1}'))),
    );
    expect(problem).to.include({ field: 'free_memory' });
    expect(problem!.value)
      .to.match(/^\{"a":\{"a":/)
      .and.to.have.length.below(100);
  });

  it('are the only thing that damaged documents end in', () => {
    const noise = fc.constantFrom(
      '',
      '"',
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '1e',
      '-',
      '\\',
      '\\u',
      'null',
      '\u0001',
      '[[',
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(TEXT.length), fc.nat(20), noise), { minLength: 1, maxLength: 3 }),
        (cuts) => {
          const damaged = cuts.reduce(
            (text, [at, count, put]) => text.slice(0, at) + put + text.slice(at + count),
            TEXT,
          );
          const found = problemsOf(() => read(damaged));
          for (const { problem } of found) expect(problem).to.be.a('string').and.not.empty;
        },
      ),
      { numRuns: 500 },
    );
  });
});
