import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  INSTANCE_FIELDS,
  type LuxiAnswers,
  luxiCluster,
  NODE_FIELDS,
} from '../../../../src/htools/sources/luxi/luxi-cluster.ts';
import { problemsOf } from '../problems-of.ts';

const NO_DATA = 2;

// biome-ignore lint/suspicious/noExplicitAny: tests damage the answers in every way.
type Answers = any;

/** What is wrong with the recorded answers, once they are changed. */
const read = (change: (answers: Answers) => void) => {
  const [nodes, instances, cluster, groups, networks] = readFileSync(
    'testdata/live/healthy/luxi.jsonl',
    'utf8',
  )
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(JSON.parse(line).answer).result);
  const answers = { nodes, instances, cluster, groups, networks };
  change(answers);
  return problemsOf(() => luxiCluster(answers as LuxiAnswers, 's'));
};

const node = (answers: Answers, row: number, field: string) =>
  answers.nodes.data[row][NODE_FIELDS.indexOf(field)];
const instance = (answers: Answers, row: number, field: string) =>
  answers.instances.data[row][INSTANCE_FIELDS.indexOf(field)];

describe('the answers of a master daemon', () => {
  it('are refused with all that is wrong in all of them, each with a remedy', () => {
    expect(read(() => undefined)).to.deep.equal([]);
    const all = read((answers) => {
      node(answers, 0, 'mtotal')[1] = '5';
      node(answers, 0, 'tags')[1] = 5;
      for (const field of ['mtotal', 'mfree', 'ctotal']) node(answers, 1, field)[0] = NO_DATA;
      node(answers, 2, 'name')[1] = '';
      answers.nodes.data[3][0] = 'no cell';
      answers.nodes.data[4] = [];
      instance(answers, 0, 'status')[1] = 'asleep';
      instance(answers, 0, 'disk.sizes')[1] = ['large'];
      instance(answers, 1, 'pnode')[1] = 5;
      answers.networks = 'none';
      answers.cluster.master = 5;
    });
    expect(all.map(({ field, problem }) => field ?? problem)).to.deep.equal([
      ...['name', 'name', 'data', 'data', 'mtotal', 'tags'],
      "Node 'node2.example.com', error while reading attribute 'mtotal': No data for a field",
      ...['disk.sizes', 'status', 'pnode', 'master'],
    ]);
    expect(all.filter(({ remedy }) => remedy === undefined)).to.deep.equal([]);
  });
});
