import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import type { EvacuationMode } from '../../../../src/htools/cluster/iallocator-request.ts';
import { ALLOWED } from '../../../../src/htools/cluster/refusal.ts';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { mirroringOf } from '../../../../src/htools/cluster/templates.ts';
import { applyMove } from '../../../../src/htools/model/moves/apply.ts';
import { FAILOVER, FAILOVER_TO_ANY, REPLACE_SECONDARY } from '../../../../src/htools/model/moves/kinds.ts';
import { scoreOf } from '../../../../src/htools/model/score/scorer.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { GroupAllocation } from '../../../../src/htools/planners/allocate/by-group/group-allocation.ts';
import { Evacuator } from '../../../../src/htools/planners/evacuate/evacuator.ts';
import type { EvacuationMove } from '../../../../src/htools/planners/evacuate/outcome.ts';
import { movesTo, PairRelocation } from '../../../../src/htools/planners/evacuate/pair-relocation.ts';
import { nodesByGroup, randomCluster } from '../../../builders/random-cluster.ts';
import { roundCluster } from '../../../builders/round-cluster.ts';
import { forSeeds } from '../../../builders/seeds.ts';
import { instanceFrom, type NodeSketch, smallState, times } from '../../../builders/small-cluster.ts';

const applyAll = (
  state: ClusterState,
  i: number,
  moves: readonly EvacuationMove[],
  force: boolean,
): boolean => moves.every(({ kind, target }) => applyMove(state, i, kind, target, force) === ALLOWED);

/** The last of the lowest-scored lists of moves that can be carried out. */
function bestMoves(
  state: ClusterState,
  i: number,
  nodes: readonly number[],
  candidates: readonly (readonly EvacuationMove[])[],
  force: boolean,
): readonly EvacuationMove[] | undefined {
  let best: readonly EvacuationMove[] | undefined;
  let lowest: number | undefined;
  for (const moves of candidates) {
    const mark = state.journal.mark();
    if (applyAll(state, i, moves, force)) {
      const score = scoreOf(state, nodes);
      if (lowest === undefined || !(lowest < score)) {
        lowest = score;
        best = moves;
      }
    }
    state.journal.rollback(mark);
  }
  return best;
}

const drbdOf = (snapshot: Snapshot): number[] =>
  [...snapshot.instances.keys()].filter(
    (i) => snapshot.instances[i]!.diskTemplate === 'drbd' && snapshot.instances[i]!.secondary >= 0,
  );

const pairsOf = (nodes: readonly number[]) =>
  nodes.flatMap((primary) => nodes.filter((n) => n !== primary).map((secondary) => ({ primary, secondary })));

const pooledCluster = (seed: number): Snapshot => roundCluster(seed, { hasPools: true });

const CLUSTERS = [
  { where: 'on clusters of all kinds', clusterOf: (seed: number) => randomCluster(seed) },
  { where: 'where nodes reach some storage pools only', clusterOf: pooledCluster },
];

describe('a relocation of both nodes', () => {
  for (const { where, clusterOf } of CLUSTERS)
    it(`takes the pair that playing the moves of every pair finds, ${where}`, () => {
      let found = 0;
      forSeeds(
        150,
        (seed) => {
          const random = new Random(seed, 'pairs');
          const snapshot = clusterOf(seed);
          const state = new ClusterState(snapshot);
          const drbd = drbdOf(snapshot);
          if (drbd.length === 0) return;
          const i = random.pick(drbd);
          const nodes = random.pick(nodesByGroup(snapshot));
          const force = random.chance(0.3);
          const targets = nodes.filter(
            (n) => !state.isOffline[n] && n !== state.primary[i] && n !== state.secondary[i],
          );
          const moves = new PairRelocation(state, nodes, force).find(i, targets);
          const candidates = pairsOf(targets).map((pair) => movesTo(state, i, pair));
          const expected = bestMoves(state, i, nodes, candidates, force);
          if (expected) found++;
          expect('kind' in moves ? undefined : moves).to.deep.equal(expected);
        },
        [436601497],
      );
      expect(found).to.be.greaterThan(20);
    });

  it('plays pairs of equal nodes, too: which of them come first in the sums decides the last bits', () => {
    const state = smallState({
      nodes: times(24, () => ({ totalMemMib: 3000, totalDiskMib: 7000 })),
      instances: [{ primary: 0, secondary: 1, memMib: 700, diskMib: 900 }],
    });
    const nodes = [...state.snapshot.nodes.keys()];
    const targets = nodes.slice(2);
    const candidates = pairsOf(targets).map((pair) => movesTo(state, 0, pair));
    const moves = new PairRelocation(state, nodes, false).find(0, targets);
    expect(moves).to.deep.equal(bestMoves(state, 0, nodes, candidates, false));
    expect(moves).not.to.deep.equal(candidates.at(-1));
  });

  it('fails over first when the primary is offline', () => {
    const state = smallState({
      nodes: [{ isOffline: true }, {}, {}, {}],
      instances: [{ primary: 0, secondary: 1 }],
    });
    expect(movesTo(state, 0, { primary: 2, secondary: 3 }).map((move) => move.kind)).to.deep.equal([
      FAILOVER,
      REPLACE_SECONDARY,
      FAILOVER,
      REPLACE_SECONDARY,
    ]);
  });
});

describe('an evacuation', () => {
  for (const { where, clusterOf } of CLUSTERS)
    it(`moves one instance where trying every target finds the best score, ${where}`, () => {
      let found = 0;
      forSeeds(80, (seed) => {
        const random = new Random(seed, 'targets');
        const snapshot = clusterOf(seed);
        const state = new ClusterState(snapshot);
        const movable = [...snapshot.instances.keys()].filter((i) => {
          const { diskTemplate, secondary } = snapshot.instances[i]!;
          return mirroringOf(diskTemplate) === 'external' || (diskTemplate === 'drbd' && secondary >= 0);
        });
        if (movable.length === 0) return;
        const i = random.pick(movable);
        const isDrbd = snapshot.instances[i]!.diskTemplate === 'drbd';
        const p = state.primary[i]!;
        const s = state.secondary[i]!;
        const nodes = nodesByGroup(snapshot).find((group) => group.includes(p))!;
        const force = random.chance(0.3);
        const targets = nodes.filter((n) => !state.isOffline[n] && n !== p && (!isDrbd || n !== s));
        const kind = isDrbd ? REPLACE_SECONDARY : FAILOVER_TO_ANY;
        // Disks are copied from a primary that can be reached only.
        const open = isDrbd && !state.isReachable[p] ? [] : targets;
        const candidates = open.map((target) => [{ kind, target }] as const);
        const expected = bestMoves(state, i, nodes, candidates, force);
        const mode = isDrbd ? 'secondary-only' : 'primary-only';
        const [outcome] = new Evacuator(state, force).evacuate([i], mode);
        if (expected) found++;
        expect(outcome!.isMoved ? outcome!.moves : undefined).to.deep.equal(expected);
      });
      expect(found).to.be.greaterThan(20);
    });

  it('sends nothing to a node that another of the instances is to leave', () => {
    const state = smallState({
      nodes: times(4, () => ({})),
      instances: [
        { diskTemplate: 'ext', primary: 0 },
        { diskTemplate: 'ext', primary: 1 },
        { diskTemplate: 'ext', primary: 2 },
      ],
    });
    const outcomes = new Evacuator(state, false).evacuate([0, 1, 2], 'primary-only');
    expect(outcomes.map((outcome) => outcome.isMoved && outcome.primary)).to.deep.equal([3, 3, 3]);
  });

  it('says what keeps an instance on its nodes', () => {
    const state = smallState({
      nodes: [{}, { totalMemMib: 2048 }],
      instances: [
        { diskTemplate: 'plain' },
        { diskTemplate: 'ext' },
        { diskTemplate: 'ext', memMib: 8192 },
        { memMib: 4096, primary: 0, secondary: 1 },
      ],
    });
    const evacuator = new Evacuator(state, false);
    const failures = [
      ...evacuator.evacuate([0], 'primary-only'),
      ...evacuator.evacuate([1], 'secondary-only'),
      ...evacuator.evacuate([2, 3], 'primary-only'),
      ...evacuator.evacuate([3], 'all'),
    ].map((outcome) => (outcome.isMoved ? undefined : outcome.failure));
    expect(failures).to.deep.equal([
      { kind: 'unmovable', template: 'plain' },
      { kind: 'no-secondary', template: 'ext' },
      { kind: 'no-target', refusals: [{ node: 1, code: 1 }] },
      { kind: 'failover-refused', code: 1 },
      { kind: 'no-pair', last: undefined },
    ]);
  });
});

describe('a DRBD instance whose record names no secondary', () => {
  for (const mode of ['primary-only', 'secondary-only', 'all'] as const)
    it(`stays, as its data are on its node alone (${mode})`, () => {
      const state = smallState({ nodes: times(4, () => ({})), instances: [{ secondary: -1 }] });
      expect(new Evacuator(state, false).evacuate([0], mode)).to.deep.equal([
        { instance: 0, isMoved: false, failure: { kind: 'unmovable', template: 'drbd' } },
      ]);
    });
});

describe('a change of group', () => {
  const sketch = {
    groups: [{}, {}, {}],
    nodes: [...times(2, () => ({})), ...times(2, () => ({ group: 1 })), ...times(2, () => ({ group: 2 }))],
    instances: [
      { primary: 0, secondary: 1 },
      { diskTemplate: 'ext' as const, primary: 0 },
    ],
  };
  const optionsOf = { ignoreSoftErrors: false, capacityChecks: true };

  it('goes to a group that is asked for', () => {
    const state = smallState(sketch);
    const allocation = new GroupAllocation(state, optionsOf);
    const outcomes = new Evacuator(state, false).changeGroup([0, 1], [1], allocation);
    expect(outcomes.map((outcome) => outcome.isMoved && outcome.group)).to.deep.equal([1, 1]);
    expect(
      [state.primary[0], state.secondary[0], state.primary[1]].every((n) => n === 2 || n === 3),
    ).to.equal(true);
  });

  it('leaves an instance that has no other group to go to, and says which groups it was', () => {
    const state = smallState(sketch);
    const allocation = new GroupAllocation(state, optionsOf);
    const [outcome] = new Evacuator(state, false).changeGroup([0], [0], allocation);
    expect(outcome).to.deep.include({ instance: 0, isMoved: false });
    expect(outcome!.isMoved ? undefined : outcome!.failure).to.deep.include({
      kind: 'no-group',
      allowed: [],
    });
  });

  it('takes no more room in the pool that an instance is in, and goes only where that is reached', () => {
    const reaching = { storagePools: ['internal/lvm', 'external/nas'] };
    const state = smallState({
      tags: ['htools:poolsize:external/nas:4096:0'],
      groups: [{}, {}, {}],
      nodes: [reaching, { group: 1, storagePools: ['internal/lvm'] }, { group: 2, ...reaching }],
      instances: [{ diskTemplate: 'ext', storagePool: 'external/nas' }],
    });
    const allocation = new GroupAllocation(state, { ...optionsOf, capacityChecks: false });
    const outcomes = new Evacuator(state, false).changeGroup([0], [], allocation);
    expect(outcomes.map((outcome) => outcome.isMoved && outcome.primary)).to.deep.equal([2]);
  });

  it('takes account of what has moved before', () => {
    const state = smallState({
      groups: [{}, {}],
      nodes: [...times(2, () => ({})), ...times(2, () => ({ group: 1 }))],
      instances: times(3, () => ({ ...instanceFrom({ diskTemplate: 'ext', memMib: 6000 }, 0), primary: 0 })),
    });
    const allocation = new GroupAllocation(state, { ...optionsOf, capacityChecks: false });
    const outcomes = new Evacuator(state, false).changeGroup([0, 1, 2], [], allocation);
    const perNode = [2, 3].map((n) => outcomes.filter((o) => o.isMoved && o.primary === n).length);
    expect(perNode.sort()).to.deep.equal([1, 2]);
  });
});

describe('an evacuation while other nodes are under maintenance', () => {
  const dead = { isOffline: true, isReachable: false };
  const drained = { isOffline: true, isReachable: true };
  const outcomeOf = (mode: EvacuationMode, primary: NodeSketch, secondary: NodeSketch) =>
    new Evacuator(smallState({ nodes: [primary, secondary, {}, {}], instances: [{}] }), false).evacuate(
      [0],
      mode,
    )[0]!;
  const kindsOf = (mode: EvacuationMode, primary: NodeSketch, secondary: NodeSketch) => {
    const outcome = outcomeOf(mode, primary, secondary);
    return outcome.isMoved ? outcome.moves.map(({ kind }) => kind) : outcome.failure;
  };

  it('copies no disk from a primary that is offline, and does from one that is drained', () => {
    expect(kindsOf('secondary-only', dead, {})).to.deep.equal({ kind: 'unreachable', node: 0 });
    expect(kindsOf('secondary-only', drained, {})).to.deep.equal([REPLACE_SECONDARY]);
  });

  it('fails over to no secondary that is offline, and does to one that is drained', () => {
    expect(kindsOf('primary-only', {}, dead)).to.deep.equal({ kind: 'unreachable', node: 1 });
    expect(kindsOf('primary-only', {}, drained)).to.deep.equal([FAILOVER]);
  });

  it('off both nodes begins at the one that has the data and can be reached', () => {
    const byPrimary = [REPLACE_SECONDARY, FAILOVER, REPLACE_SECONDARY];
    expect(kindsOf('all', drained, dead)).to.deep.equal(byPrimary);
    expect(kindsOf('all', {}, dead)).to.deep.equal(byPrimary);
    expect(kindsOf('all', dead, drained)).to.deep.equal([FAILOVER, ...byPrimary]);
    expect(kindsOf('all', drained, drained)).to.deep.equal([FAILOVER, ...byPrimary]);
    expect(kindsOf('all', dead, dead)).to.deep.equal({ kind: 'unreachable', node: 0 });
  });
});
