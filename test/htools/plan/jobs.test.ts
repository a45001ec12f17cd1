import { expect } from 'chai';
import {
  FAILOVER,
  FAILOVER_TO_ANY,
  type Move,
  REPLACE_SECONDARY,
} from '../../../src/htools/model/moves/kinds.ts';
import { inJobSets, involvedNodes, jobSets } from '../../../src/htools/plan/jobs.ts';
import { aCluster, aPlan, type InstanceSketch } from './cluster-builder.ts';

/** Instances on the pairs given, on eight nodes; the answer is the instances of each job set. */
function setsOf(pairs: readonly (readonly [number, number])[], moves: readonly Move[]): number[][] {
  const instances = pairs.map(
    ([primary, secondary]): InstanceSketch =>
      secondary < 0 ? { primary, secondary, diskTemplate: 'ext' } : { primary, secondary },
  );
  const start = aCluster({ nodes: Array.from({ length: 8 }, () => ({})), instances });
  const { steps } = aPlan({ start, moves });
  return jobSets(start, steps).map((set) => set.map(({ step }) => step.instance));
}

const failover = (instance: number): Move => ({ instance, kind: FAILOVER, target: -1 });

describe('job sets', () => {
  it('are none for a plan without steps', () => {
    expect(setsOf([], [])).to.deep.equal([]);
  });

  it('hold consecutive moves that share no node', () => {
    const pairs = [
      [0, 1],
      [2, 3],
      [4, 5],
      [1, 2],
    ] as const;
    expect(setsOf(pairs, [failover(0), failover(1), failover(2), failover(3)])).to.deep.equal([
      [0, 1],
      [2, 3],
    ]);
  });

  it('are made as long as they get from the end, as in the stock program', () => {
    const pairs = [
      [0, 1],
      [2, 3],
      [0, 4],
    ] as const;
    expect(setsOf(pairs, [failover(0), failover(1), failover(2)])).to.deep.equal([[0], [1, 2]]);
  });

  it('count the nodes that an instance leaves as of the step before, not as of the start', () => {
    const pairs = [
      [0, 1],
      [2, 1],
    ] as const;
    const moves: Move[] = [
      { instance: 0, kind: REPLACE_SECONDARY, target: 3 },
      failover(1),
      { instance: 0, kind: REPLACE_SECONDARY, target: 4 },
    ];
    expect(setsOf(pairs, moves)).to.deep.equal([[0], [1, 0]]);
  });

  it('hold at most one move of an instance', () => {
    expect(setsOf([[0, 1]], [failover(0), failover(0)])).to.deep.equal([[0], [0]]);
  });

  it('count both ends of a move on shared storage', () => {
    const move = (instance: number, target: number): Move => ({ instance, kind: FAILOVER_TO_ANY, target });
    const pairs = [
      [0, -1],
      [2, -1],
      [1, -1],
    ] as const;
    expect(setsOf(pairs, [move(0, 1), move(1, 3), move(2, 4)])).to.deep.equal([[0], [1, 2]]);
  });
});

describe('steps brought forward into few job sets', () => {
  const orderOf = (tags: readonly string[]): number[] => {
    const pairs = [
      [0, 1],
      [1, 2],
      [3, 4],
    ] as const;
    const start = aCluster({
      nodes: Array.from({ length: 8 }, () => ({})),
      instances: pairs.map(([primary, secondary], i) => ({ primary, secondary, tags: i > 0 ? tags : [] })),
    });
    const { steps } = aPlan({ start, moves: pairs.map((_, instance) => failover(instance)) });
    return inJobSets(start, steps, steps.length).map(({ instance }) => instance);
  };

  it('overtake what shares no node with them', () => {
    expect(orderOf([])).to.deep.equal([0, 2, 1]);
  });

  it('overtake none of a set that is to be together', () => {
    expect(orderOf(['htools:together:pair'])).to.deep.equal([0, 1, 2]);
  });
});

describe('the nodes of a job', () => {
  it('are the new ones and then the old ones, each once', () => {
    const start = aCluster({ nodes: [{}, {}, {}], instances: [{}] });
    const { steps } = aPlan({ start, moves: [{ instance: 0, kind: REPLACE_SECONDARY, target: 2 }] });
    expect(involvedNodes(start, steps[0]!)).to.deep.equal([0, 2, 1]);
  });
});
