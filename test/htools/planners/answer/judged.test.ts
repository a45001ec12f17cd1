import { expect } from 'chai';
import { FAILOVER, REPLACE_SECONDARY } from '../../../../src/htools/model/moves/kinds.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import type { Answer } from '../../../../src/htools/planners/answer/answer.ts';
import { carriedOut, judged } from '../../../../src/htools/planners/answer/judged.ts';
import type { Evacuation } from '../../../../src/htools/planners/evacuate/outcome.ts';
import { smallCluster } from '../../../builders/small-cluster.ts';

// The first three leave node 1; node 4 has no disk left for any of them.
const start = smallCluster({
  nodes: [{}, {}, {}, { freeDiskMib: 0 }],
  instances: [{ secondary: 1 }, { secondary: 1 }, { secondary: 1 }],
});
const request = { type: 'node-evacuate', instances: [0, 1, 2], mode: 'secondary-only' } as const;

const toSecondary = (instance: number, target: number): Evacuation => ({
  instance,
  isMoved: true,
  moves: [{ kind: REPLACE_SECONDARY, target }],
  group: 0,
  primary: 0,
  secondary: target,
});

const answerOf = (...outcomes: Evacuation[]): Answer => ({ kind: 'evacuation', isGranted: true, outcomes });

describe("the checker's word on an answer", () => {
  it('leaves an answer alone that stands', () => {
    const found = answerOf(toSecondary(0, 2), toSecondary(1, 2));
    expect(judged(start, request, found, false)).to.deep.equal({ answer: found, faults: [] });
  });

  it('keeps an instance whose moves break a rule where it is, with the reason, and grants the others', () => {
    const { answer, faults } = judged(start, request, answerOf(toSecondary(0, 2), toSecondary(1, 3)), false);
    expect(faults.map(({ rule }) => rule)).to.include('disk');
    if (answer.kind !== 'evacuation') throw new Error(answer.kind);
    expect(answer.outcomes[0]).to.deep.equal(toSecondary(0, 2));
    expect(answer.outcomes[1]).to.deep.include({ instance: 1, isMoved: false });
    expect(JSON.stringify(answer.outcomes[1])).to.include('check-refused').and.include('disk: ');
  });

  it('keeps an instance where it is that would go to a node which another one is to leave', () => {
    const snapshot = smallCluster({ nodes: [{}, {}, {}], instances: [{ secondary: 1 }, { secondary: 2 }] });
    const both = { ...request, instances: [0, 1] };
    const { answer, faults } = judged(snapshot, both, answerOf(toSecondary(0, 2)), false);
    expect(faults).to.have.length(1);
    expect(answer.kind === 'evacuation' && answer.outcomes[0]).to.deep.include({
      instance: 0,
      isMoved: false,
    });
  });

  it('judges the rest anew, since it may rest on what is refused', () => {
    const twice = { ...toSecondary(0, 2), moves: [{ kind: FAILOVER, target: -1 }] } as Evacuation;
    const again = toSecondary(0, 2);
    const { answer } = judged(start, request, answerOf(toSecondary(1, 2), again, twice), false);
    if (answer.kind !== 'evacuation') throw new Error(answer.kind);
    expect(answer.outcomes.map(({ isMoved }) => isMoved)).to.deep.equal([true, false, false]);
  });

  it('refuses a relocation whose only move it refuses', () => {
    const found: Answer = {
      kind: 'relocation',
      instance: 0,
      isGranted: true,
      outcome: toSecondary(0, 3) as Extract<Evacuation, { isMoved: true }>,
      target: 3,
    };
    const relocation = { type: 'relocate', instance: 0, requiredNodes: 1, relocateFrom: [1] } as const;
    const { answer } = judged(start, relocation, found, false);
    expect(answer).to.deep.include({ kind: 'relocation', instance: 0, isGranted: false });
  });

  it('shows the cluster with what is left of the answer carried out', () => {
    const { answer } = judged(start, request, answerOf(toSecondary(0, 2), toSecondary(1, 3)), false);
    const state = carriedOut(new ClusterState(start), answer);
    expect([...state.secondary]).to.deep.equal([2, 1, 1]);
  });
});
