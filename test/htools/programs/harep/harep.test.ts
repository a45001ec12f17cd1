/**
 * harep against a recorded master: what it says and submits, beside what the stock program said and submitted
 * on the same cluster.
 */
import { type ChildProcess, execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { takeLock } from '../../../../src/htools/ganeti/execution/run-lock.ts';
import { newFolder } from '../../../builders/folder.ts';
import { ROOT, runApart } from '../../../suite/run-built.ts';
import { LIVE, type LuxiRequest, withLuxi } from '../../ganeti/play.ts';

const FOLDER = join(LIVE, 'repair');
const JUMPY_CLOCK = fileURLToPath(new URL('jumpy-clock.cjs', import.meta.url));
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const linesOf = (name: string): string[] => read(name).trimEnd().split('\n');

type Opcode = Readonly<Record<string, unknown>>;
interface Job {
  readonly id: number;
  readonly ops: readonly Opcode[];
}

/** What differs between two runs and between the programs: ids, times of now, versions. */
function plain(text: string): string {
  const ids = new Map<string, string>();
  const numbered = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `ID${ids.size + 1}`);
    return ids.get(id)!;
  };
  return text
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, numbered)
    .replace(/\b1[0-9]{18}\b/g, 'NANOSECONDS')
    .replace(/\b1[7-9][0-9]{8}\b/g, 'SECONDS')
    .replace(/harep \((ganeti|Evenkeel)\) version [-.0-9]+/g, 'VERSION');
}

interface Manners {
  /** Status of a job; undefined = the queue does not know it. */
  readonly statusOf?: (id: number) => string | undefined;
  /** Changes the recorded answer to a question. */
  readonly change?: (request: LuxiRequest, answer: string) => string;
  readonly refuses?: (ops: readonly Opcode[]) => boolean;
  readonly onSubmitted?: (job: Job) => void;
  /** All jobs, as the queue lists them. */
  readonly queued?: readonly unknown[];
}

/** A master as recorded, whose jobs succeed unless it is said otherwise. */
async function withRecorded<T>(
  manners: Manners,
  work: (path: string, jobs: readonly Job[]) => Promise<T>,
): Promise<T> {
  const answers = new Map(
    linesOf('luxi.jsonl').map((line) => {
      const { request, answer } = JSON.parse(line) as { request: LuxiRequest; answer: string };
      return [JSON.stringify([request.method, request.args]), answer];
    }),
  );
  const jobs: Job[] = [];
  const firstId = (JSON.parse(linesOf('jobs.jsonl')[0]!) as Job).id;
  const answer = (request: LuxiRequest): string => {
    const { method, args } = request;
    const success = (result: unknown): string => JSON.stringify({ success: true, result });
    if (method === 'SubmitManyJobs') {
      const [ops] = args[0] as Opcode[][];
      if (manners.refuses?.(ops!)) return success([[false, 'The job queue is full']]);
      const job = { id: firstId + jobs.length, ops: ops! };
      jobs.push(job);
      manners.onSubmitted?.(job);
      return success([[true, job.id]]);
    }
    if (method === 'QueryJobs') {
      const [ids, fields] = args as [number[] | null, string[]];
      if (ids === null) return success(manners.queued ?? []);
      const statusOf = manners.statusOf ?? (() => 'success');
      if (fields.length === 1) return success(ids.map((id) => [statusOf(id) ?? null]));
      return success(ids.map(() => [['error'], [['OpPrereqError', ['The tag is too long']]], [[]]]));
    }
    const recorded = answers.get(JSON.stringify([method, args]));
    if (recorded === undefined) return JSON.stringify({ success: false, result: 'nobody has recorded this' });
    return manners.change?.(request, recorded) ?? recorded;
  };
  return withLuxi(answer, (path) => work(path, jobs));
}

const run = (path: string, ...args: string[]) => runApart('harep', [`-L${path}`, ...args], { TZ: 'UTC' });

interface Document {
  readonly why: readonly string[];
  readonly instances: readonly {
    readonly instance: string;
    readonly state: string;
    readonly record: { readonly jobs: readonly number[] } | null;
    readonly leftAlone: string | null;
    readonly changes: readonly { readonly what: string; readonly addedTag: string }[];
  }[];
}

const whyIn = (stdout: string): readonly string[] => (JSON.parse(stdout) as Document).why;

const instancesIn = (stdout: string): Document['instances'] => (JSON.parse(stdout) as Document).instances;

/** What was done last, by instance. */
const doneIn = (stdout: string): Record<string, string> =>
  Object.fromEntries(
    instancesIn(stdout).flatMap(({ instance, changes }) =>
      changes.length === 0 ? [] : [[instance.split('.')[0]!, changes.at(-1)!.what]],
    ),
  );

const leftIn = (stdout: string): Record<string, string> =>
  Object.fromEntries(
    instancesIn(stdout).flatMap(({ instance, leftAlone }) =>
      leftAlone === null ? [] : [[instance.split('.')[0]!, leftAlone]],
    ),
  );

/** The recorded cluster with other tags on one of its instances. */
const withTags =
  (instance: string, tags: readonly string[]) =>
  ({ args }: LuxiRequest, answer: string): string => {
    if (args[0] !== 'instance') return answer;
    const document = JSON.parse(answer);
    const at = (name: string): number => (args[1] as string[]).indexOf(name);
    for (const row of document.result.data)
      if (row[at('name')][1] === `${instance}.example.com`) row[at('tags')][1] = tags;
    return JSON.stringify(document);
  };

const P = 'ganeti:watcher:autorepair:';

describe('harep', () => {
  it("says what the stock program said, and submits the stock program's jobs", () =>
    withRecorded({}, async (path, jobs) => {
      const { status, stdout } = await run(path);
      expect(status).to.equal(0);
      expect(plain(stdout)).to.equal(plain(read('harep.txt')));
      const submitted = jobs.map((job) => JSON.stringify(job)).join('\n');
      expect(plain(submitted)).to.equal(plain(linesOf('jobs.jsonl').join('\n')));
    }));

  it('changes nothing with --dry-run, and shows the jobs', () =>
    withRecorded({}, async (path, jobs) => {
      const { status, stdout } = await run(path, '--dry-run', '--job-delay=0.05');
      expect(status).to.equal(0);
      expect(jobs).to.deep.equal([]);
      const shown = stdout.split('\n').filter((line) => line.startsWith('jobs: '));
      expect(shown).to.have.length(3);
      expect(shown[0]).to.match(/^jobs: \[\[\{"OP_ID":"OP_TEST_DELAY","duration":5\.0e-2,"on_master":true,/);
    }));

  it('passes on the reason, and leaves the delay out when it is 0', () =>
    withRecorded({}, async (path, jobs) => {
      await run(path, '--job-delay=0', '--reason=a "word"');
      const ops = jobs.flatMap((job) => job.ops);
      expect(ops.some(({ OP_ID }) => OP_ID === 'OP_TEST_DELAY')).to.equal(false);
      for (const { reason } of ops) expect((reason as unknown[][])[0]).to.include('a "word"');
    }));

  it('tells which instances it left alone, and why', () =>
    withRecorded({ statusOf: (id) => (id === 9 ? 'running' : 'success') }, async (path) => {
      const { stdout } = await run(path, '--dry-run', '--json');
      expect(leftIn(stdout)).to.deep.equal({
        inst3: 'not-permitted',
        inst4: 'not-permitted',
        inst8: 'failed-before',
        inst10: 'suspended',
        inst11: 'pending',
      });
      const { stderr } = await run(path, '--dry-run');
      expect(stderr).to.contain('Left alone: 5 instances\n');
      expect(stderr).to.contain('inst10.example.com: offline: node2.example.com; repairs are suspended\n');
      expect((await run(path, '--dry-run', '-q')).stderr).to.equal('');
    }));

  it('does not say that a repair is under way whose tag names no job', async () => {
    const tag = 'ganeti:watcher:autorepair:pending:migrate:id:1700000000:';
    const folder = newFolder();
    const file = join(folder, 'tagged.data');
    const nodes = ['node1', 'node2'].map((name) => `${name}|8192|0|8192|100000|100000|8|N|group|1`);
    const instance = 'inst1|1024|1024|1|running|Y|node1|node2|drbd';
    writeFileSync(file, `default|group|preferred|\n\n${nodes.join('\n')}\n\n${instance}|${tag}|1\n\n\n`);
    const { stderr } = await runApart('harep', ['-t', file]);
    expect(stderr).to.include(
      `Left alone: 1 instance\n  inst1: a tag says that a repair is pending, and names no job: ${tag}\n`,
    );
  });

  it('counts a repair as failed when one of its jobs did not succeed', () =>
    withRecorded({ statusOf: (id) => (id === 10 ? 'canceled' : 'success') }, async (path, jobs) => {
      const { stdout } = await run(path);
      expect(stdout).to.contain('Moving inst11.example.com from "Pending repair" to "Failure"\n');
      const [tags] = jobs[0]!.ops;
      expect((tags!.tags as string[])[0]).to.match(/:failure:9\+10$/);
    }));

  it('goes by the instance when the queue has forgotten the jobs', () =>
    withRecorded({ statusOf: (id) => (id < 11 ? undefined : 'success') }, async (path) => {
      expect((await run(path, '--dry-run')).stdout).to.contain(
        'inst11.example.com from "Pending repair" to "Healthy"',
      );
    }).then(() => {
      const change = withTags('inst1', [`${P}pending:failover:a:1000000000:9`]);
      return withRecorded({ change, statusOf: (id) => (id < 11 ? undefined : 'success') }, async (path) => {
        expect((await run(path, '--dry-run')).stdout).to.contain(
          'inst1.example.com from "Pending repair" to "Failure"',
        );
      });
    }));

  it('sees that a failover has helped whose jobs are forgotten: the node that is left is the secondary now', () => {
    const change = withTags('inst2', [`${P}pending:failover:a:1000000000:9`, `${P}failover`]);
    return withRecorded({ change, statusOf: (id) => (id < 11 ? undefined : 'success') }, async (path) => {
      const { stdout } = await run(path, '--dry-run');
      expect(stdout).to.contain('inst2.example.com from "Pending repair" to "Healthy"');
      expect(stdout).to.contain('Executing ArFixStorage repair on inst2.example.com');
    });
  });

  it('looks at the chosen instances only', () =>
    withRecorded({ change: withTags('inst1', [`${P}failover`, 'owner:shop']) }, async (path, jobs) => {
      const { stdout } = await run(path, '--instance-tags=owner:shop,other');
      expect(stdout).to.contain('Executing ArFailover repair on inst1.example.com');
      expect(stdout).to.match(/Instance status count\n-+\nPending repair: 1\n$/);
      expect(jobs.map(({ ops }) => ops.at(-1)!.OP_ID)).to.deep.equal(['OP_INSTANCE_FAILOVER', 'OP_TAGS_SET']);
    }));

  it('stops when tags contradict each other, before anything is done', () =>
    withRecorded(
      { change: withTags('inst9', [`${P}pending:failover:a:5:`, `${P}pending:failover:b:6:7`]) },
      async (path, jobs) => {
        const { status, stdout, stderr } = await run(path);
        expect([status, stdout, jobs.length]).to.deep.equal([1, '', 0]);
        expect(stderr).to.contain(
          'Error: when parsing auto-repair tags: An unfinished repair was found in instance inst9.example.com: found tag ' +
            `"${P}pending:failover:b:6:7", but older pending tag "${P}pending:failover:a:5:"exists.\n`,
        );
      },
    ));

  it('says how to note a repair by hand when its tag cannot be written', () =>
    withRecorded({ statusOf: (id) => (id === 37 ? 'error' : 'success') }, async (path, jobs) => {
      const { status, stderr } = await run(path);
      expect(status).to.equal(1);
      expect(jobs.at(-1)!.id).to.equal(37);
      expect(stderr).to.contain(
        'Error: job 36 repairs inst1.example.com, but its tags do not say so: job 37 ended',
      );
      expect(stderr).to.match(
        /gnt-instance add-tags inst1\.example\.com ganeti:.*:pending:failover:[-0-9a-f]+:\d+:36\n/,
      );
    }));

  it('waits for an execution on the cluster to end', () =>
    withRecorded({}, async (path, jobs) => {
      const giveFree = takeLock(`${path}.evenkeel`) as () => void;
      const held = await run(path, '--wait=0');
      expect([held.status, held.stdout, jobs.length]).to.deep.equal([4, '', 0]);
      expect(held.stderr).to.match(/^Error: process \d+ is carrying out a plan on this cluster/m);
      expect((await run(path, '--wait=0', '--dry-run')).status).to.equal(0);
      giveFree();
      expect((await run(path, '--wait=0')).status).to.equal(0);
      expect(jobs).to.not.deep.equal([]);
    }));

  it('ends when the master refuses a repair, which is not noted then', () =>
    withRecorded({ refuses: (ops) => ops.length > 1 }, async (path, jobs) => {
      const { status, stderr } = await run(path);
      expect(status).to.equal(1);
      expect(stderr).to.contain('the master refused a job: The job queue is full');
      expect(jobs.some(({ ops }) => JSON.stringify(ops).includes('pending:failover'))).to.equal(false);
    }));

  it('tells in its document what was done before the master refused a repair, and why it ended', () => {
    let refused = 0;
    const refuses = (ops: readonly Opcode[]): boolean => ops.length > 1 && ++refused > 1;
    return withRecorded({ refuses }, async (path, jobs) => {
      const { status, stdout, stderr } = await run(path, '--json');
      const why = 'the master refused a job: The job queue is full';
      expect([status, whyIn(stdout)]).to.deep.equal([1, [why]]);
      expect(stderr).to.contain(`Error: ${why}`);
      expect(doneIn(stdout)).to.include({ inst1: 'repair' }).and.not.have.property('inst2');
      expect(leftIn(stdout)).to.include({ inst2: 'stopped', inst6: 'stopped' });
      // Nothing was begun behind it.
      expect(jobs.at(-1)!.ops.at(-1)).to.include({ OP_ID: 'OP_TAGS_SET', name: 'inst1.example.com' });
    });
  });

  it('names a repair in its document that its tags do not tell of', () =>
    withRecorded({ statusOf: (id) => (id === 37 ? 'error' : 'success') }, async (path) => {
      const { status, stdout } = await run(path, '--json');
      expect(status).to.equal(1);
      expect(whyIn(stdout)[0]).to.contain('job 36 repairs inst1.example.com, but its tags do not say so');
      const { state, record } = instancesIn(stdout).find(({ instance }) => instance.startsWith('inst1.'))!;
      expect([state, record!.jobs]).to.deep.equal(['pending', [36]]);
    }));

  it('tells in its document that it could not ask any further', () => {
    const statusOf = (): string => {
      throw new Error('the line is cut');
    };
    return withRecorded({ statusOf }, async (path) => {
      const { status, stdout } = await run(path, '--json', '--answer-timeout=1');
      expect(status).to.equal(1);
      // A busy machine may be late in seeing that it is cut.
      expect(whyIn(stdout)[0]).to.match(/closed|cut|no answer to QueryJobs/);
      expect(leftIn(stdout)).to.include({ inst1: 'stopped' });
    });
  });

  it('finishes the instance at hand when a signal comes, and tells in its document which one it was', async () => {
    let harep: ChildProcess | undefined;
    const onSubmitted = (): void => {
      harep!.kill('SIGTERM');
    };
    await withRecorded({ onSubmitted }, async (path, jobs) => {
      const { status, stdout } = await new Promise<{ status: unknown; stdout: string }>((end) => {
        harep = execFile(`${ROOT}/bin/harep`, [`-L${path}`, '--json'], (error, out) =>
          end({ status: error?.code ?? 0, stdout: out }),
        );
      });
      expect([status, whyIn(stdout)]).to.deep.equal([3, ['SIGTERM']]);
      expect(leftIn(stdout)).to.include({ inst1: 'stopped' });
      // A tag in place of another.
      expect(jobs.map(({ ops }) => ops[0]!.OP_ID)).to.deep.equal(['OP_TAGS_SET', 'OP_TAGS_DEL']);
    });
  });

  it('waits for nothing when a second signal comes, and has what it has begun tagged all the same', async () => {
    let harep: ChildProcess | undefined;
    let isTagged = false;
    await withRecorded(
      {
        onSubmitted: ({ ops }) => {
          isTagged = ops[0]!.OP_ID === 'OP_TAGS_SET';
        },
        statusOf: () => {
          // Asked how the job that writes the tag is doing, which does not end.
          if (isTagged) harep!.kill('SIGTERM');
          return isTagged ? 'waiting' : 'success';
        },
      },
      async (path, jobs) => {
        const status = await new Promise((end) => {
          harep = execFile(`${ROOT}/bin/harep`, [`-L${path}`], (error) => end(error?.code ?? 0));
        });
        expect(status).to.equal(3);
        expect(jobs.map(({ ops }) => ops[0]!.OP_ID)).to.deep.equal(['OP_TAGS_SET', 'OP_TAGS_DEL']);
      },
    );
  });

  for (const where of ['>/dev/full', '| true'])
    it(`notes what it has begun, whatever becomes of its report (${where})`, () =>
      withRecorded({}, async (path, jobs) => {
        await new Promise((end) => execFile('sh', ['-c', `${ROOT}/bin/harep -L${path} ${where}`], end));
        expect(jobs).to.have.length(linesOf('jobs.jsonl').length);
      }));

  /** The recorded answer with node2 there again. */
  const withNode2Back = ({ args }: LuxiRequest, answer: string, isDrained: boolean): string => {
    if (args[0] !== 'node') return answer;
    const document = JSON.parse(answer);
    const at = (name: string): number => (args[1] as string[]).indexOf(name);
    const [well, gone] = document.result.data;
    for (const [field, cell] of gone.entries()) if (cell[0] !== 0) gone[field] = well[field];
    gone[at('offline')][1] = false;
    gone[at('drained')][1] = isDrained;
    return JSON.stringify(document);
  };

  it('reinstalls nothing on a node that has come back since the run began', () => {
    let looks = 0;
    const change = (request: LuxiRequest, answer: string): string => {
      if (request.args[0] === 'node') looks++;
      return looks > 1 ? withNode2Back(request, answer, false) : answer;
    };
    return withRecorded({ change }, async (path, jobs) => {
      const { stdout } = await run(path, '--json');
      expect(looks).to.be.above(1);
      expect(JSON.stringify(jobs)).to.include('OP_INSTANCE_FAILOVER').and.not.include('RECREATE_DISKS');
      expect(instancesIn(stdout).find(({ instance }) => instance.startsWith('inst6.'))).to.deep.include({
        damage: null,
        changes: [],
        leftAlone: null,
      });
    });
  });

  it('reinstalls nothing whose disks are whole, on a node that is only drained', () => {
    const change = (request: LuxiRequest, answer: string) => withNode2Back(request, answer, true);
    return withRecorded({ change }, async (path, jobs) => {
      const { stdout, stderr } = await run(path);
      expect(stdout).to.include('Executing ArFailover repair on inst1.example.com');
      expect(stderr).to.include(
        '  inst6.example.com: offline: node2.example.com; but it is only drained, and a reinstallation would empty',
      );
      expect(leftIn((await run(path, '--json')).stdout)).to.include({ inst6: 'drained' });
      expect(JSON.stringify(jobs)).not.to.include('OP_INSTANCE_RECREATE_DISKS');
    });
  });

  it('leaves alone what is to be left alone', () => {
    const change = withTags('inst1', [`${P}reinstall`, 'htools:hands-off']);
    return withRecorded({ change }, async (path, jobs) => {
      const { stdout } = await run(path, '--json');
      expect(leftIn(stdout)).to.include({ inst1: 'hands-off' });
      const subjects = jobs.flatMap(({ ops }) => ops.map(({ instance_name, name }) => instance_name ?? name));
      expect(subjects).to.include('inst2.example.com').and.not.include('inst1.example.com');
    });
  });

  it('does not repair again what an unfinished job is about, as after a run that was killed', () => {
    const failover = (name: string) => [
      { OP_ID: 'OP_INSTANCE_FAILOVER', instance_name: `${name}.example.com` },
    ];
    const queued = [
      [7, 'running', failover('inst1')],
      [8, 'success', failover('inst2')],
    ];
    return withRecorded({ queued }, async (path, jobs) => {
      const { stdout, stderr } = await run(path);
      const repaired = jobs.flatMap(({ ops }) => ops.map(({ instance_name }) => instance_name));
      expect(repaired).to.include('inst2.example.com').and.not.include('inst1.example.com');
      expect(stdout).not.to.contain('Executing Failover on inst1');
      expect(stderr).to.contain('job 7 (INSTANCE_FAILOVER) about it is not done');
    });
  });

  it('leaves alone whose dead node somebody is emptying', () => {
    const evacuation = [{ OP_ID: 'OP_NODE_EVACUATE', node_name: 'node2.example.com', mode: 'primary-only' }];
    return withRecorded({ queued: [[7, 'waiting', evacuation]] }, async (path, jobs) => {
      const { status, stderr } = await run(path);
      expect(status).to.equal(0);
      expect(jobs.filter(({ ops }) => ops.some(({ instance_name }) => instance_name))).to.deep.equal([]);
      expect(stderr).to.contain('offline: node2.example.com; job 7 (NODE_EVACUATE) about it is not done');
    });
  });

  it('has the time that it is given, whatever is done to the clock', () =>
    withRecorded({}, async (path, jobs) => {
      const options = { env: { ...process.env, NODE_OPTIONS: `--require=${JUMPY_CLOCK}` } };
      const words = [`-L${path}`, '--time-limit=300'];
      const status = await new Promise((end) =>
        execFile(`${ROOT}/bin/harep`, words, options, (error) => end(error?.code ?? 0)),
      );
      expect(status).to.equal(0);
      expect(jobs).not.to.deep.equal([]);
    }));

  it('begins nothing new behind the time limit, but notes what it has begun', () => {
    const statusOf = (id: number): string => (id === 37 ? 'waiting' : 'success');
    return withRecorded({ statusOf }, async (path, jobs) => {
      const { status, stdout } = await run(path, '--json', '--time-limit=5');
      expect(status).to.equal(3);
      expect(leftIn(stdout)).to.include({ inst2: 'out-of-time', inst6: 'out-of-time' });
      expect(jobs.at(-1)!.ops.at(-1)).to.include({ OP_ID: 'OP_TAGS_SET', name: 'inst1.example.com' });
    });
  });
});
