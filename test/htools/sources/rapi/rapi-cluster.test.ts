import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type RapiAnswers, rapiCluster } from '../../../../src/htools/sources/rapi/rapi-cluster.ts';
import { problemsOf } from '../problems-of.ts';

const saved = (name: string): string => readFileSync(`testdata/live/healthy/${name}.json`, 'utf8');
const ANSWERS: RapiAnswers = {
  groups: saved('groups'),
  nodes: saved('nodes'),
  instances: saved('instances'),
  info: saved('info'),
};

const read = (changed: Partial<RapiAnswers>) =>
  problemsOf(() => rapiCluster({ ...ANSWERS, ...changed }, 's'));

/** An answer with some of its records changed. */
// biome-ignore lint/suspicious/noExplicitAny: tests damage the answers in every way.
const edited = (text: string, change: (records: any[]) => void): string => {
  const records = JSON.parse(text);
  change(records);
  return JSON.stringify(records);
};

describe('the answers of RAPI', () => {
  it('are refused with the resource, the field, the value and a remedy', () => {
    expect(read({})).to.deep.equal([]);
    for (const nodes of ['', saved('nodes').slice(0, 300), '\ufeff[]', 'null', '{}', '[1]']) {
      const [problem] = read({ nodes });
      expect(problem!.field, nodes).to.equal('nodes');
      expect(problem!.remedy, nodes).to.match(/^(this is no answer of RAPI|it should be an object)/);
    }
    const wrong: readonly (readonly [string, unknown, RegExp])[] = [
      ['mtotal', '5', /^it should be a number$/],
      ['mfree', -(2 ** 50), /^give MiB from -/],
      ['mtotal', 1e300, /^give MiB from 0/],
      ['offline', 'no', /^it should be true or false$/],
      ['ndparams', null, /^it should be an object$/],
    ];
    for (const [field, value, remedy] of wrong) {
      const nodes = edited(ANSWERS.nodes, (all) => Object.assign(all[0], { [field]: value }));
      const [problem] = read({ nodes });
      expect(problem).to.include({ field, value: JSON.stringify(value) });
      expect(problem!.remedy).to.match(remedy);
    }
  });

  it('are refused with all that is wrong in all of them', () => {
    const changes = {
      groups: edited(ANSWERS.groups, ([group]) => Object.assign(group, { alloc_policy: 'x', tags: 5 })),
      nodes: edited(ANSWERS.nodes, ([first, second, third]) => {
        Object.assign(first, { mfree: 'much', 'group.uuid': 'x' });
        Object.assign(second, { mtotal: null });
        third.name = 7;
      }),
      instances: edited(ANSWERS.instances, ([first, second]) => {
        Object.assign(first, { status: 'asleep', disk_template: 'x', beparams: 'none' });
        Object.assign(second, { pnode: 'x', snodes: [1] });
      }),
      info: edited(ANSWERS.info, (info) => Object.assign(info, { default_hypervisor: 'x' })),
    };
    const all = read(changes);
    expect(all.map(({ field }) => field)).to.deep.equal([
      ...['name', 'alloc_policy', 'tags', 'group.uuid', 'mfree', undefined],
      ...['beparams', 'disk_template', 'status', 'snodes', 'default_hypervisor'],
    ]);
    expect(all.filter(({ remedy }) => remedy === undefined)).to.deep.equal([]);
    // With the third node's name known, no node is called x for certain.
    const named = edited(changes.nodes, (nodes) => (nodes[2].name = 'node3.example.com'));
    expect(read({ ...changes, nodes: named }).map(({ field }) => field)).to.include('pnode');
  });

  it('are refused without what follows from answers or records that are none', () => {
    expect(read({ nodes: '{}', instances: '5' }).map(({ field }) => field)).to.deep.equal([
      'nodes',
      'instances',
    ]);
    const nodes = edited(ANSWERS.nodes, (all) => (all[0] = 'none'));
    expect(read({ nodes }).map(({ field }) => field)).to.deep.equal(['nodes']);
  });

  it('may hold no name or uuid twice: all that are there twice are told', () => {
    const twice = edited(ANSWERS.nodes, (all) => all.push(all[0], all[1]));
    expect(read({ nodes: twice }).map(({ value }) => value)).to.deep.equal([
      'node1.example.com',
      'node2.example.com',
    ]);
    const groups = edited(ANSWERS.groups, (all) => all.push({ ...all[0], name: 'copy' }));
    expect(read({ groups }).map(({ field }) => field)).to.deep.equal(['uuid']);
  });

  it('may not have an instance with one node for both: a file with it could not be read', () => {
    const instances = edited(ANSWERS.instances, (all) => Object.assign(all[0], { snodes: [all[0].pnode] }));
    expect(read({ instances })[0]).to.include({ field: 'snodes' });
  });
});
