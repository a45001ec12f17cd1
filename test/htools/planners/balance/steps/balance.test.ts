/** Runs of the balancer. The steps expected are those that the stock hbal takes on the same clusters. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { prepareSnapshot } from '../../../../../src/htools/cluster/prepare/prepare.ts';
import { optimalScore, scoreOf } from '../../../../../src/htools/model/score/scorer.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { parseText } from '../../../../../src/htools/sources/text/text.ts';
import { smallCluster, times } from '../../../../builders/small-cluster.ts';
import { inWords, stepsOf, wordsOf } from '../../../../builders/steps-in-words.ts';

const EXAMPLE = new URL('../../../../../testdata/docs/metrics.data', import.meta.url);
const example = prepareSnapshot(parseText(readFileSync(EXAMPLE), 'metrics.data'), {}).snapshot;

/** Four instances on the first of three nodes. */
const leaning = () =>
  smallCluster({ nodes: times(3, () => ({})), instances: times(4, () => ({ memMib: 2048 })) });
/** One node offline with two instances on it, and a little imbalance among the others. */
const failed = () =>
  smallCluster({
    nodes: [{ isOffline: true }, {}, {}, {}],
    instances: [
      { primary: 0, secondary: 1 },
      { primary: 2, secondary: 0 },
      ...times(3, () => ({ primary: 1, secondary: 2, memMib: 2048 })),
    ],
  });

describe('balancing', () => {
  it('takes the steps and scores that stock hbal prints for the example of the documentation', () => {
    const steps = stepsOf(example);
    expect(steps.map((step) => `${inWords(example, step)} ${step.score.toFixed(8)}`)).to.deep.equal([
      'mail f r:node-b 16.46847907',
      'web2 r:node-c f 5.88684481',
      'web1 r:node-c 4.77067749',
      'web2 r:node-b 4.76859785',
      'next r:node-a 4.74502763',
    ]);
    expect(steps[0]).to.include({ fromPrimary: 3, fromSecondary: 2, toPrimary: 2, toSecondary: 1 });
  });

  it('evens out what leans to one side', () => {
    expect(wordsOf(leaning())).to.deep.equal(['inst1 f r:node3 f', 'inst2 f r:node3', 'inst3 r:node3 f']);
  });

  it('leaves a balanced cluster alone', () => {
    const even = smallCluster({
      nodes: times(3, () => ({})),
      instances: times(3, (k) => ({ primary: k, secondary: (k + 1) % 3 })),
    });
    expect(wordsOf(even)).to.deep.equal([]);
    expect(wordsOf(smallCluster({ nodes: [{}, {}] }))).to.deep.equal([]);
  });

  it('takes no step where a score is not a number', () => {
    const sizeless = smallCluster({
      nodes: [{}, {}, { totalMemMib: 0, nodeMemMib: 0, totalCpus: 0 }],
      instances: times(3, () => ({})),
    });
    expect(wordsOf(sizeless)).to.deep.equal([]);
  });

  it('moves between the given nodes only, and only instances that live there', () => {
    const two = smallCluster({
      groups: [{}, {}],
      nodes: [{}, {}, {}, { group: 1 }, { group: 1 }, { group: 1 }],
      instances: [
        ...times(4, () => ({ memMib: 2048 })),
        ...times(4, () => ({ memMib: 2048, primary: 3, secondary: 4 })),
      ],
    });
    const steps = stepsOf(two, { nodes: [3, 4, 5] });
    expect(steps.length).to.be.above(1);
    for (const { instance, toPrimary, toSecondary } of steps) {
      expect(instance).to.be.within(4, 7);
      expect(toPrimary).to.be.within(3, 5);
      expect(toSecondary).to.be.within(3, 5);
    }
  });

  it('leaves instances that are excluded, not balanced automatically, or on local disks', () => {
    const stuck = smallCluster({
      nodes: times(3, () => ({})),
      instances: [
        { isMovable: false, memMib: 2048 },
        { isAutoBalanced: false, memMib: 2048 },
        { diskTemplate: 'plain', memMib: 2048 },
        { diskTemplate: 'diskless', memMib: 2048 },
      ],
    });
    expect(wordsOf(stuck)).to.deep.equal([]);
  });

  it('leaves a mirrored instance without a secondary', () => {
    const halved = smallCluster({
      nodes: times(3, () => ({})),
      instances: [{ secondary: -1, memMib: 4096 }, ...times(2, () => ({ memMib: 2048 }))],
    });
    expect(wordsOf(halved).length).to.be.above(0);
    expect(wordsOf(halved).filter((step) => step.startsWith('inst1'))).to.deep.equal([]);
  });

  it('moves instances on shared storage to any node', () => {
    const shared = smallCluster({
      nodes: times(3, () => ({})),
      instances: times(3, () => ({ diskTemplate: 'rbd' as const, memMib: 2048 })),
    });
    expect(wordsOf(shared)).to.deep.equal(['inst1 fa:node2', 'inst2 fa:node3']);
  });

  it('brings everything to the last node that is online', () => {
    const last = smallCluster({
      nodes: [{ isOffline: true }, {}],
      instances: [{ memMib: 512 }, { memMib: 2048 }, { memMib: 1000 }],
    });
    expect(wordsOf(last)).to.deep.equal(['inst2 f', 'inst3 f', 'inst1 f']);
    const alike = smallCluster({ nodes: [{ isOffline: true }, {}], instances: times(3, () => ({})) });
    expect(wordsOf(alike), 'the first of those that tie').to.deep.equal(['inst1 f', 'inst2 f', 'inst3 f']);
  });

  it('covers exclusive storage and reserved instances', () => {
    const exclusive = { hasExclusiveStorage: true, spindles: 10, freeSpindles: 4 };
    const dedicated = smallCluster({
      nodes: times(3, () => exclusive),
      instances: times(3, () => ({ memMib: 2048, disks: [{ sizeMib: 4096, spindles: 2 }] })),
    });
    expect(wordsOf(dedicated)).to.deep.equal(['inst1 f r:node3 f', 'inst2 f', 'inst3 r:node3']);
    const reserved = smallCluster({
      nodes: times(3, () => ({})),
      instances: times(3, () => ({ memMib: 2048, isForthcoming: true })),
    });
    expect(wordsOf(reserved)).to.deep.equal(['inst1 r:node3 f', 'inst2 f r:node3']);
  });
});

describe('a balancing run may be told', () => {
  it('to leave disks where they are', () => {
    expect(wordsOf(leaning(), { diskMoves: false })).to.deep.equal(['inst1 f', 'inst2 f']);
  });

  it('to leave primaries where they are', () => {
    expect(wordsOf(leaning(), { instanceMoves: false })).to.deep.equal(['inst1 r:node3', 'inst2 r:node3']);
  });

  it('not to migrate but from offline nodes', () => {
    expect(wordsOf(leaning(), { restrictedMigration: true })).to.deep.equal([
      'inst1 f',
      'inst2 f',
      'inst1 r:node3',
      'inst1 f',
      'inst3 r:node3',
    ]);
    expect(wordsOf(failed(), { restrictedMigration: true })).to.deep.equal([
      'inst1 f r:node4',
      'inst2 r:node4',
      'inst1 f',
      'inst3 f',
      'inst4 r:node4',
      'inst2 f',
    ]);
  });

  it('to empty offline nodes and do nothing else', () => {
    expect(wordsOf(failed(), { evacuationOnly: true })).to.deep.equal(['inst1 f r:node4 f', 'inst2 r:node4']);
    expect(wordsOf(leaning(), { evacuationOnly: true })).to.deep.equal([]);
  });

  it('to pass over soft rules', () => {
    const tags = ['service:web'];
    const twins = smallCluster({
      tags: ['htools:iextags:service'],
      nodes: times(2, () => ({})),
      instances: [
        ...times(5, () => ({ diskTemplate: 'plain' as const })),
        { tags, memMib: 3072 },
        { tags, primary: 1, secondary: 0, vcpus: 2 },
      ],
    });
    expect(wordsOf(twins)).to.deep.equal([]);
    expect(wordsOf(twins, { ignoreSoftErrors: true })).to.deep.equal(['inst6 f']);
  });
});

describe('a balancing run stops', () => {
  const all = stepsOf(example);
  const start = scoreOf(new ClusterState(example), [0, 1, 2, 3]);

  it('after so many steps', () => {
    expect(stepsOf(example, { maxSteps: 2 })).to.deep.equal(all.slice(0, 2));
    expect(stepsOf(example, { maxSteps: 0 })).to.deep.equal([]);
    expect(stepsOf(example, { maxSteps: 99 })).to.deep.equal(all);
  });

  it('when the score is within the least score of its lower bound', () => {
    const bound = optimalScore(new ClusterState(example), [0, 1, 2, 3]);
    const second = all[1]!.score;
    expect(stepsOf(example, { minScore: second - bound + 1e-6 })).to.deep.equal(all.slice(0, 2));
    expect(stepsOf(example, { minScore: second - bound - 1e-6 })).to.deep.equal(all.slice(0, 3));
    expect(stepsOf(example, { minScore: start })).to.deep.equal([]);
  });

  it('at a step that gains too little, once the score is at the limit or below', () => {
    const gain = all[2]!.score - all[3]!.score;
    const limited = { minGainLimit: 10, minGain: gain * 2 };
    expect(stepsOf(example, limited), 'the fourth step gains too little').to.deep.equal(all.slice(0, 3));
    expect(stepsOf(example, { ...limited, minGain: gain * 0.99 })).to.deep.equal(all);
    const before = all[2]!.score;
    expect(stepsOf(example, { ...limited, minGainLimit: before }), 'at the limit').to.deep.equal(
      all.slice(0, 3),
    );
    const higher = stepsOf(example, { ...limited, minGainLimit: before - 1e-9 });
    expect(higher.length, 'above the limit any gain will do').to.be.above(3);
  });

  it('hands out each step when it is taken, the score with it', () => {
    for (const [k, step] of all.entries())
      expect(step.score).to.be.below(k === 0 ? start : all[k - 1]!.score);
  });
});
