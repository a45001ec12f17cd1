import { expect } from 'chai';
import type { IallocatorRequest, NewInstance } from '../../../../src/htools/cluster/iallocator-request.ts';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { FAILOVER_TO_ANY, REPLACE_SECONDARY } from '../../../../src/htools/model/moves/kinds.ts';
import { scoreOf } from '../../../../src/htools/model/score/scorer.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import type { Answer, AnswerOptions } from '../../../../src/htools/planners/answer/answer.ts';
import { answerRequest } from '../../../../src/htools/planners/answer/answer-request.ts';
import {
  type ClusterSketch,
  type InstanceSketch,
  instanceFrom,
  smallCluster,
  times,
} from '../../../builders/small-cluster.ts';

const wanted = (sketch: InstanceSketch = {}, more: Partial<NewInstance> = {}): NewInstance => ({
  instance: { ...instanceFrom({ name: 'new', primary: -1, secondary: -1, ...sketch }, 0), index: -1 },
  requiredNodes: sketch.diskTemplate === undefined || sketch.diskTemplate === 'drbd' ? 2 : 1,
  ...more,
});

/** The answer, if it is one of the kind. */
async function answered<K extends Answer['kind']>(
  kind: K,
  snapshot: Snapshot,
  request: IallocatorRequest,
  options?: Partial<AnswerOptions>,
) {
  const { answer, after } = await answerRequest(snapshot, request, options);
  if (answer.kind !== kind) throw new Error(`the answer is of kind ${answer.kind}`);
  return { answer: answer as Extract<Answer, { kind: K }>, after };
}

/** Two groups of three nodes; the first has an instance. */
const twoGroups = (more: Partial<ClusterSketch> = {}): Snapshot =>
  smallCluster({
    groups: [{}, {}],
    nodes: times(6, (n) => ({ group: n < 3 ? 0 : 1 })),
    instances: [{}],
    ...more,
  });

describe('an allocation request', () => {
  it('is answered with the pair of nodes that leaves the best score', async () => {
    const snapshot = smallCluster({ nodes: times(3, () => ({})), instances: [{ memMib: 4096 }] });
    const { answer, after } = await answered('allocation', snapshot, { type: 'allocate', wanted: wanted() });
    expect(answer.isGranted).to.equal(true);
    const { placement } = answer.outcomes[0]!;
    const scores = [0, 1, 2].flatMap((primary) =>
      [0, 1, 2].flatMap((secondary) => {
        if (primary === secondary) return [];
        const placed = { ...wanted().instance, primary, secondary };
        const with_ = smallCluster({ nodes: times(3, () => ({})), instances: [{ memMib: 4096 }, placed] });
        return [{ primary, secondary, score: scoreOf(new ClusterState(with_), [0, 1, 2]) }];
      }),
    );
    const lowest = Math.min(...scores.map(({ score }) => score));
    const mine = scores.find(
      (one) => one.primary === placement!.primary && one.secondary === placement!.secondary,
    );
    expect(mine!.score).to.be.closeTo(lowest, 1e-12);
    expect(after.instances.find(({ name }) => name === 'new')).to.include({
      primary: placement!.primary,
      secondary: placement!.secondary,
    });
  });

  it('for a group without one of its networks is refused, on a dedicated cluster as on others', async () => {
    const exclusive = { hasExclusiveStorage: true, spindles: 10, freeSpindles: 10 };
    for (const make of [{}, exclusive]) {
      const snapshot = twoGroups({
        groups: [{ networks: ['lan'] }, {}],
        nodes: times(6, (n) => ({ group: n < 3 ? 0 : 1, ...make })),
        instances: [],
      });
      const attemptIn = async (groupName: string) => {
        const disks = [{ sizeMib: 4096, spindles: 1 }];
        const sketch: InstanceSketch = { diskTemplate: 'plain', disks, nics: [{ network: 'lan' }] };
        const request = { type: 'allocate', wanted: wanted(sketch, { groupName }) } as const;
        const { answer } = await answered('allocation', snapshot, request);
        return { isGranted: answer.isGranted, attempt: answer.outcomes[0]!.attempt };
      };
      expect((await attemptIn('group1')).isGranted).to.equal(true);
      expect(await attemptIn('group2')).to.deep.equal({
        isGranted: false,
        attempt: { kind: 'in-group', group: 1, answer: { kind: 'unconnected' } },
      });
    }
  });

  it('changes nothing where it is refused, and counts the rules that did', async () => {
    const snapshot = smallCluster({ nodes: times(2, () => ({})), instances: [] });
    const request = { type: 'allocate', wanted: wanted({ memMib: 99999 }) } as const;
    const { answer, after } = await answered('allocation', snapshot, request);
    expect(answer.isGranted).to.equal(false);
    expect(after).to.equal(snapshot);
    const { attempt } = answer.outcomes[0]!;
    expect(attempt.kind === 'over-groups' && attempt.search.offers).to.have.lengthOf(1);
  });

  it('keeps to the nodes that the options name, or else the request', async () => {
    const snapshot = smallCluster({ nodes: times(5, () => ({})), instances: [] });
    const nodesOf = async (restrictToNodes: string[], restrictTo?: string[]) => {
      const request = { type: 'allocate', wanted: wanted(), restrictToNodes } as const;
      const { answer } = await answered('allocation', snapshot, request, { restrictTo });
      const { primary, secondary } = answer.outcomes[0]!.placement!;
      return [primary, secondary].sort();
    };
    expect(await nodesOf(['node2', 'node5'])).to.deep.equal([1, 4]);
    expect(await nodesOf(['node2', 'node5'], ['node1', 'node3'])).to.deep.equal([0, 2]);
  });

  it('goes to the group of that name, and nowhere where none or several bear it', async () => {
    const ask = (groupName: string, snapshot = twoGroups()) =>
      answered('allocation', snapshot, { type: 'allocate', wanted: wanted({}, { groupName }) });
    const found = (await ask('group2')).answer;
    expect(found.outcomes[0]!.placement).to.include({ group: 1 });
    expect(found.accounts).to.have.lengthOf(1);
    for (const snapshot of [twoGroups(), twoGroups({ groups: [{ name: 'x' }, { name: 'x' }] })]) {
      const none = (await ask('x', snapshot)).answer;
      expect(none.isGranted).to.equal(false);
      expect(none.outcomes[0]!.attempt).to.deep.equal({ kind: 'no-such-group', name: 'x' });
    }
  });
});

describe('a request for many instances', () => {
  it('places one after another, and those that find no place do not end it', async () => {
    const snapshot = smallCluster({ nodes: times(3, () => ({})), instances: [] });
    const { answer, after } = await answered('allocation', snapshot, {
      type: 'multi-allocate',
      wanted: [
        wanted({ name: 'one', memMib: 9000 }),
        wanted({ name: 'huge', memMib: 99999 }, { groupName: 'group1' }),
        wanted({ name: 'two', memMib: 9000 }),
      ],
    });
    expect(answer.isGranted).to.equal(true);
    expect(answer.outcomes.map(({ placement }) => placement !== undefined)).to.deep.equal([
      true,
      false,
      true,
    ]);
    const primaries = answer.outcomes.flatMap(({ placement }) => placement?.primary ?? []);
    expect(new Set(primaries).size, 'the second meets what the first left').to.equal(2);
    expect(after.instances.map(({ name }) => name)).to.deep.equal(['one', 'two']);
  });

  it('asks one group of a dedicated cluster, once the first is there', async () => {
    const exclusive = { hasExclusiveStorage: true, spindles: 10, freeSpindles: 10 };
    const snapshot = twoGroups({
      nodes: times(6, (n) => ({ group: n < 3 ? 0 : 1, ...exclusive })),
      instances: [],
    });
    const one = { diskTemplate: 'plain', disks: [{ sizeMib: 4096, spindles: 1 }] } as const;
    const { answer } = await answered('allocation', snapshot, {
      type: 'multi-allocate',
      wanted: ['one', 'two'].map((name) => wanted({ ...one, name })),
    });
    const asked = answer.outcomes.map(({ attempt }) =>
      attempt.kind === 'over-groups' ? attempt.search.candidates : [],
    );
    expect(asked).to.deep.equal([[0, 1], [answer.outcomes[0]!.placement!.group]]);
  });

  it('is measured by what it costs where its group has exclusive storage, whatever other groups have', async () => {
    const snapshot = twoGroups({
      nodes: times(6, (n) => ({
        group: n < 3 ? 0 : 1,
        hasExclusiveStorage: n < 3,
        spindles: 10,
        freeSpindles: 10,
      })),
      instances: [],
    });
    const disks = [{ sizeMib: 4096, spindles: 1 }];
    const measureIn = async (...names: (string | undefined)[]) => {
      const ones = names.map((groupName, k) =>
        wanted(
          { diskTemplate: 'plain', disks, name: `new${k}` },
          groupName === undefined ? {} : { groupName },
        ),
      );
      const { answer } = await answered('allocation', snapshot, { type: 'multi-allocate', wanted: ones });
      return answer.measure;
    };
    expect(await measureIn('group1')).to.equal('lost-allocations');
    expect(await measureIn('group1', 'group1')).to.equal('lost-allocations');
    expect(await measureIn('group2')).to.equal('score');
    expect(await measureIn('group1', 'group2')).to.equal('score');
    expect(await measureIn(undefined)).to.equal('score');
  });

  it('is refused as a whole at the first that no node could be tried for', async () => {
    const snapshot = smallCluster({ nodes: times(3, () => ({})), instances: [] });
    const { answer, after } = await answered('allocation', snapshot, {
      type: 'multi-allocate',
      wanted: [
        wanted({ name: 'one' }),
        wanted({ name: 'three' }, { requiredNodes: 3 }),
        wanted({ name: 'two' }),
      ],
    });
    expect(answer.isGranted).to.equal(false);
    expect(answer.outcomes.map(({ instance }) => instance.name)).to.deep.equal(['one', 'three']);
    expect(after).to.equal(snapshot);
  });
});

describe('a request for a secondary', () => {
  it('gives one to an instance that has none, on another node of its group', async () => {
    const snapshot = twoGroups({ instances: [{ diskTemplate: 'plain' }] });
    const { answer, after } = await answered('secondary', snapshot, {
      type: 'allocate-secondary',
      instance: 0,
    });
    expect(answer.isGranted).to.equal(true);
    expect(after.instances).to.have.lengthOf(1);
    expect(after.instances[0]).to.include({ diskTemplate: 'drbd', primary: 0 });
    expect(after.instances[0]!.secondary).to.be.oneOf([1, 2]);
  });

  it('has a score where the primary is drained and another node has no cpus', async () => {
    const nodes = [{ isOffline: true }, {}, { totalCpus: 0, nodeCpus: 1 }];
    const snapshot = smallCluster({ nodes, instances: [{ diskTemplate: 'plain' }] });
    const { answer } = await answered('secondary', snapshot, { type: 'allocate-secondary', instance: 0 });
    const best = 'solution' in answer ? answer.solution.best : undefined;
    // What stock's hail answers.
    expect(best).to.deep.include({ primary: 0, secondary: 2 });
    expect(best!.metric.toFixed(8)).to.equal('20.58250000');
  });

  it('has score 0 where no node is online', async () => {
    const nodes = [{ isOffline: true }, { isOffline: true }];
    const snapshot = smallCluster({ nodes, instances: [{ diskTemplate: 'plain' }] });
    const { answer } = await answered('secondary', snapshot, { type: 'allocate-secondary', instance: 0 });
    expect('solution' in answer && answer.solution.best).to.deep.include({ secondary: 1, metric: 0 });
  });

  it('is refused for one that has a secondary', async () => {
    const { answer } = await answered('secondary', twoGroups(), { type: 'allocate-secondary', instance: 0 });
    expect(answer).to.deep.equal({ kind: 'secondary', isGranted: false, refusal: 'has-secondary' });
  });
});

describe('a relocation request', () => {
  const relocate = (snapshot: Snapshot, relocateFrom: number[], requiredNodes = 1) =>
    answered('relocation', snapshot, { type: 'relocate', instance: 0, requiredNodes, relocateFrom });

  it('finds another secondary for a mirrored instance, and another primary on shared storage', async () => {
    const mirrored = (await relocate(twoGroups(), [1])).answer;
    expect(mirrored.isGranted && mirrored.target).to.equal(2);
    expect(mirrored.isGranted && mirrored.outcome.moves).to.deep.equal([
      { kind: REPLACE_SECONDARY, target: 2 },
    ]);
    const shared = (await relocate(twoGroups({ instances: [{ diskTemplate: 'ext' }] }), [0])).answer;
    expect(shared.isGranted && shared.outcome.moves.map(({ kind }) => kind)).to.deep.equal([FAILOVER_TO_ANY]);
  });

  it('says why it cannot be', async () => {
    const refusal = async (...args: Parameters<typeof relocate>) => {
      const { answer, after } = await relocate(...args);
      expect(after).to.equal(args[0]);
      return answer.isGranted ? undefined : answer.refusal;
    };
    expect(await refusal(twoGroups(), [1], 2)).to.deep.equal({ kind: 'node-count', count: 2 });
    expect(await refusal(twoGroups(), [0])).to.deep.equal({
      kind: 'other-nodes',
      role: 'secondary',
      leaving: 1,
      asked: [0],
    });
    const plain = twoGroups({ instances: [{ diskTemplate: 'plain' }] });
    expect(await refusal(plain, [0])).to.deep.equal({ kind: 'not-mirrored' });
    const full = smallCluster({ nodes: times(2, () => ({})), instances: [{}] });
    expect(await refusal(full, [1])).to.deep.equal({
      kind: 'no-node',
      failure: { kind: 'no-target', refusals: [] },
    });
  });
});

describe('an evacuation request', () => {
  /** The other nodes of the first group have no memory to take the instance. */
  const crowded = (more: Partial<ClusterSketch> = {}): Snapshot =>
    twoGroups({
      nodes: times(6, (n) => ({ group: n < 3 ? 0 : 1, ...((n === 1 || n === 2) && { freeMemMib: 100 }) })),
      instances: [{ diskTemplate: 'ext' }],
      ...more,
    });
  const evacuate = (snapshot: Snapshot, options?: Partial<AnswerOptions>) =>
    answered('evacuation', snapshot, { type: 'node-evacuate', instances: [0], mode: 'all' }, options);

  it('moves instances off their nodes within their group', async () => {
    const { answer, after } = await evacuate(twoGroups({ instances: [{ diskTemplate: 'ext' }] }));
    expect(answer.outcomes[0]).to.deep.include({ instance: 0, isMoved: true, group: 0 });
    expect(answer.elsewhere).to.equal(undefined);
    expect(after.instances[0]!.primary).to.be.oneOf([1, 2]);
  });

  it('tells where one could go that its group cannot keep, and moves it there only if it may', async () => {
    const told = await evacuate(crowded());
    expect(told.answer.outcomes[0]!.isMoved).to.equal(false);
    expect(told.answer.elsewhere).to.deep.include({ isCarriedOut: false, stranded: [] });
    expect(told.answer.elsewhere!.moved[0]).to.include({ instance: 0, group: 1 });
    expect(told.after.instances[0]!.primary).to.equal(0);

    const moved = await evacuate(crowded(), { allowIntergroup: true });
    expect(moved.answer.outcomes).to.deep.equal(moved.answer.elsewhere!.moved);
    expect(moved.answer.elsewhere!.isCarriedOut).to.equal(true);
    expect(moved.after.instances[0]!.primary).to.be.oneOf([3, 4, 5]);
  });

  it('keeps everything where a tag of the cluster says so', async () => {
    const { answer } = await evacuate(crowded({ tags: ['htools:nointergroup'] }), { allowIntergroup: true });
    expect(answer.outcomes.map(({ isMoved }) => isMoved)).to.deep.equal([false]);
    expect(answer.elsewhere).to.deep.equal({ isCarriedOut: true, moved: [], stranded: [] });
  });
});

describe('a request for another group', () => {
  it('moves instances there, and says of each that stays what every group said', async () => {
    const snapshot = twoGroups({
      nodes: times(6, (n) => (n < 3 ? { group: 0 } : { group: 1, totalMemMib: 8192 })),
      instances: [{ diskTemplate: 'ext' }, { diskTemplate: 'ext', memMib: 9000, primary: 1 }],
    });
    const request = { type: 'change-group', instances: [0, 1], targetGroups: [] } as const;
    const { answer, after } = await answered('evacuation', snapshot, request);
    const [moved, stays] = answer.outcomes;
    expect(moved).to.deep.include({ isMoved: true, group: 1 });
    expect(stays?.isMoved === false && stays.failure.kind).to.equal('no-group');
    expect(after.instances.map(({ primary }) => (primary < 3 ? 0 : 1))).to.deep.equal([1, 0]);
  });

  it('moves none against a soft rule, though it looks for nodes without them', async () => {
    const snapshot = twoGroups({
      tags: ['htools:iextags:service'],
      instances: times(4, (i) => ({
        diskTemplate: 'ext' as const,
        tags: ['service:mail'],
        primary: i === 0 ? 0 : i + 2,
      })),
    });
    const request = { type: 'change-group', instances: [0], targetGroups: [1] } as const;
    const kindOf = async (ignoreSoftErrors: boolean) => {
      const { answer } = await answered('evacuation', snapshot, request, { ignoreSoftErrors });
      const [outcome] = answer.outcomes;
      return outcome!.isMoved || outcome!.failure.kind;
    };
    expect(await kindOf(false)).to.equal('no-group');
    expect(await kindOf(true)).to.equal('no-target');
  });
});
