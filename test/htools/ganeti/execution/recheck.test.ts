/** What stands against jobs in a cluster that was read anew. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { reachableNames } from '../../../../src/htools/cluster/instance-status.ts';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import type { Instance, Node, Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import {
  changesAgainst,
  placeOf,
  ruleChanges,
  seemsDone,
  unkept,
} from '../../../../src/htools/ganeti/execution/recheck.ts';
import {
  type InstanceJob,
  type NodeJob,
  type Work,
  withPromisedRoom,
  workJob,
} from '../../../../src/htools/ganeti/execution/work.ts';
import {
  type MoveKind,
  placementAfter,
  REPLACE_AND_FAILOVER,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import { changeText, refusedText } from '../../../../src/htools/programs/shared/execute/text.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { SMALL } from './played.ts';

const START = prepareSnapshot(parseText(readFileSync(SMALL), SMALL), {}).snapshot;
const positionOf = (list: readonly { readonly name: string }[], name: string): number =>
  list.findIndex((one) => one.name === `${name}.example.com`);

/** One job: a move of an instance to a node. */
function moving(start: Snapshot, name: string, kind: MoveKind, to: string): Work {
  const instance = positionOf(start.instances, name);
  const target = positionOf(start.nodes, to);
  const { primary, secondary } = start.instances[instance]!;
  const [toPrimary, toSecondary] = placementAfter(kind, primary, secondary, target);
  const ends = { fromPrimary: primary, fromSecondary: secondary, toPrimary, toSecondary };
  const steps = [{ instance, kind, target, ...ends, score: 0 }];
  return {
    sets: [[workJob(start, start, { steps, nodes: [primary, secondary, target] }, reachableNames(start))]],
    limits: { ignoreSoftErrors: false, diskMoves: true },
    nodeOptions: { offline: [], minDiskRatio: 0 },
  };
}

/** The cluster with other figures of a node. */
const changed = (name: string, figures: Partial<Node>): Snapshot => ({
  ...START,
  nodes: START.nodes.map((node) => (node.name === `${name}.example.com` ? { ...node, ...figures } : node)),
});

const against = (fresh: Snapshot, work: Work): string[] =>
  changesAgainst(fresh, work.sets[0]!, work).map(changeText);

describe('looking again before jobs are submitted', () => {
  // web2 is on node2, its other half on node1.
  const work = moving(START, 'web2', REPLACE_AND_FAILOVER, 'node4');

  it('finds nothing where nothing has changed', () => {
    expect(against(START, work)).to.deep.equal([]);
    expect(ruleChanges(START, work.sets[0]!, work)).to.deep.equal([]);
  });

  it('names what a rule says, for one message about a plan, too', () => {
    const refusals = ruleChanges(changed('node4', { freeMemMib: 100 }), work.sets[0]!, work);
    expect(refusedText('hbal', refusals)).to.match(
      /^hbal: the plan has steps that the cluster does not allow, and nothing was submitted:\n {2}web2 on node4: .* MiB memory left/,
    );
  });

  it('takes no room for gone on a node that cannot be asked, when the disks there only stay', () => {
    const drained = changed('node2', { isOffline: true, freeDiskMib: 0 });
    const leaving = moving(drained, 'web2', REPLACE_AND_FAILOVER, 'node4');
    expect(against(drained, leaving)).to.deep.equal([]);
  });

  it('lets nothing arrive on such a node', () => {
    const dead = changed('node4', { isOffline: true, freeDiskMib: 0 });
    const arriving = moving(dead, 'web2', REPLACE_SECONDARY, 'node4');
    expect(against(dead, arriving)).to.deep.include('web2: node4 is offline (online)');
  });

  it('goes on where a node is gone that was only to be taken for offline', () => {
    const without = (...offline: string[]) => ({ ...work, nodeOptions: { offline, minDiskRatio: 0 } });
    expect(against(START, without('node9'))).to.deep.equal([]);
    expect(against(START, without('node9', 'node4'))).to.deep.equal(['web2: node4 is offline (online)']);
  });

  it('counts room as taken that was promised to others', () => {
    const promised = [{ node: 'node4.example.com', memMib: 31_500, diskMib: 0, cpus: 0 }];
    expect(against(START, { ...work, promised })[0]).to.match(/^web2 on node4: .* MiB memory left/);
    const all = [{ node: 'node4.example.com', memMib: 0, diskMib: 1e9, cpus: 0 }];
    expect(withPromisedRoom(START, all).nodes.map(({ freeDiskMib }) => freeDiskMib)).to.deep.equal(
      START.nodes.map(({ name, freeDiskMib }) => (name === 'node4.example.com' ? 0 : freeDiskMib)),
    );
  });
});

const domain = '.example.com';
const node = (name: string): number => positionOf(START.nodes, name);
/** The cluster with other figures of an instance; without it when there are none. */
const instead = (name: string, figures: Partial<Instance> | undefined): Snapshot => ({
  ...START,
  instances: START.instances.flatMap((instance) => {
    if (instance.name !== name + domain) return [instance];
    return figures === undefined ? [] : [{ ...instance, ...figures }];
  }),
});
const moved = (name: string, primary: string, secondary: string): Snapshot =>
  instead(name, { primary: node(primary), secondary: node(secondary) });

describe('what has changed under a job', () => {
  // From node2:node1 to node4:node2.
  const work = moving(START, 'web2', REPLACE_AND_FAILOVER, 'node4');

  it('is told of its instance', () => {
    expect(against(instead('web2', undefined), work)).to.deep.equal([`instance web2${domain} is gone`]);
    const known = moving(instead('web2', { uuid: 'a' }), 'web2', REPLACE_AND_FAILOVER, 'node4');
    expect(against(instead('web2', { uuid: 'a' }), known)).to.deep.equal([]);
    expect(against(instead('web2', { uuid: 'b' }), known)).to.deep.equal([
      `instance web2${domain} is gone, and another one has its name`,
    ]);
    // Journals of older versions do not say which one they mean.
    expect(against(instead('web2', { uuid: 'b' }), work)).to.deep.equal([]);
    expect(against(moved('web2', 'node2', 'node3'), work)).to.deep.equal([
      `instance web2${domain} is on node2${domain}:node3${domain}, the plan expects node2${domain}:node1${domain}`,
    ]);
    expect(against(instead('web2', { diskTemplate: 'ext' }), work)).to.deep.equal([
      `instance web2${domain} has the disk template ext, the plan expects drbd`,
    ]);
    const off = instead('web2', { isAutoBalanced: false });
    expect(against(off, work)).to.deep.equal([`instance web2${domain} is no longer to be balanced`]);
    expect(against(off, moving(off, 'web2', REPLACE_AND_FAILOVER, 'node4'))).to.deep.equal([]);
    expect(against(moved('web3', 'node2', 'node3'), work)).to.deep.equal([]);
  });

  it('is told when it would stop what runs by now, or migrate what may not be', () => {
    const stopped = ['web2 runs, and the job would stop it (live)'];
    for (const before of [
      instead('web2', { isForthcoming: true, status: 'ADMIN_down' }),
      instead('web2', { tags: ['htools:nomigrate'] }),
    ]) {
      const planned = moving(before, 'web2', REPLACE_AND_FAILOVER, 'node4');
      expect(against(before, planned)).to.deep.equal([]);
      expect(against(START, planned)).to.deep.equal(stopped);
      expect(against(instead('web2', { status: 'ADMIN_down' }), planned)).to.deep.equal([]);
    }
    expect(against(instead('web2', { tags: ['htools:nomigrate'] }), work)).to.deep.equal([
      'web2 runs, and is not to be migrated (live)',
    ]);
  });

  it('is told when it runs where Ganeti does not look, whose disks a job would take away under it', () => {
    const stray = instead('web2', { status: 'ERROR_wrongnode' });
    const onlyCopies = moving(stray, 'web2', REPLACE_SECONDARY, 'node4');
    expect(against(stray, onlyCopies)).to.deep.equal([
      `web2 runs on another node than its primary: gnt-instance migrate --cleanup web2${domain} (live)`,
    ]);
    expect(ruleChanges(stray, onlyCopies.sets[0]!, onlyCopies)).to.have.length(1);
    expect(against(instead('web1', { status: 'ERROR_wrongnode' }), onlyCopies)).to.deep.equal([]);
  });

  it('is told of its nodes, once of each', () => {
    const offline = changed('node4', { isOffline: true });
    const twice = { ...work, sets: [[...work.sets[0]!, ...work.sets[0]!]] };
    expect(against(offline, twice)).to.deep.equal([`node node4${domain} is now offline or drained`]);
    const backThen = moving(offline, 'web2', REPLACE_AND_FAILOVER, 'node4');
    expect(against(START, backThen)).to.deep.equal([`node node4${domain} is no longer offline or drained`]);
    const gone = changed('node4', { name: 'other' });
    expect(against(gone, work)).to.deep.equal([`node node4${domain} is gone`]);
    expect(against(changed('node3', { isOffline: true }), work)).to.deep.equal([]);
  });

  it('is told when it is to be left alone', () => {
    const [handsOff] = [{ tags: ['htools:hands-off'] }];
    const told = (name: string) => [`${name}${domain} is to be left alone (tag htools:hands-off)`];
    expect(against(instead('web2', handsOff), work)).to.deep.equal(told('web2'));
    expect(against(changed('node4', handsOff), work)).to.deep.equal(told('node4'));
    expect(against(changed('node3', handsOff), work)).to.deep.equal([]);
    // A reboot would stop what may go down with the node.
    const running = ['wiki', 'dns'].map((name) => name + domain);
    expect(down('reboot', running, instead('dns', handsOff))).to.include(told('dns')[0]);
  });

  it('tells rules by the instance that breaks them', () => {
    const full = changed('node4', { freeMemMib: 100 });
    expect(ruleChanges(full, work.sets[0]!, work)[0]).to.deep.include({ instance: `web2${domain}` });
    const two = [...moving(START, 'wiki', REPLACE_SECONDARY, 'node2').sets[0]!, ...work.sets[0]!];
    const named = ruleChanges(full, two, work).map((one) => 'instance' in one && one.instance);
    expect([...new Set(named)]).to.deep.equal([`web2${domain}`]);
  });

  /** Of node3, which is not the master. */
  const down = (
    action: NodeJob['action'],
    mayHold: readonly string[] = [],
    fresh = changed('node3', { isMaster: false }),
  ): string[] => {
    const job = {
      action,
      nodes: [{ name: `node3${domain}`, isOffline: false }],
      mayHold,
      opcodes: [],
      copyMib: 0,
    };
    return changesAgainst(fresh, [job], work).map(changeText);
  };

  it('is told that a node which is to go down has been made the master', () => {
    const master = changed('node3', { isMaster: true });
    const everybody = START.instances.map((instance) => instance.name);
    const told = `node node3${domain} is the master now; make another node the master first (gnt-cluster master-failover)`;
    expect(down('reboot', everybody, master)).to.deep.equal([told]);
    expect(down('power-off', [], master)).to.include(told);
    expect(down('reboot', everybody)).to.deep.equal([]);
    expect([...down('tag', [], master), ...down('power-on', [], master)]).to.deep.equal([]);
  });

  it('is told of who is on a node that is to go down: for a reboot those that run', () => {
    const names = (...list: string[]) => list.map((name) => name + domain);
    const told = (...list: string[]) => [`node node3${domain} has instances: ${names(...list).join(', ')}`];
    expect(down('reboot')).to.deep.equal(told('wiki', 'dns'));
    expect(down('reboot', names('wiki'))).to.deep.equal(told('dns'));
    expect(down('reboot', names('wiki', 'dns'))).to.deep.equal([]);
    expect(down('power-off', names('wiki'))).to.deep.equal(told('db2', 'build', 'wiki', 'test1', 'dns'));
    expect([...down('tag'), ...down('power-on')]).to.deep.equal([]);
    // db2 has its other half there, and may run on it.
    const { instances } = instead('db2', { status: 'ERROR_wrongnode' });
    const stray = { ...changed('node3', { isMaster: false }), instances };
    expect(down('reboot', names('wiki', 'dns'), stray)).to.deep.equal(told('db2'));
  });
});

describe('where jobs have left their instances', () => {
  const job = (...words: Parameters<typeof moving>): InstanceJob =>
    moving(...words).sets[0]![0] as InstanceJob;
  const first = job(START, 'web2', REPLACE_AND_FAILOVER, 'node4');
  const there = moved('web2', 'node4', 'node2');
  const reboot: NodeJob = { action: 'reboot', nodes: [], mayHold: [], opcodes: [], copyMib: 0 };

  it('is compared with the last job of each', () => {
    expect(unkept(there, [first, reboot])).to.deep.equal([]);
    expect(unkept(START, [first]).map(changeText)).to.deep.equal([
      `instance web2${domain} is on node2${domain}:node1${domain}, the plan expects node4${domain}:node2${domain}`,
    ]);
    const then = job(there, 'web2', REPLACE_SECONDARY, 'node3');
    expect(unkept(there, [first, then]).map(({ what }) => what)).to.deep.equal(['instance-moved']);
    expect(unkept(moved('web2', 'node4', 'node3'), [first, then])).to.deep.equal([]);
    expect(unkept(instead('web2', undefined), [first]).map(({ what }) => what)).to.deep.equal([
      'instance-gone',
    ]);
    expect(placeOf(instead('web2', undefined), first)).to.equal(undefined);
  });

  it('tells whether a job seems to have succeeded of which nobody knows', () => {
    expect(seemsDone(there, first)).to.equal(true);
    for (const now of [START, moved('web2', 'node1', 'node2'), instead('web2', undefined)])
      expect(seemsDone(now, first)).to.equal(false);
    expect(seemsDone(there, reboot)).to.equal(false);
  });
});
