import { expect } from 'chai';
import { simulateCluster } from '../../../../src/htools/sources/simulate/simulate.ts';
import { formatText } from '../../../../src/htools/sources/text/text-writer.ts';
import { problemsOf } from '../problems-of.ts';

describe('simulated clusters', () => {
  it('number groups and nodes from 1 and take the last spec first, as the stock programs do', () => {
    const text = formatText(simulateCluster(['p,2,100g,8g,4', 'u,1,50g,4g,2']));
    expect(text.split('\n').slice(0, 6)).to.deep.equal([
      'group-01|fake-uuid-01|unallocable||',
      'group-02|fake-uuid-02|preferred||',
      '',
      'node-01-001|4096|0|4096|51200|51200|2|M|fake-uuid-01|1||N|0|1|1.0',
      'node-02-001|8192|0|8192|102400|102400|4|N|fake-uuid-02|1||N|0|1|1.0',
      'node-02-002|8192|0|8192|102400|102400|4|N|fake-uuid-02|1||N|0|1|1.0',
    ]);
    expect(simulateCluster(['p,2,1,1,1']).nodes.map((node) => node.index)).to.deep.equal([1, 2]);
  });

  it('take policies in full or by letter, where a is last_resort', () => {
    const specs = ['p', 'a', 'u', 'preferred', 'last_resort', 'unallocable'].map(
      (policy) => `${policy},1,1,1,1`,
    );
    expect(simulateCluster(specs.reverse()).groups.map((group) => group.allocPolicy)).to.deep.equal([
      'preferred',
      'last_resort',
      'unallocable',
      'preferred',
      'last_resort',
      'unallocable',
    ]);
  });

  it('take spindles and exclusive storage when they are given', () => {
    const flags = (spec: string) => {
      const [node] = simulateCluster([spec]).nodes;
      return [node!.spindles, node!.hasExclusiveStorage];
    };
    expect(flags('p,1,1,1,1')).to.deep.equal([1, false]);
    expect(flags('p,1,1,1,1,8')).to.deep.equal([8, false]);
    expect(flags('p,1,1,1,1,8,True')).to.deep.equal([8, true]);
    expect(flags('p,1,1,1,1,8,(False)')).to.deep.equal([8, false]);
  });

  it('can be empty', () => expect(simulateCluster(['p,0,1,1,1']).nodes).to.have.length(0));

  it('fail with all wrong fields of all specs', () => {
    const found = problemsOf(() =>
      simulateCluster(['p,1,1,1', 'x,-1,5q,zz,1.5,9x,true', 'p,1,-5,1,1', 'toString,1,1,1,1']),
    );
    expect(found.map(({ problem }) => problem)).to.deep.equal([
      "allocation policy: 'toString' is no allocation policy",
      "disk size: '-5' is out of range",
      "allocation policy: 'x' is no allocation policy",
      "exclusive storage: cannot parse string 'true'",
      "node count: '-1' is out of range",
      "disk size: Unknown unit 'q'",
      "memory size: Can't parse string 'zz'",
      "cpu count: cannot parse string '1.5'",
      "spindles: leftover characters when parsing '9x': 'x'",
      "'p,1,1,1' has 4 fields instead of 5 to 7",
    ]);
  });

  it('fail when they would fill the memory', () => {
    const [found] = problemsOf(() => simulateCluster(['p,900000,1,1,1', 'p,900000,1,1,1']));
    expect(found!.problem).to.equal('1800000 nodes are too many');
  });
});
