import { expect } from 'chai';
import type { Instance } from '../../../../../src/htools/cluster/snapshot.ts';
import { moveNotation } from '../../../../../src/htools/plan/commands.ts';
import { USUAL_RATES } from '../../../../../src/htools/plan/price.ts';
import {
  type Relocation,
  relocate,
  sendBack,
} from '../../../../../src/htools/planners/groups/relocate/relocation.ts';
import {
  jobSchedule,
  relocationCommands,
  relocationCost,
} from '../../../../../src/htools/planners/groups/relocate/relocation-plan.ts';
import { smallState, times } from '../../../../builders/small-cluster.ts';
import { stateImage } from '../state-image.ts';

const GROUPS = [{}, {}];
/** Three nodes in the first group, the third one offline, and three in the second. */
const NODES = [{}, {}, { isOffline: true }, ...times(3, () => ({ group: 1 }))];

const moved = (
  state: ReturnType<typeof smallState>,
  i: number,
  primary: number,
  secondary: number,
): Relocation => relocate(state, i, { group: 1, primary, secondary }) as Relocation;

describe('a relocation to another group', () => {
  it('makes the new primary a secondary, changes over, and replaces the new secondary', () => {
    const state = smallState({ groups: GROUPS, nodes: NODES, instances: [{}] });
    const relocation = moved(state, 0, 3, 4);
    expect(relocation.steps.map((step) => moveNotation(state.snapshot, step))).to.deep.equal([
      'r:node4',
      'f r:node5',
    ]);
    expect(relocationCommands(state.snapshot, relocation)).to.deep.equal([
      'gnt-instance replace-disks -n node4 inst1',
      'gnt-instance migrate -f inst1',
      'gnt-instance replace-disks -n node5 inst1',
    ]);
  });

  it('fails over first when the primary is offline, and leaves it to Ganeti whether the instance runs afterwards', () => {
    const state = smallState({
      groups: GROUPS,
      nodes: NODES,
      instances: ['ERROR_nodeoffline', 'ERROR_nodedown', 'ERROR_wrongnode'].map((status) => ({
        primary: 2,
        secondary: 0,
        memMib: 512,
        status: status as Instance['status'],
      })),
    });
    for (const i of [0, 1, 2])
      expect(relocationCommands(state.snapshot, moved(state, i, 3, 4))).to.deep.equal([
        `gnt-instance failover -f inst${i + 1}`,
        `gnt-instance replace-disks -n node4 inst${i + 1}`,
        `gnt-instance migrate -f --allow-failover inst${i + 1}`,
        `gnt-instance replace-disks -n node5 inst${i + 1}`,
      ]);
  });

  it('fails over again where it may not be migrated, whoever knows whether it runs', () => {
    const state = smallState({
      groups: GROUPS,
      nodes: NODES,
      instances: [{ primary: 2, secondary: 0, status: 'ERROR_nodedown', tags: ['htools:nomigrate'] }],
    });
    expect(relocationCommands(state.snapshot, moved(state, 0, 3, 4))[2]).to.equal(
      'gnt-instance failover -f inst1',
    );
  });

  it('migrates what runs on a node that is offline by option or drained, as hbal does', () => {
    const state = smallState({
      groups: GROUPS,
      nodes: NODES,
      instances: [{ primary: 2, diskTemplate: 'ext' }],
    });
    expect(relocationCommands(state.snapshot, moved(state, 0, 3, -1))).to.deep.equal([
      'gnt-instance migrate -f -n node4 inst1',
    ]);
  });

  it('is refused without a trace when a node has no room', () => {
    const state = smallState({
      groups: GROUPS,
      nodes: NODES,
      instances: [{ memMib: 15359 }, { primary: 3, secondary: 5 }],
    });
    const before = stateImage(state);
    expect(relocate(state, 0, { group: 1, primary: 3, secondary: 4 })).to.equal(undefined);
    expect(stateImage(state)).to.deep.equal(before);
  });

  it('can be taken back, whatever came later', () => {
    const state = smallState({ groups: GROUPS, nodes: NODES, instances: [{}, { diskTemplate: 'ext' }] });
    const before = stateImage(state);
    const first = moved(state, 0, 3, 4);
    const second = moved(state, 1, 3, -1);
    sendBack(state, first);
    sendBack(state, second);
    expect(stateImage(state)).to.deep.equal(before);
  });
});

describe('the schedule of relocations', () => {
  const state = smallState({
    groups: GROUPS,
    nodes: NODES,
    instances: [
      { diskTemplate: 'ext', primary: 2, memMib: 1000, status: 'ERROR_nodeoffline' },
      { diskTemplate: 'ext', primary: 2, memMib: 2000, status: 'ERROR_nodeoffline' },
      { diskTemplate: 'ext', primary: 0, memMib: 3000 },
      { diskTemplate: 'ext', primary: 1, memMib: 500 },
    ],
  });
  const targets = [3, 4, 3, 5];
  const relocations = targets.map((target, i) => moved(state, i, target, -1));

  it('runs jobs side by side that share no online node, and the others behind them', () => {
    const sets = jobSchedule(state.snapshot, relocations).map((set) => set.map(({ instance }) => instance));
    expect(sets).to.deep.equal([[0, 1, 3], [2]]);
  });

  it('keeps the order of what is to be on one node: whether one may come depends on where the others are', () => {
    const { snapshot } = state;
    const tags = ['htools:together:pair'];
    const instances = snapshot.instances.map((one, i) => (i === 0 || i === 3 ? { ...one, tags } : one));
    const sets = jobSchedule({ ...snapshot, instances }, relocations);
    expect(sets.map((set) => set.map(({ instance }) => instance))).to.deep.equal([
      [0, 1],
      [2, 3],
    ]);
  });

  it('takes as long as the longest job of each set; what leaves a dead node takes no memory along', () => {
    const cost = relocationCost(state.snapshot, relocations, {
      ...USUAL_RATES,
      migration: 50,
      rewritten: 2,
      job: 5,
    });
    expect(cost).to.deep.equal({
      instances: 4,
      copiedMib: 0,
      migrations: 2,
      migratedMemMib: 3500,
      failovers: 2,
      seconds: (500 * 2) / 50 + 5 + (3000 * 2) / 50 + 5,
      bandwidthMibPerSecond: 100,
    });
  });
});
