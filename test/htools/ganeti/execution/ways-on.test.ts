/** What goes on from an execution that did not come to its end: once more, without, and back. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import type { JobState, PlanState } from '../../../../src/htools/ganeti/execution/journal-lines.ts';
import { changesAgainst } from '../../../../src/htools/ganeti/execution/recheck.ts';
import { keptOf, retried, skipped, wayHome } from '../../../../src/htools/ganeti/execution/ways-on.ts';
import {
  homeText,
  type InstanceJob,
  isNodeJob,
  type NodeJob,
  powerJobs,
  subjectOf,
  type Work,
  type WorkJob,
} from '../../../../src/htools/ganeti/execution/work.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { SMALL, workOf } from './played.ts';

const START = prepareSnapshot(parseText(readFileSync(SMALL), SMALL), {}).snapshot;
const positionOf = (list: readonly { readonly name: string }[], name: string): number =>
  list.findIndex((one) => one.name.startsWith(`${name}.`));

/** The cluster with instances elsewhere: `wiki node1:node3`. */
const with_ = (...places: readonly string[]): Snapshot => ({
  ...START,
  instances: START.instances.map((instance) => {
    const place = places.find((one) => instance.name.startsWith(`${one.split(' ')[0]}.`));
    if (place === undefined) return instance;
    const [primary = '', secondary = ''] = place.split(' ')[1]!.split(':');
    return {
      ...instance,
      primary: positionOf(START.nodes, primary),
      secondary: secondary === '' ? -1 : positionOf(START.nodes, secondary),
    };
  }),
});

const SUCCESS: JobState = { state: 'ended', status: 'success', id: 1 };
const FAILED: JobState = { state: 'ended', status: 'error', id: 2 };
const REFUSED: JobState = { state: 'refused', why: 'no' };
const PLANNED: JobState = { state: 'planned' };

const stateOf = (work: Work, ...jobs: readonly (readonly JobState[])[]): PlanState => ({ work, jobs });

const short = (text: string): string => text.replaceAll('.example.com', '');

/** `wiki node1:node3 => node3:node1 OP_INSTANCE_MIGRATE`. */
function told(job: WorkJob): string {
  if (isNodeJob(job)) return `${job.action} ${short(subjectOf(job))}`;
  const ops = job.opcodes.map(({ OP_ID }) => String(OP_ID).replace('OP_INSTANCE_', '').toLowerCase());
  const [from, to] = [job.steps[0]!.from, job.steps.at(-1)!.to].map(homeText);
  return short(`${job.instance} ${from} => ${to} ${ops.join(' ')}`);
}
const setsOf = ({ sets }: Work): string[][] => sets.map((set) => set.map(told));

const reboot = (node: string): NodeJob => ({
  action: 'reboot',
  nodes: [{ name: `${node}.example.com`, isOffline: false }],
  mayHold: [],
  opcodes: [],
  copyMib: 0,
});

describe('a failed job once more', () => {
  // wiki is on node3 and node1.
  const stories: readonly (readonly [MoveKind, string, string | undefined])[] = [
    [FAILOVER, 'node3:node1', 'wiki node3:node1 => node1:node3 migrate'],
    [FAILOVER, 'node1:node3', undefined],
    [REPLACE_SECONDARY, 'node3:node4', undefined],
    [REPLACE_AND_FAILOVER, 'node3:node1', 'wiki node3:node1 => node4:node3 replace_disks migrate'],
    [REPLACE_AND_FAILOVER, 'node3:node4', 'wiki node3:node4 => node4:node3 migrate'],
    [REPLACE_AND_FAILOVER, 'node4:node3', undefined],
    [REPLACE_PRIMARY, 'node3:node1', 'wiki node3:node1 => node4:node1 migrate replace_disks migrate'],
    [REPLACE_PRIMARY, 'node1:node3', 'wiki node1:node3 => node4:node1 replace_disks migrate'],
    [REPLACE_PRIMARY, 'node1:node4', 'wiki node1:node4 => node4:node1 migrate'],
    [REPLACE_PRIMARY, 'node4:node1', undefined],
    [FAILOVER_AND_REPLACE, 'node1:node3', 'wiki node1:node3 => node1:node4 replace_disks'],
    [FAILOVER_AND_REPLACE, 'node1:node4', undefined],
    // Nowhere on its way: what is checked ahead of the job says so.
    [FAILOVER_AND_REPLACE, 'node2:node4', 'wiki node3:node1 => node1:node4 migrate replace_disks'],
  ];
  for (const [kind, place, rest] of stories)
    it(`of kind ${kind}, its instance on ${place}: ${rest ?? 'nothing'}`, () => {
      const work = workOf(START, [['wiki', kind, 'node4']]);
      const next = retried(stateOf(work, [FAILED]), with_(`wiki ${place}`), new Map());
      expect(setsOf(next)).to.deep.equal(rest === undefined ? [] : [[rest]]);
    });

  it('leaves out what has succeeded, and rounds begin where they began', () => {
    const work = {
      ...workOf(
        START,
        [['wiki', FAILOVER]],
        [['wiki', FAILOVER]],
        [
          ['build', FAILOVER],
          ['web1', FAILOVER],
        ],
        [['dns', FAILOVER]],
      ),
      roundStarts: [0, 2, 3],
    };
    const plan = stateOf(work, [SUCCESS], [SUCCESS], [SUCCESS, REFUSED], [PLANNED]);
    const next = retried(plan, START, new Map());
    expect(setsOf(next)).to.deep.equal([
      ['web1 node1:node2 => node2:node1 migrate'],
      ['dns node3:node1 => node1:node3 migrate'],
    ]);
    expect(next.roundStarts).to.deep.equal([0, 0, 1]);
    expect(retried(stateOf(workOf(START), []), START, new Map())).to.not.have.property('roundStarts');
  });

  it('takes a job that nobody got to as it is, wherever its instance is', () => {
    const work = workOf(START, [['wiki', FAILOVER]]);
    expect(setsOf(retried(stateOf(work, [PLANNED]), with_('wiki node1:node3'), new Map()))).to.deep.equal([
      ['wiki node3:node1 => node1:node3 migrate'],
    ]);
  });

  it('looks at one anew that was not sent since it failed, but not at the next of the same instance', () => {
    const work = workOf(START, [['wiki', REPLACE_AND_FAILOVER, 'node4']], [['wiki', FAILOVER]]);
    const before = stateOf(work, [FAILED], [PLANNED]);
    const waiting = stateOf(work, [PLANNED], [PLANNED]);
    // Ganeti has been told by now where its migration came to its end.
    const there = with_('wiki node4:node3');
    expect(setsOf(retried(waiting, there, new Map(), [before]))).to.deep.equal([
      ['wiki node4:node3 => node3:node4 migrate'],
    ]);
    const back = with_('wiki node3:node4');
    expect(setsOf(retried(waiting, back, new Map(), [before]))).to.deep.equal([
      ['wiki node3:node4 => node4:node3 migrate'],
      ['wiki node4:node3 => node3:node4 migrate'],
    ]);
  });

  it('reboots a node again, unless it has come back meanwhile', () => {
    const work = { ...workOf(START), sets: [[reboot('node1')], [reboot('node2')], [reboot('node4')]] };
    const failed = (bootId?: string): JobState[] => [{ state: 'ended', status: 'error', id: 3, bootId }];
    const boots = new Map(['node1', 'node2', 'node4'].map((name) => [`${name}.example.com`, `now ${name}`]));
    const next = retried({ work, jobs: [failed('before'), failed('now node2'), failed()] }, START, boots);
    expect(setsOf(next)).to.deep.equal([['reboot node2'], ['reboot node4']]);
    // Which is down yet.
    expect(
      retried({ work, jobs: [failed('before'), [SUCCESS], [SUCCESS]] }, START, new Map()).sets,
    ).to.have.length(1);
  });
});

describe('a failed job about nodes', () => {
  it('takes nodes as they are now, which it may have marked itself', () => {
    const names = ['node1.example.com', 'gone.example.com'];
    const job: NodeJob = {
      ...reboot('node1'),
      action: 'power-off',
      nodes: names.map((name) => ({ name, isOffline: false })),
    };
    const marked = { ...START, nodes: START.nodes.map((node) => ({ ...node, isOffline: true })) };
    const next = retried(stateOf({ ...workOf(START), sets: [[job]] }, [FAILED]), marked, new Map());
    expect(next.sets[0]![0]!.nodes).to.deep.equal([
      { name: names[0], isOffline: true },
      { name: names[1], isOffline: false },
    ]);
  });
});

describe('going on without what has failed', () => {
  it('leaves out other jobs of the same instances, and of nodes only the job', () => {
    const work = workOf(
      START,
      [
        ['wiki', FAILOVER],
        ['web1', FAILOVER],
      ],
      [
        ['wiki', FAILOVER],
        ['build', FAILOVER],
      ],
    );
    const sets = [...work.sets, [reboot('node1'), reboot('node2')], [reboot('node1')]];
    const plan = stateOf(
      { ...work, sets },
      [FAILED, SUCCESS],
      [PLANNED, PLANNED],
      [REFUSED, PLANNED],
      [PLANNED],
    );
    expect(setsOf(skipped(plan, START))).to.deep.equal([
      ['build node2:node3 => node3:node2 migrate'],
      ['reboot node2'],
      ['reboot node1'],
    ]);
  });

  it('leaves out what Ganeti does not know the place of, and what is to be left alone', () => {
    const work = workOf(START, [['wiki', FAILOVER]], [['build', FAILOVER]], [['web1', FAILOVER]]);
    const now = {
      ...START,
      instances: START.instances.map((instance) => {
        if (instance.name.startsWith('wiki.')) return { ...instance, status: 'ERROR_wrongnode' as const };
        return instance.name.startsWith('web1.') ? { ...instance, tags: ['htools:hands-off'] } : instance;
      }),
    };
    // Behind --retry nothing of it counts as failed any more.
    expect(setsOf(skipped(stateOf(work, [PLANNED], [PLANNED], [PLANNED]), now))).to.deep.equal([
      ['build node2:node3 => node3:node2 migrate'],
    ]);
  });

  it('leaves out what is about nodes that have not come up', () => {
    const work = workOf(START, [
      ['wiki', REPLACE_SECONDARY, 'node4'],
      ['build', FAILOVER],
    ]);
    const sets = [powerJobs(['node4.example.com'], 'power-on'), ...work.sets];
    const plan = stateOf({ ...work, sets }, [FAILED], [PLANNED, PLANNED]);
    expect(setsOf(skipped(plan, START))).to.deep.equal([['build node2:node3 => node3:node2 migrate']]);
  });

  it('leaves out what others have moved or removed meanwhile, and nodes that are no more', () => {
    const work = workOf(START, [['wiki', FAILOVER]], [['build', FAILOVER]], [['wiki', FAILOVER]]);
    const sets = [...work.sets, [reboot('node1'), reboot('node7')]];
    const plan = stateOf({ ...work, sets }, [PLANNED], [PLANNED], [PLANNED], [PLANNED, PLANNED]);
    const left = [['build node2:node3 => node3:node2 migrate'], ['reboot node1']];
    expect(setsOf(skipped(plan, with_('wiki node1:node3')))).to.deep.equal(left);
    const instances = START.instances.filter(({ name }) => !name.startsWith('wiki.'));
    expect(setsOf(skipped(plan, { ...START, instances }))).to.deep.equal(left);
    // Where it is on its way, it is where its next job begins.
    const begun = stateOf({ ...work, sets }, [SUCCESS], [SUCCESS], [PLANNED], [SUCCESS, SUCCESS]);
    expect(setsOf(skipped(begun, with_('wiki node1:node3')))).to.have.length(1);
  });

  it('leaves out what is next and no longer allowed, as others have taken the room or have come to a node', () => {
    const work = workOf(
      START,
      [['wiki', REPLACE_SECONDARY, 'node4']],
      [['dns', REPLACE_SECONDARY, 'node4']],
      [['build', FAILOVER]],
      [['wiki', FAILOVER]],
    );
    const plan = stateOf({ ...work, sets: [[reboot('node1')], ...work.sets] }, ...Array(5).fill([PLANNED]));
    const nodes = START.nodes.map((node, n) => (n === 3 ? { ...node, freeDiskMib: 8000 } : node));
    expect(setsOf(skipped(plan, { ...START, nodes }))).to.deep.equal([
      ['dns node3:node1 => node3:node4 replace_disks'],
      ['build node2:node3 => node3:node2 migrate'],
    ]);
  });
});

describe('the way home', () => {
  const NODES = ['node1', 'node2', 'node3', 'node4'];
  const PLACES = NODES.flatMap((one) => NODES.flatMap((other) => (one === other ? [] : [`${one}:${other}`])));

  it('leads from everywhere, with no copy more than there are new nodes', () => {
    const work = workOf(START, [['wiki', FAILOVER]]);
    for (const place of PLACES) {
      const { sets } = wayHome([stateOf(work, [SUCCESS])], with_(`wiki ${place}`));
      const [job] = sets.flat() as InstanceJob[];
      if (place === 'node3:node1') {
        expect(sets, place).to.deep.equal([]);
        continue;
      }
      const { steps, opcodes, copyMib } = job!;
      expect(short(homeText(steps[0]!.from)), place).to.equal(place);
      expect(short(homeText(steps.at(-1)!.to)), place).to.equal('node3:node1');
      const copies = opcodes.filter(({ OP_ID }) => OP_ID === 'OP_INSTANCE_REPLACE_DISKS').length;
      const news = ['node1', 'node3'].filter((name) => !place.includes(name)).length;
      expect(copies, place).to.equal(news);
      expect(copyMib).to.equal(news * START.instances[positionOf(START.instances, 'wiki')]!.diskMib);
      const names = [...new Set([...place.split(':'), 'node1', 'node3'])].sort();
      expect(job!.nodes.map(({ name }) => short(name))).to.deep.equal(names);
    }
  });

  it('leads instances on shared storage straight to their node', () => {
    const shared = with_('wiki node3:');
    const work = workOf(shared, [['wiki', FAILOVER_TO_ANY, 'node2']]);
    const [[job]] = wayHome([stateOf(work, [SUCCESS])], with_('wiki node2:')).sets as [[InstanceJob]];
    expect(told(job)).to.equal('wiki node2 => node3 migrate');
    expect(job.opcodes[0]).to.include({ target_node: 'node3.example.com' });
    expect(job.copyMib).to.equal(0);
    expect(wayHome([stateOf(work, [SUCCESS])], shared).sets).to.deep.equal([]);
  });

  it('goes back through all plans, to where each instance was at first, last moved first', () => {
    const first = workOf(
      START,
      [['wiki', FAILOVER]],
      [['build', FAILOVER]],
      [['db2', FAILOVER]],
      [['mail', FAILOVER]],
    );
    const second = workOf(with_('wiki node1:node3'), [['wiki', FAILOVER_AND_REPLACE, 'node4']]);
    const now = with_('wiki node3:node4', 'build node3:node2', 'mail node4:node3');
    const back = wayHome(
      [
        stateOf(first, [SUCCESS], [FAILED], [SUCCESS], [PLANNED]),
        stateOf(second, [{ state: 'submitted', id: 9 }]),
      ],
      now,
    );
    // db2 has come back already, and mail was none of ours.
    expect(setsOf(back)).to.deep.equal([
      ['wiki node3:node4 => node3:node1 replace_disks'],
      ['build node3:node2 => node2:node3 migrate'],
    ]);
    expect(back.limits).to.deep.equal({ ignoreSoftErrors: true, diskMoves: true });
  });

  it('does at once what shares no node, and in turn what does', () => {
    const work = workOf(
      START,
      [['web1', FAILOVER]],
      [['web2', FAILOVER]],
      [['test1', FAILOVER]],
      [['dns', FAILOVER]],
    );
    const back = wayHome(
      [stateOf(work, [SUCCESS], [SUCCESS], [SUCCESS], [SUCCESS])],
      with_('web1 node2:node1', 'web2 node1:node2', 'test1 node4:node3', 'dns node1:node3'),
    );
    expect(back.sets.map((set) => set.map(subjectOf).map(short))).to.deep.equal([
      ['dns'],
      ['test1'],
      ['web2'],
      ['web1'],
    ]);
    const apart = wayHome(
      [
        stateOf(
          workOf(START, [['web1', FAILOVER]], [['wiki', FAILOVER_TO_ANY, 'node4']]),
          [SUCCESS],
          [SUCCESS],
        ),
      ],
      with_('web1 node2:node1', 'wiki node4:node3'),
    );
    expect(apart.sets.map((set) => set.length)).to.deep.equal([1, 1]);
    const free = wayHome(
      [
        stateOf(
          workOf(with_('wiki node3:node4'), [['web1', FAILOVER]], [['wiki', FAILOVER]]),
          [SUCCESS],
          [SUCCESS],
        ),
      ],
      with_('web1 node2:node1', 'wiki node4:node3'),
    );
    expect(free.sets.map((set) => set.map(subjectOf).map(short))).to.deep.equal([['wiki', 'web1']]);
  });

  it('leaves a dead node by a failover, passes over what is gone, and asks the cluster alone which nodes are there', () => {
    const work = {
      ...workOf(START, [['wiki', FAILOVER]], [['dns', FAILOVER]]),
      nodeOptions: { offline: ['node3'], minDiskRatio: 0.1 },
    };
    const now = with_('wiki node1:node3');
    const dead = {
      ...now,
      nodes: now.nodes.map((node, n) => (n === 0 ? { ...node, isOffline: true } : node)),
      instances: now.instances
        .filter(({ name }) => !name.startsWith('dns.'))
        .map((one) => (one.primary === 0 ? { ...one, status: 'ERROR_nodeoffline' } : one)),
    };
    const back = wayHome([stateOf(work, [SUCCESS], [SUCCESS])], dead as Snapshot);
    expect(setsOf(back)).to.deep.equal([['wiki node1:node3 => node3:node1 failover']]);
    expect((back.sets[0]![0] as InstanceJob).nodes.map(({ isOffline }) => isOffline)).to.deep.equal([
      true,
      false,
    ]);
    expect(back.nodeOptions).to.deep.equal({ offline: [], minDiskRatio: 0.1 });
  });

  it('names a node that is gone, where an instance was', () => {
    const work = workOf(START, [['wiki', REPLACE_PRIMARY, 'node4']]);
    const now = with_('wiki node4:node1');
    const nodes = now.nodes.map((node, n) => (n === 2 ? { ...node, name: 'node9.example.com' } : node));
    const fresh = { ...now, nodes };
    const back = wayHome([stateOf(work, [SUCCESS])], fresh);
    expect(changesAgainst(fresh, back.sets[0]!, back)).to.deep.equal([
      { what: 'node-gone', node: 'node3.example.com' },
    ]);
  });
});

describe('the promise of plans before', () => {
  it('counts by the last job of each instance, unless that failed or was not begun', () => {
    const first = workOf(
      START,
      [['wiki', FAILOVER]],
      [['build', FAILOVER]],
      [['dns', FAILOVER]],
      [['db2', FAILOVER]],
    );
    const second = workOf(with_('wiki node1:node3'), [['wiki', FAILOVER]], [['build', FAILOVER]]);
    const plans = [
      stateOf(
        { ...first, sets: [...first.sets, [reboot('node1')]] },
        [SUCCESS],
        [SUCCESS],
        [SUCCESS],
        [PLANNED],
        [SUCCESS],
      ),
      stateOf(second, [SUCCESS], [FAILED]),
    ];
    expect(keptOf(plans, second).map(told)).to.deep.equal([
      'wiki node1:node3 => node3:node1 migrate',
      'dns node3:node1 => node1:node3 migrate',
    ]);
  });

  it('is on the way home only that of ways home', () => {
    const first = workOf(START, [['wiki', FAILOVER]], [['build', FAILOVER]]);
    const plans = [stateOf(first, [SUCCESS], [SUCCESS])];
    const home = wayHome(plans, with_('wiki node1:node3', 'build node3:node2'));
    expect(keptOf(plans, home)).to.deep.equal([]);
    expect(keptOf([...plans, stateOf(home, [SUCCESS], [FAILED])], home).map(told)).to.deep.equal([
      'build node3:node2 => node2:node3 migrate',
    ]);
  });
});
