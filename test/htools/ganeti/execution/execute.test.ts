/** An execution and the ways in which the world is not as it thought. */
import { uptime } from 'node:os';
import { expect } from 'chai';
import type { ExecutionReport } from '../../../../src/htools/ganeti/execution/job-facts.ts';
import { type MasterLine, masterLine } from '../../../../src/htools/ganeti/execution/master-line.ts';
import type { ExecutionMeans } from '../../../../src/htools/ganeti/execution/run/means.ts';
import { powerJobs, subjectOf } from '../../../../src/htools/ganeti/execution/work.ts';
import { USUAL_LIMITS } from '../../../../src/htools/ganeti/wire/limits.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import {
  balanceText,
  changedText,
  executionJson,
  failureText,
  stoppedText,
} from '../../../../src/htools/programs/shared/execute/text.ts';
import { BackendError, ExecutionError, InputError } from '../../../../src/kit/faults.ts';
import { onStage, type Stage, workOf } from './played.ts';

class Killed extends Error {}

const statesOf = ({ jobs }: ExecutionReport): string[] =>
  jobs.map(({ state }) => (state.state === 'ended' ? state.status : state.state));

/** wiki to its other node and db2 to a new second one in the first set, wiki back in the second. */
const planOf = async (stage: Stage) =>
  workOf(await stage.readState(), [['wiki', FAILOVER]], [['wiki', FAILOVER]]);

/** A line on which the sender dies: the request goes out, or not even that. */
const dying = (stage: Stage, goesOut: boolean): MasterLine => {
  const line = stage.line();
  return {
    ...line,
    tell: (method, args) => {
      if (goesOut) void line.tell(method, args);
      return Promise.reject(new Killed());
    },
  };
};

const killed = async (stage: Stage, goesOut: boolean): Promise<void> => {
  const end = await stage
    .begin(await planOf(stage), { master: dying(stage, goesOut) })
    .catch((error) => error);
  expect(end).to.be.instanceOf(Killed);
};

/** Cuts the connection at so many submissions. @param isTaken whether the jobs are in the queue by then */
function cutSubmissions({ master }: Stage, isTaken: boolean, times: number): void {
  const answer = master.answer.bind(master);
  let left = times;
  master.answer = async (request) => {
    const isCut = request.method === 'SubmitManyJobs' && left-- > 0;
    const text = isCut && !isTaken ? '' : await answer(request);
    if (isCut) throw new Error('cut');
    return text;
  };
}

describe('a job that was about to be sent when its run died', () => {
  it('is found when it comes into the queue long after, and not sent again', () =>
    onStage({ jobMs: 10, queueMs: 400 }, async (stage) => {
      await killed(stage, true);
      expect(stage.master.jobs).to.have.length(0);
      const report = await stage.resume({ queueSeconds: 5 });
      expect(stage.delays).to.deep.equal(['lost 1']);
      expect(report.outcome).to.equal('done');
      expect(stage.master.jobs).to.have.length(2);
      expect(stage.master.faults).to.deep.equal([]);
    }));

  it('is sent when nothing of it can be on its way any more', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      await killed(stage, false);
      const began = uptime();
      const report = await stage.resume({ queueSeconds: 0.4 });
      expect(uptime() - began).to.be.within(0.35, 3);
      expect(report.outcome).to.equal('done');
      const marks = stage.master.jobs.map(
        ({ ops }) => /run-1 set \d+ job \d+/.exec(JSON.stringify(ops))?.[0],
      );
      expect(marks).to.deep.equal(['run-1 set 1 job 1', 'run-1 set 2 job 1']);
    }));

  it('is sent at once when that was long ago', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      await killed(stage, false);
      stage.journal = stage.journal.replace(/"since":[\d.]+/, `"since":${uptime() - 60}`);
      const report = await stage.resume({ queueSeconds: 50 });
      expect(stage.delays).to.deep.equal([]);
      expect(report.outcome).to.equal('done');
    }));

  it('is sent at once when the machine was started anew since then', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      await killed(stage, false);
      stage.journal = stage.journal.replace(/"since":[\d.]+/, `"since":${uptime() + 1e6}`);
      expect((await stage.resume({ queueSeconds: 10 })).outcome).to.equal('done');
      expect(stage.delays).to.deep.equal([]);
    }));

  it('is waited for to the last where nobody knows since when', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      await killed(stage, false);
      stage.journal = stage.journal.replace(/,?"since":[\d.]+/, '');
      const began = uptime();
      await stage.resume({ queueSeconds: 0.4 });
      expect(uptime() - began).to.be.above(0.35);
    }));

  it('is looked for no longer when the execution is to stop, and found by the next run', () =>
    onStage({ jobMs: 10, queueMs: 300 }, async (stage) => {
      await killed(stage, true);
      let isStopped = false;
      const began = uptime();
      const report = await stage.resume({
        queueSeconds: 60,
        isStopRequested: () => isStopped,
        onDelay: () => {
          isStopped = true;
        },
      });
      expect(uptime() - began).to.be.below(30);
      expect([report.outcome, ...statesOf(report)]).to.deep.equal(['stopped', 'submitting', 'planned']);
      expect(stoppedText(report)).to.include(
        'set 1, instances wiki.example.com: not known whether submitted',
      );
      expect(balanceText(report.jobs)).to.equal(
        'Done: 0 of 2 jobs. Not known whether submitted: wiki.example.com. Not done: wiki.example.com.',
      );
      expect((await stage.resume({ queueSeconds: 60 })).outcome).to.equal('done');
      expect(stage.master.jobs).to.have.length(2);
      expect(stage.master.faults).to.deep.equal([]);
    }));

  // What was lost longer than the queue may take is not waited for, on a busy machine neither.
  for (const [title, isTaken, queueSeconds, delays] of [
    ['is found at once where only the answer was lost', true, 0.1, []],
    ['is sent again where it was lost on its way', false, 2, ['lost 1']],
  ] as const)
    it(title, () =>
      onStage({ jobMs: 10 }, async (stage) => {
        cutSubmissions(stage, isTaken, 1);
        const report = await stage.begin(await planOf(stage), { queueSeconds });
        expect([report.outcome, stage.delays]).to.deep.equal(['done', delays]);
        expect(stage.master.jobs).to.have.length(2);
        expect(stage.master.faults).to.deep.equal([]);
      }),
    );

  it('is not sent without end', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      cutSubmissions(stage, false, 9);
      const report = await stage.begin(await planOf(stage), { queueSeconds: 0.1 });
      expect([report.outcome, ...statesOf(report)]).to.deep.equal(['broken', 'submitting', 'planned']);
      expect(report.fault!.message).to.include('it is not known whether its 1 job was submitted');
    }));

  it('is found in the archive', () =>
    onStage({ jobMs: 1 }, async (stage) => {
      await killed(stage, true);
      while (stage.place('wiki') !== 'node1:node3') await new Promise((resolve) => setTimeout(resolve, 5));
      for (const job of stage.master.jobs) job.isArchived = true;
      // Somebody has moved it back since: where it is tells nothing.
      Object.assign(stage.master.instance('wiki.example.com'), { primary: 2, secondary: 0 });
      const report = await stage.resume({ queueSeconds: 0.1 });
      expect(report.outcome).to.equal('changed');
      expect(stage.master.jobs).to.have.length(1);
    }));

  it('is looked for among the jobs that are newer than those of its queue: an archive may hold those of years', () =>
    onStage({ jobMs: 1 }, async (stage) => {
      const { master } = stage;
      for (const status of ['success', 'error'] as const)
        master.add([{ OP_ID: 'OP_CLUSTER_VERIFY' }], status).isArchived = status === 'error';
      await killed(stage, true);
      const searches: number[] = [];
      master.onSearching = (after) => searches.push(after);
      expect((await stage.resume({ queueSeconds: 0.1 })).outcome).to.equal('done');
      expect(new Set(searches)).to.deep.equal(new Set([101]));
      expect(master.jobs).to.have.length(4);
    }));

  it('is looked for once more right before it is sent', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      await killed(stage, false);
      const { master } = stage;
      const readings = { count: 0 };
      master.onReading = () => {
        readings.count++;
        // Behind the last look, and ahead of the request.
        if (readings.count !== 2 || master.jobs.length > 0) return;
        const opcodes = [{ OP_ID: 'OP_INSTANCE_MIGRATE', instance_name: 'wiki.example.com' }];
        master.add(
          opcodes.map((op) => ({
            ...op,
            reason: [
              ['hbal', '', 1],
              ['evenkeel', 'run-1 set 1 job 1', 1],
            ],
          })),
          'success',
        );
        Object.assign(master.instance('wiki.example.com'), { primary: 0, secondary: 2 });
      };
      await stage.resume({ queueSeconds: 0.05 });
      expect(master.jobs.filter(({ ops }) => JSON.stringify(ops).includes('set 1'))).to.have.length(1);
    }));
});

describe('an execution that is to be left at once', () => {
  it('begins and notes nothing more, whatever comes', () =>
    onStage({ jobMs: 10, answerMs: 100 }, async (stage) => {
      const plan = await planOf(stage);
      const line = stage.line();
      let tell: Promise<unknown> | undefined;
      const leaving = new Promise<NodeJS.Signals>((resolve) => {
        stage.master.onSubmitted = () => resolve('SIGTERM');
      });
      const report = await stage.begin(plan, {
        leaving,
        master: {
          ...line,
          tell: (...args) => {
            tell = line.tell(...args);
            return tell;
          },
        },
      });
      expect([report.outcome, report.signal, report.why]).to.deep.equal(['stopped', 'SIGTERM', ['SIGTERM']]);
      expect(statesOf(report)).to.deep.equal(['submitting', 'planned']);
      const { journal } = stage;
      expect(journal.trimEnd().split('\n').at(-1)).to.include('"outcome":"stopped","why":["SIGTERM"]');
      await tell;
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect([stage.journal, stage.master.jobs.length]).to.deep.equal([journal, 1]);
      expect((await stage.resume({ queueSeconds: 60 })).outcome).to.equal('done');
      expect(stage.master.jobs).to.have.length(2);
      expect(stage.master.faults).to.deep.equal([]);
    }));
});

describe('an instance that was shut down from inside', () => {
  const NAME = 'wiki.example.com';
  /** A failover starts what Ganeti takes for up. */
  const shutDown = async (stage: Stage) => {
    const plan = await planOf(stage);
    stage.master.instance(NAME).status = 'USER_down';
    stage.master.hasWatched = false;
    return plan;
  };

  it('is moved once the watcher has noted that', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const told: unknown[] = [];
      const report = await stage.begin(await shutDown(stage), {
        waitSeconds: 10,
        onDelay: (why) => {
          told.push(why, stage.master.jobs.length);
          stage.master.hasWatched = true;
        },
      });
      expect(told).to.deep.equal([{ down: [NAME] }, 0]);
      expect(report.outcome).to.equal('done');
      expect(stage.master.jobs).to.have.length(2);
    }));

  for (const isHomeward of [false, true])
    it(`is not moved until then, but its second copy may be${isHomeward ? '; on the way home, too' : ''}`, () =>
      onStage({ jobMs: 10 }, async (stage) => {
        await shutDown(stage);
        const [copy, move] = [[['wiki', REPLACE_SECONDARY, 'node4']], [['wiki', FAILOVER]]] as const;
        const plan = workOf(await stage.readState(), copy, move);
        const report = await stage.begin({ ...plan, isHomeward }, { waitSeconds: 0.05 });
        expect(report.outcome).to.equal('changed');
        expect(report.changes).to.deep.equal([{ what: 'would-start', instance: NAME }]);
        expect(statesOf(report)).to.deep.equal(['success', 'planned']);
        expect(changedText(report)).to.include(
          `set 2 was not submitted:\n  instance ${NAME} was shut down by its user, and the job would start it`,
        );
      }));
});

describe('unfinished jobs of others', () => {
  const rebooting = (name: string) => [{ OP_ID: 'OP_INSTANCE_REBOOT', instance_name: name }];

  it('are waited for', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const other = stage.master.add(rebooting('wiki'));
      let delays = 0;
      const report = await stage.begin(await planOf(stage), {
        waitSeconds: 10,
        onDelay: () => {
          delays++;
          other.status = 'success';
        },
      });
      expect(delays).to.equal(1);
      expect(report.outcome).to.equal('done');
      expect(stage.master.jobs).to.have.length(3);
    }));

  it('are looked at less often the longer they are waited for: the whole cluster is read each time', () =>
    onStage({}, async (stage) => {
      stage.master.add(rebooting('wiki'));
      let reads = 0;
      stage.master.onReading = () => reads++;
      const report = await stage.begin(await planOf(stage), { waitSeconds: 1, pollSeconds: 0.005 });
      expect(report.changes.map(({ what }) => what)).to.deep.equal(['others-job']);
      expect(reads).to.be.within(2, 40);
    }));

  it('are waited for no more when the execution is to stop, which is no change of the cluster', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      stage.master.add(rebooting('wiki'));
      let isStopped = false;
      const report = await stage.begin(await planOf(stage), {
        waitSeconds: 1e9,
        isStopRequested: () => isStopped,
        onDelay: () => {
          isStopped = true;
        },
      });
      expect([report.outcome, report.changes]).to.deep.equal(['stopped', []]);
      expect(stage.master.jobs).to.have.length(1);
    }));

  it('are waited for, and nothing is begun behind them for which it is too late by then', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const other = stage.master.add(rebooting('wiki'));
      let isLate = false;
      const report = await stage.begin(await planOf(stage), {
        waitSeconds: 10,
        mayBegin: () => !isLate,
        onDelay: () => {
          isLate = true;
          other.status = 'success';
        },
      });
      expect([report.outcome, ...statesOf(report)]).to.deep.equal(['stopped', 'planned', 'planned']);
      expect(stage.master.jobs).to.have.length(1);
    }));

  // wiki is on node3 and node1.
  for (const [title, ops] of [
    ['about the instance, by the beginning of its name', rebooting('wiki')],
    ['about another instance on the same nodes', rebooting('dns.example.com')],
    ['about a node', [{ OP_ID: 'OP_NODE_EVACUATE', node_name: 'node1.example.com' }]],
    [
      'that bring something to a node',
      [{ OP_ID: 'OP_INSTANCE_CREATE', instance_name: 'new', pnode: 'node3' }],
    ],
    ['about several nodes', [{ OP_ID: 'OP_OOB_COMMAND', node_names: ['node4', 'node3'] }]],
    [
      'that are about a node in their second opcode',
      [{ OP_ID: 'OP_TEST_DELAY' }, { OP_ID: 'OP_X', node: 'node1' }],
    ],
  ] as const)
    it(`stop it when they take too long: ${title}`, () =>
      onStage({ jobMs: 10 }, async (stage) => {
        stage.master.add(ops);
        const report = await stage.begin(await planOf(stage), { waitSeconds: 0.05 });
        expect(report.outcome).to.equal('changed');
        expect(report.changes.map(({ what }) => what)).to.deep.equal(['others-job']);
        expect(changedText(report)).to.match(
          /job set 1 was not submitted:\n {2}job 101 \((INSTANCE|NODE|OOB|TEST)_\w+\) is not done, about \w+\.example\.com\nDone: 0 of 2/,
        );
        expect(stage.master.jobs).to.have.length(1);
      }));

  for (const [title, ops, status] of [
    ['have ended', rebooting('wiki'), 'error'],
    ['are about other nodes', [{ OP_ID: 'OP_NODE_POWERCYCLE', node_name: 'node4.example.com' }], 'running'],
    [
      'only mention them',
      [{ OP_ID: 'OP_TEST_DELAY', comment: 'node1.example.com', reason: [['a', 'wiki', 1]] }],
      'running',
    ],
    ['name nothing', [{ OP_ID: 'OP_CLUSTER_VERIFY', name: '' }], 'running'],
  ] as const)
    it(`do not matter when they ${title}`, () =>
      onStage({ jobMs: 10 }, async (stage) => {
        const work = workOf(await stage.readState(), [['dns', FAILOVER]]);
        stage.master.add(ops, status);
        expect((await stage.begin(work, { waitSeconds: 0 })).outcome).to.equal('done');
      }));

  const arrival = [{ OP_ID: 'OP_INSTANCE_CREATE', instance_name: 'new', iallocator: 'hail', pnode: null }];

  for (const [on, ops] of [
    ['new', arrival],
    ['new', [{ OP_ID: 'OP_INSTANCE_CREATE', instance_name: 'new', iallocator: null }]],
    ['several instances', [{ OP_ID: 'OP_INSTANCE_MULTI_ALLOC', instances: [{ instance_name: 'new' }] }]],
    ['old', [{ OP_ID: 'OP_INSTANCE_REPLACE_DISKS', instance_name: 'old', iallocator: 'hail' }]],
    ['elsewhere', [{ OP_ID: 'OP_NODE_EVACUATE', node_name: 'elsewhere', remote_node: null }]],
    ['several instances', [{ OP_ID: 'OP_GROUP_EVACUATE', group_name: 'rack-c' }]],
  ] as const)
    it(`that may bring ${on} to any node matter where one goes down, and in a calm cluster: ${ops[0].OP_ID}`, () =>
      onStage({ jobMs: 10 }, async (stage) => {
        const moves = workOf(await stage.readState(), [['dns', FAILOVER]]);
        const down = { ...moves, sets: [powerJobs(['node4.example.com'], 'power-off')] };
        stage.master.instances.splice(0, stage.master.instances.length);
        stage.master.add(ops);
        const expected = [{ what: 'others-job', id: 101, does: ops[0].OP_ID.slice('OP_'.length), on }];
        expect((await stage.begin(down, { waitSeconds: 0 })).changes).to.deep.equal(expected);
        expect((await stage.begin(moves, { waitSeconds: 0, isCalm: true })).changes).to.deep.equal(expected);
        expect(stage.master.jobs).to.have.length(1);
      }));

  it('that name where they bring something do not keep a node elsewhere', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const work = workOf(await stage.readState(), [['dns', FAILOVER]]);
      const down = { ...work, sets: [powerJobs(['node4.example.com'], 'power-off')] };
      stage.master.instances.splice(0, stage.master.instances.length);
      stage.master.add([{ OP_ID: 'OP_NODE_EVACUATE', node_name: 'node1', remote_node: 'node2' }]);
      expect((await stage.begin(down, { waitSeconds: 0 })).outcome).to.equal('done');
    }));

  it('that may bring one do not keep moves', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const work = workOf(await stage.readState(), [['dns', FAILOVER]]);
      stage.master.add(arrival);
      expect((await stage.begin(work, { waitSeconds: 0 })).outcome).to.equal('done');
    }));

  it('are seen where they end once the cluster is read: a node whose new instance runs by then stays on', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const work = workOf(await stage.readState(), [['dns', FAILOVER]]);
      const down = { ...work, sets: [powerJobs(['node4.example.com'], 'power-off')] };
      const [arrived] = stage.master.instances.splice(0, stage.master.instances.length);
      const other = stage.master.add(arrival);
      const readState = async () => {
        const fresh = await stage.readState();
        if (other.status === 'running')
          stage.master.instances.push({ ...arrived!, primary: 3, secondary: -1 });
        other.status = 'success';
        return fresh;
      };
      const { changes } = await stage.begin(down, { waitSeconds: 10, readState });
      expect(changes.map(({ what }) => what)).to.deep.equal(['node-occupied']);
    }));
});

describe('where instances are', () => {
  it('is compared after each job, and nothing follows where one is elsewhere', () =>
    onStage({ jobMs: 30 }, async (stage) => {
      const work = workOf(await stage.readState(), [['wiki', FAILOVER]], [['build', FAILOVER]]);
      stage.master.onReading = (nth) => {
        // 0 planned, 1 looked again; now its job has ended, and somebody was quicker.
        if (nth === 2) Object.assign(stage.master.instance('wiki.example.com'), { primary: 3, secondary: 0 });
      };
      const report = await stage.begin(work);
      expect(report.outcome).to.equal('changed');
      expect(statesOf(report)).to.deep.equal(['success', 'planned']);
      expect(changedText(report)).to.include(
        'instance wiki.example.com is on node4.example.com:node1.example.com, the plan expects node1.example.com:node3.example.com',
      );
      expect(report.setsLeft).to.deep.equal([1]);
    }));

  it('is compared at the end: all jobs have succeeded, and the promise is not kept', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const work = workOf(await stage.readState(), [['wiki', FAILOVER]], [['build', FAILOVER]]);
      stage.master.onReading = (nth) => {
        if (nth === 3) Object.assign(stage.master.instance('wiki.example.com'), { primary: 2, secondary: 0 });
      };
      const report = await stage.begin(work);
      expect(statesOf(report)).to.deep.equal(['success', 'success']);
      expect(report.outcome).to.equal('changed');
      expect(changedText(report)).to.match(
        /^all jobs have succeeded, but the cluster is not as the plan promised:\n {2}instance wiki\S* is on node3\S*, the plan expects node1/,
      );
      expect(stage.journal).to.match(/"outcome":"changed"}\n$/);
    }));

  it('names an instance that is gone by then', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const work = workOf(await stage.readState(), [['wiki', FAILOVER]]);
      stage.master.onReading = (nth) => {
        if (nth === 2)
          stage.master.instances.splice(
            stage.master.instances.indexOf(stage.master.instance('wiki.example.com')),
            1,
          );
      };
      const { changes } = await stage.begin(work);
      expect(changes).to.deep.equal([{ what: 'instance-gone', instance: 'wiki.example.com' }]);
    }));

  it('names an instance that has been made anew by then', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const work = workOf(await stage.readState(), [['wiki', FAILOVER]]);
      stage.master.onReading = (nth) => {
        if (nth === 2) stage.master.instance('wiki.example.com').uuid = 'another';
      };
      const { changes } = await stage.begin(work);
      expect(changes).to.deep.equal([{ what: 'instance-remade', instance: 'wiki.example.com' }]);
    }));

  for (const [title, manners, words, now] of [
    [
      'half way',
      { halfDone: ['wiki.example.com'] },
      'wiki.example.com is now on node1.example.com:node3.example.com, half done',
      'node1.example.com:node3.example.com',
    ],
    [
      'where it was',
      { failing: ['wiki.example.com'] },
      'wiki.example.com is still on node3.example.com:node1.example.com',
      'node3.example.com:node1.example.com',
    ],
  ] as const)
    it(`is told of a job that failed ${title}`, () =>
      onStage({ jobMs: 10, ...manners }, async (stage) => {
        const work = workOf(await stage.readState(), [['wiki', FAILOVER_AND_REPLACE, 'node4']]);
        const report = await stage.begin(work);
        expect(report.outcome).to.equal('failed');
        expect(failureText('hbal', report)).to.include(`\n  ${words}\n`);
        expect(executionJson(report).jobs[0]).to.include({ now });
      }));

  it('asks a master that is away for the log of one failed job, and not for each', () =>
    onStage({ jobMs: 10, failing: ['wiki.example.com', 'build.example.com'] }, async (stage) => {
      let asked = 0;
      const line = stage.line();
      const away: MasterLine = {
        ...line,
        ask: (method, args) => {
          if (method !== 'QueryJobs' || !(args[1] as string[]).includes('oplog'))
            return line.ask(method, args);
          asked++;
          throw new BackendError('no answer', 'look at the master');
        },
      };
      const work = workOf(await stage.readState(), [
        ['wiki', FAILOVER],
        ['build', FAILOVER],
      ]);
      const { jobs } = await stage.begin(work, { master: away });
      expect(jobs.map(({ log }) => log?.error)).to.deep.equal(['no answer', 'no answer']);
      expect(asked).to.equal(1);
    }));

  it('is told of a job that failed when its instance runs, but not where Ganeti has it', () =>
    onStage({ jobMs: 10, failing: ['wiki.example.com'] }, async (stage) => {
      const work = workOf(await stage.readState(), [['wiki', FAILOVER]]);
      stage.master.onReading = (nth) => {
        if (nth === 2) stage.master.instance('wiki.example.com').status = 'ERROR_wrongnode';
      };
      const said = failureText('hbal', await stage.begin(work));
      expect(said).to.include('wiki runs on another node than its primary: gnt-instance migrate --cleanup');
      expect(said).not.to.include('is still on');
    }));
});

describe('an execution that breaks off', () => {
  it('tells what it did when the queue is drained', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      stage.master.onReading = (nth) => {
        if (nth === 2) stage.master.isDrained = true;
      };
      const report = await stage.begin(await planOf(stage));
      expect(report.outcome).to.equal('broken');
      expect(report.fault!.message).to.include('the cluster refuses SubmitManyJobs: Queue drained');
      expect(statesOf(report)).to.deep.equal(['success', 'planned']);
      stage.master.isDrained = false;
      // Nothing of it can be on its way.
      expect((await stage.resume({ queueSeconds: 60 })).outcome).to.equal('done');
      expect(stage.master.faults).to.deep.equal([]);
    }));

  it('tells what runs when the journal cannot be written', () =>
    onStage({ jobMs: 10_000 }, async (stage) => {
      const lines: string[] = [];
      const report = await stage.begin(await planOf(stage), {
        journal: {
          write: (...all) => {
            lines.push(...all.map(({ event }) => event));
            if (lines.includes('submitted')) throw new ExecutionError('the disk is full');
          },
          close: () => {},
        },
      });
      expect(lines).to.deep.equal(['submitting', 'submitted', 'left']);
      expect(report.outcome).to.equal('broken');
      expect(statesOf(report)).to.deep.equal(['submitted', 'planned']);
      expect(report.setsLeft).to.deep.equal([1]);
    }));
});

describe('waiting for jobs', () => {
  it('sees the end of a job when it comes', () =>
    onStage({ jobMs: 700 }, async (stage) => {
      const report = await stage.begin(workOf(await stage.readState(), [['wiki', FAILOVER]]));
      expect(report.jobs[0]!.seconds).to.be.within(0.6, 1.4);
    }));

  it('asks no more often than something changes', () =>
    onStage({ jobMs: 700 }, async (stage) => {
      let asked = 0;
      const line = stage.line();
      const counting: MasterLine = {
        ...line,
        ask: (method, args) => {
          if (method === 'QueryJobs' && (args[1] as string[]).join() === 'status') asked++;
          return line.ask(method, args);
        },
      };
      await stage.begin(workOf(await stage.readState(), [['wiki', FAILOVER]]), { master: counting });
      expect(asked).to.equal(2);
    }));

  it('ends with the set that runs when it is asked to stop', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const report = await stage.begin(await planOf(stage), {
        isStopRequested: () => stage.master.jobs.length > 0,
      });
      expect(report.outcome).to.equal('stopped');
      expect(statesOf(report)).to.deep.equal(['success', 'planned']);
      expect((await stage.resume()).outcome).to.equal('done');
    }));

  it('goes on with a short pause where the master may not take long to answer', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const line = masterLine(stage.path, { ...USUAL_LIMITS, answerSeconds: 1 });
      const work = workOf(await stage.readState(), [['wiki', REPLACE_SECONDARY, 'node4']]);
      expect((await stage.begin(work, { master: line })).outcome).to.equal('done');
    }));
});

describe('a node that is given power', () => {
  const start = async (stage: Stage, means: Partial<ExecutionMeans>, ...others: readonly string[]) => {
    const names = ['node4.example.com', ...others];
    for (const name of names) stage.master.node(name).isOffline = true;
    const sets = [powerJobs(names, 'power-on')];
    return stage.begin({ ...workOf(await stage.readState()), sets }, means);
  };
  const isOffline = (stage: Stage): boolean => stage.master.node('node4.example.com').isOffline;

  it('is waited for until it answers, which the master wants before it is taken for online', () =>
    onStage({ jobMs: 10, startMs: 500 }, async (stage) => {
      const { outcome } = await start(stage, {});
      expect([outcome, isOffline(stage)]).to.deep.equal(['done', false]);
      expect(stage.delays).to.deep.equal(['starting node4.example.com']);
    }));

  it('is given up when it does not come back', () =>
    onStage({ jobMs: 10, startMs: 60_000 }, async (stage) => {
      const { outcome, jobs } = await start(stage, { rebootSeconds: 0.5 });
      expect([outcome, jobs[0]!.offline]).to.deep.equal(['failed', ['node4.example.com']]);
    }));

  it('is given up at once when somebody asks to stop', () =>
    onStage({ jobMs: 10, startMs: 60_000 }, async (stage) => {
      const { outcome, jobs } = await start(stage, { isStopRequested: () => stage.delays.length > 0 });
      expect([outcome, jobs[0]!.offline]).to.deep.equal(['failed', ['node4.example.com']]);
      expect(jobs[0]!.log!.error).to.match(/^not there 0 s after it was given power: /);
    }));

  it('is waited for also where the power of another was not switched', () =>
    onStage({ jobMs: 10, startMs: 500, deaf: ['node3.example.com'] }, async (stage) => {
      expect(statesOf(await start(stage, {}, 'node3.example.com'))).to.deep.equal(['success', 'error']);
      expect(isOffline(stage)).to.equal(false);
    }));

  it('keeps nobody from coming home whose nodes answer, and is named at the end', () =>
    onStage({ jobMs: 10, startMs: 300, dead: ['node4.example.com'] }, async (stage) => {
      const off = ['node1.example.com', 'node4.example.com'];
      // dns is without a mirror on the dead node, build on those that were never off, web1 waits for node1.
      const work = workOf(
        await stage.readState(),
        [
          ['dns', REPLACE_SECONDARY, 'node4'],
          ['build', FAILOVER],
        ],
        [['web1', FAILOVER]],
        [['build', FAILOVER]],
      );
      for (const name of off) stage.master.node(name).isOffline = true;
      const sets = [powerJobs(off, 'power-on'), ...work.sets];
      const home = { ...work, sets, isHomeward: true };
      const { outcome, changes } = await stage.begin(home, { rebootSeconds: 2 });
      const ends = stage.ended.map((fact) => subjectOf(fact.work).replace('.example.com', ''));
      expect(ends).to.deep.equal(['build', 'build', 'node1', 'web1', 'node4']);
      expect([outcome, changes]).to.deep.equal([
        'failed',
        [{ what: 'node-offline', node: 'node4.example.com' }],
      ]);
      expect(stage.master.faults).to.deep.equal([]);
    }));

  it('may have been switched on by somebody else meanwhile', () =>
    onStage({ jobMs: 10, startMs: 500 }, async (stage) => {
      const { outcome } = await start(stage, {
        onDelay: () => Object.assign(stage.master.node('node4.example.com'), { isOffline: false }),
      });
      expect(outcome).to.equal('done');
    }));
});

describe('a node that does not answer', () => {
  const silent = (node: string) => ({ problem: `${node}: No data`, remedy: 'start its daemon' });
  /** The cluster, once it has been asked so often. */
  const unreadable = (stage: Stage, times: number) => {
    let asked = 0;
    return () =>
      asked++ < times
        ? Promise.reject(new InputError('socket', [silent('node1'), silent('node2')]))
        : stage.readState();
  };

  it('is waited for, as its daemon may be starting anew', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const plan = await planOf(stage);
      const report = await stage.begin(plan, { readState: unreadable(stage, 2), silenceSeconds: 10 });
      expect([report.outcome, report.why]).to.deep.equal(['done', []]);
    }));

  it('ends it when it stays so, named with all others, and with what to do', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const plan = await planOf(stage);
      const report = await stage.begin(plan, { readState: unreadable(stage, 1e9), silenceSeconds: 0.05 });
      expect(report.outcome).to.equal('changed');
      expect(stage.master.jobs).to.deep.equal([]);
      expect(changedText(report)).to.include(
        '  node1: No data (maybe start its daemon)\n  node2: No data (maybe start its daemon)\n',
      );
    }));

  it('is waited for where only the cluster tells how a job has ended, also one of a former run', () =>
    onStage({ jobMs: 10, forgets: true }, async (stage) => {
      const plan = await planOf(stage);
      // Silent behind each look ahead of a job.
      let asked = 0;
      const readState = () => (asked++ % 3 === 1 ? unreadable(stage, 1)() : stage.readState());
      expect((await stage.begin(plan, { readState, silenceSeconds: 10 })).outcome).to.equal('done');
      const jobs = stage.master.jobs.length;
      // As where the run ended ahead of the answer to its last job.
      stage.journal = stage.journal.replace(/^.*"event":"submitted"(?![\s\S]*"submitted")[\s\S]*/m, '');
      const again = { readState: unreadable(stage, 2), silenceSeconds: 10, queueSeconds: 0 };
      expect((await stage.resume(again)).outcome).to.equal('done');
      expect(stage.master.jobs).to.have.length(jobs);
    }));

  it('leaves it open how such a job has ended when it stays so', () =>
    onStage({ jobMs: 10, forgets: true }, async (stage) => {
      const plan = await planOf(stage);
      let asked = 0;
      const readState = () => (asked++ === 0 ? stage.readState() : unreadable(stage, 1e9)());
      const { outcome, fault, jobs } = await stage.begin(plan, { readState, silenceSeconds: 0.05 });
      expect([outcome, fault!.message]).to.deep.equal(['broken', 'socket: node1: No data (and 1 more)']);
      expect(jobs[0]!.state.state).to.equal('submitted');
      expect((await stage.resume()).outcome).to.equal('done');
    }));

  it('keeps a failed job from telling where its instance is, so it is named there, too', () =>
    onStage({ jobMs: 10, failing: ['wiki.example.com'] }, async (stage) => {
      const plan = await planOf(stage);
      let asked = 0;
      const readState = () => (asked++ === 0 ? stage.readState() : unreadable(stage, 1e9)());
      const report = await stage.begin(plan, { readState, silenceSeconds: 0.05 });
      expect(report.outcome).to.equal('failed');
      expect(failureText('hbal', report)).to.include('node1: No data (maybe start its daemon)\n');
    }));
});
