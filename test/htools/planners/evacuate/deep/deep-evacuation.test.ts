import { expect } from 'chai';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { checkPlan } from '../../../../../src/htools/plan/checker/check.ts';
import { answerOn } from '../../../../../src/htools/planners/answer/answer-request.ts';
import { planOfAnswer } from '../../../../../src/htools/planners/answer/judged.ts';
import { deepEvacuation } from '../../../../../src/htools/planners/evacuate/deep/deep-evacuation.ts';
import { EvacuationTrace } from '../../../../../src/htools/planners/evacuate/evacuation-trace.ts';
import { Evacuator } from '../../../../../src/htools/planners/evacuate/evacuator.ts';
import { type ClusterSketch, smallCluster, times } from '../../../../builders/small-cluster.ts';

const way = deepEvacuation({ seed: 1, candidates: 300_000, clock: () => 0 });

/** A small and a large instance leave a node; the large one fits on the second node only. */
const largeAndSmall = (isDead: boolean): ClusterSketch => ({
  nodes: [{ isOffline: isDead }, {}, {}],
  tags: ['htools:iextags:service'],
  instances: [
    { diskTemplate: 'rbd', primary: 0, memMib: 2048, tags: ['service:mail'] },
    { diskTemplate: 'rbd', primary: 0, memMib: 8192 },
    { diskTemplate: 'rbd', primary: 1, memMib: 6144 },
    { diskTemplate: 'rbd', primary: 2, memMib: 12288, tags: ['service:mail'] },
  ],
});

/**
 * So many instances change to their secondaries, each to where the next one is: there is room for one of
 * them.
 */
const oneAfterTheOther = (count: number): ClusterSketch => ({
  nodes: times(count + 1, () => ({})),
  instances: times(count, (k) => ({ primary: k, secondary: k + 1, memMib: 8192 })),
});

describe('a deep evacuation', () => {
  it('leaves out the soft rules where moves come from a dead node, and only there', () => {
    const ends = [true, false].map((isDead) => {
      const state = new ClusterState(smallCluster(largeAndSmall(isDead)));
      way(state, [0, 1], 'primary-only', { ignoreSoftErrors: false });
      return [...state.primary];
    });
    expect(ends).to.deep.equal([
      [2, 1, 1, 2],
      [1, 0, 1, 2],
    ]);
  });

  it('lets those go first that make room for others', async () => {
    for (const count of [2, 3]) {
      const snapshot = smallCluster(oneAfterTheOther(count));
      const instances = times(count, (k) => k);
      const stock = new Evacuator(new ClusterState(snapshot), true).evacuate(instances, 'primary-only');
      expect(stock.filter(({ isMoved }) => isMoved)).to.have.length(1);
      const request = { type: 'node-evacuate', instances, mode: 'primary-only' } as const;
      const options = { ignoreSoftErrors: true, capacityChecks: true, evacuate: way };
      const answer = await answerOn(new ClusterState(snapshot), request, options);
      const outcomes = answer.kind === 'evacuation' ? answer.outcomes : [];
      expect(outcomes.map(({ instance, isMoved }) => [instance, isMoved])).to.deep.equal(
        instances.toReversed().map((i) => [i, true]),
      );
      expect(checkPlan(planOfAnswer(snapshot, request, answer, true)!)).to.deep.equal([]);
    }
  });

  it('gives an account of each instance once, with what refuses those that stay', () => {
    const sketch = largeAndSmall(false);
    const state = new ClusterState(
      smallCluster({ ...sketch, instances: [...sketch.instances!, { diskTemplate: 'rbd', memMib: 15_000 }] }),
    );
    const evacuations = new EvacuationTrace(state);
    way(state, [4, 0, 1], 'primary-only', { ignoreSoftErrors: true, evacuations });
    expect(
      evacuations.entries.map(({ outcome, primary, refused }) => [
        outcome.instance,
        outcome.isMoved,
        primary,
        refused.length,
      ]),
    ).to.deep.equal([
      [0, true, 0, 0],
      [1, true, 0, 0],
      [4, false, 0, 2],
    ]);
  });

  it('finds in each of many groups what it finds there alone, with tables of that group', () => {
    const count = 200;
    const sketch = largeAndSmall(false);
    const inGroup = (group: number) => ({
      nodes: sketch.nodes.map((node) => ({ ...node, group })),
      instances: sketch.instances!.map((one) => ({ ...one, primary: one.primary! + 3 * group })),
    });
    const groups = times(count, inGroup);
    const whole = smallCluster({
      ...sketch,
      groups: times(count, () => ({})),
      nodes: groups.flatMap(({ nodes }) => nodes),
      instances: groups.flatMap(({ instances }) => instances),
    });
    const state = new ClusterState(whole);
    const { SharedArrayBuffer: plain } = globalThis;
    let bytes = 0;
    globalThis.SharedArrayBuffer = class extends plain {
      constructor(length = 0) {
        super(length);
        bytes += length;
      }
    };
    try {
      // In the second and in the last group.
      const last = 4 * (count - 1);
      way(state, [4, last, 5, last + 1], 'primary-only', { ignoreSoftErrors: false });
    } finally {
      globalThis.SharedArrayBuffer = plain;
    }
    const alone = new ClusterState(smallCluster(sketch));
    way(alone, [0, 1], 'primary-only', { ignoreSoftErrors: false });
    for (const group of [1, count - 1])
      expect([...state.primary].slice(4 * group, 4 * group + 4)).to.deep.equal(
        [...alone.primary].map((n) => n + 3 * group),
      );
    expect(bytes).to.be.below(100_000);
  });

  it('keeps where those may go that leave, and not all instances of their group', () => {
    const count = 300;
    const instances = times(10 * count, (k) => ({
      diskTemplate: 'rbd' as const,
      memMib: 16,
      primary: k % count,
    }));
    const state = new ClusterState(smallCluster({ nodes: times(count, () => ({})), instances }));
    const { Uint8Array: plain } = globalThis;
    let largest = 0;
    globalThis.Uint8Array = new Proxy(plain, {
      construct(target, args: [number]) {
        const made = new target(...args);
        largest = Math.max(largest, made.length);
        return made;
      },
    });
    try {
      const short = deepEvacuation({ seed: 1, candidates: 1, clock: () => 0 });
      short(state, [0, count], 'primary-only', { ignoreSoftErrors: false });
    } finally {
      globalThis.Uint8Array = plain;
    }
    expect(largest).to.be.within(2 * count, instances.length * 4);
  });

  it('answers as the stock program where all nodes of a group are offline', () => {
    const { nodes, ...rest } = largeAndSmall(true);
    const state = new ClusterState(smallCluster({ ...rest, nodes: nodes.map(() => ({ isOffline: true })) }));
    const outcomes = way(state, [0, 1], 'all', { ignoreSoftErrors: false });
    expect(outcomes.map(({ isMoved }) => isMoved)).to.deep.equal([false, false]);
  });

  it('leaves a request alone that names an instance twice', () => {
    const end = (evacuate: (state: ClusterState) => unknown): number[] => {
      const state = new ClusterState(smallCluster(largeAndSmall(true)));
      evacuate(state);
      return [...state.primary];
    };
    expect(end((state) => way(state, [0, 1, 0], 'primary-only', { ignoreSoftErrors: false }))).to.deep.equal(
      end((state) => new Evacuator(state, false).evacuate([0, 1, 0], 'primary-only')),
    );
  });
});
