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
