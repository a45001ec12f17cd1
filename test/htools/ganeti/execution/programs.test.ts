/**
 * The programs carry plans out on a fake master: what they submit, what they say, and what they do when
 * things go wrong.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { ROOT, runApart, runBuilt } from '../../../suite/run-built.ts';
import { type FakeManners, FakeMaster } from '../fake-master.ts';
import { type LuxiRequest, withLuxi } from '../play.ts';
import { type Ended, launched } from './launched.ts';

const TESTDATA = fileURLToPath(new URL('../../../../testdata/', import.meta.url));
const SMALL = join(TESTDATA, 'small.data');
const SUPER = join(TESTDATA, 'super.data');
/** Who waits for such a job waits longer than any test may take. */
const ENDLESS_MS = 3_600_000;

const withMaster = <T>(
  file: string,
  manners: FakeManners,
  work: (master: FakeMaster, path: string, folder: string) => Promise<T>,
): Promise<T> => {
  const master = new FakeMaster(file, manners);
  return master.serve((path) => work(master, path, newFolder()));
};

/** Placements in a snapshot that a program saved. */
function placementsIn(file: string): string[] {
  const [, , instances = ''] = readFileSync(file, 'utf8').split('\n\n');
  return instances
    .trim()
    .split('\n')
    .map((line) => {
      const [name, , , , , , primary, secondary] = line.split('|');
      return `${name} ${primary}:${secondary}`;
    });
}

const listening = (...words: Parameters<typeof launched>): Promise<Ended> => launched(...words).ended;

/** Sends a program a signal once it has submitted its first jobs. @param onHeard as above */
function interrupt(
  args: readonly string[],
  signal: NodeJS.Signals,
  onHeard: (heard: string) => void = () => {},
) {
  let isSent = false;
  return listening(args, (child, heard) => {
    if (!isSent && heard.includes('Got job IDs')) isSent = child.kill(signal);
    onHeard(heard);
  });
}

describe('carrying a plan out', () => {
  for (const [program, file, suffix, ...args] of [
    ['hbal', SMALL, 'balanced', '-l', '2'],
    ['hredist', SUPER, 'redistributed'],
    ['hcompress', SUPER, 'compressed', '--evacuate'],
    ['hspread', SUPER, 'spread'],
  ] as const)
    it(`leads to the state that ${program} promised`, () =>
      withMaster(file, { jobMs: 20 }, async (master, path, folder) => {
        const saved = join(folder, 'state');
        const { status, stdout, stderr } = await runApart(program, [`-L${path}`, '-X', '-S', saved, ...args]);
        expect(stderr).to.not.include('Error');
        expect(status).to.equal(0);
        expect(master.faults).to.deep.equal([]);
        expect(master.placements().sort()).to.deep.equal(placementsIn(`${saved}.${suffix}`).sort());
        expect(master.placements().sort()).to.not.deep.equal(placementsIn(`${saved}.original`).sort());
        const ids = [...stdout.matchAll(/^Got job IDs (.*)$/gm)].flatMap(([, list]) =>
          list!.split(',').map(Number),
        );
        expect(ids).to.deep.equal(master.jobs.map(({ id }) => id));
        const lines = stderr.match(/^job \d+: .*: success \(\d+ s\)$/gm) ?? [];
        expect(lines).to.have.length(ids.length);
      }));

  it('submits opcodes as the stock program does, with reason and priority', () =>
    withMaster(SMALL, { jobMs: 20 }, async (master, path) => {
      await runApart('hbal', [`-L${path}`, '-X', '-l', '1', '--reason=Ümzug "x"', '--priority=high']);
      const [first, second] = master.jobs[0]!.ops;
      const { reason, comment, ...rest } = first!;
      expect(rest).to.deep.equal({
        priority: -10,
        depends: null,
        OP_ID: 'OP_INSTANCE_REPLACE_DISKS',
        instance_name: 'web2.example.com',
        early_release: false,
        ignore_ipolicy: false,
        mode: 'replace_new_secondary',
        disks: [],
        remote_node: 'node4.example.com',
      });
      expect((reason as unknown[][])[0]!.slice(0, 2)).to.deep.equal(['hbal', 'Ümzug "x"']);
      expect(comment).to.match(/^rebalancing via hbal /);
      expect(second!.OP_ID).to.equal('OP_INSTANCE_MIGRATE');
    }));

  it('waits for a master that is away when the cluster is to be read again', async () => {
    const master = new FakeMaster(SMALL, { jobMs: 20 });
    let isAway = false;
    master.onSubmitted = () => {
      isAway = true;
    };
    await withLuxi(
      (request) => {
        if (request.method !== 'Query' || !isAway) return master.answer(request);
        isAway = false;
        return 'this is no master';
      },
      async (path) => {
        const { status, stderr } = await runApart('hbal', [`-L${path}`, '-X', '-l', '1', '--no-journal']);
        expect(status, stderr).to.equal(0);
      },
    );
    expect([isAway, master.jobs.length]).to.deep.equal([false, 1]);
  });

  it('has no more jobs at a time than --parallel allows', () =>
    withMaster(SUPER, { jobMs: 200 }, async (master, path) => {
      let most = 0;
      master.onReading = () => {};
      const watch = setInterval(() => {
        most = Math.max(most, master.jobs.filter(({ status }) => status === 'running').length);
      }, 10);
      const { status } = await runApart('hspread', [`-L${path}`, '-X', '--first-job-group', '--parallel=2']);
      clearInterval(watch);
      expect(status).to.equal(0);
      expect(most).to.equal(2);
      expect(master.jobs).to.have.length(4);
    }));

  it('is for the master node alone', () => {
    // Nothing is read for it: the file need not even exist.
    for (const words of [
      'hbal',
      'hredist',
      'hspread',
      'hcompress --evacuate',
      'hsqueeze',
      'hroller --plan',
    ]) {
      const { status, stdout, stderr } = runBuilt(`${words} -t nowhere.data -X`);
      expect([status, stdout], words).to.deep.equal([1, '']);
      expect(stderr).to.match(/^Error: --exec: Execution of commands possible only on LUXI$/m);
    }
    expect(runBuilt('hbal -L -X --journal=package.json').stderr).to.match(
      /^Error: package.json is not empty/,
    );
    expect(runBuilt('hbal -L -X --why=web1').stderr).to.match(/^Error: --exec carries plans out/);
    expect(runBuilt('hbal -t testdata/small.data --journal=x').stderr).to.match(
      /^Error: --journal, --no-journal, --parallel, --until, --worth, --calm and --dry-run apply only/,
    );
    expect(runBuilt('hbal -L -X --journal=x --no-journal').stderr).to.match(
      /^Error: --no-journal, and a journal is named/,
    );
    expect(runBuilt('hbal --resume=x').stderr).to.match(/^Error: --resume continues/);
    for (const word of ['--dry-run', '--first-job-group'])
      expect(runBuilt(`hbal -L --resume=x ${word}`).stderr).to.include(
        `Error: --resume carries out all that is left of the plan, and ${word} asks for less\n`,
      );
    expect(runBuilt('hbal --resume=x --journal=y --dry-run --retry --way-home').stderr).to.equal(
      `Error: --resume carries out all that is left of the plan, and --dry-run asks for less
Maybe leave --dry-run out; the file says what is left, and SIGINT ends it behind the running job set
--retry, --skip-failed and --way-home are ways on from one journal
Maybe give one of them, with --resume
--resume continues jobs of a live cluster
Maybe add -L, on its master node
--resume writes to the journal that it continues from
Maybe leave --journal out
`,
    );
    // Words of both kinds, about a plan and about carrying it out.
    expect(
      runBuilt('hbal -t nowhere.data -X --why=web1 --only-rules -E --all-groups -G a --budget=much').stderr,
    ).to.equal(`Error while parsing command line arguments:
--only-rules takes the fewest moves that mend everything, and no options about what a plan may cost
Maybe mend first, save the outcome with --save, and balance that
--only-rules mends every broken rule, and --evac-mode only empties offline and drained nodes
Maybe leave out one of them
--group names one group, and --all-groups asks for each
Maybe leave out one of them
--budget: 'much' is not understood
Maybe a budget is 2TiB, 500GiB, 4h, 30min, 50migrations, 20moves, 0failovers, 90%, 2/h, knee or best
--exec: Execution of commands possible only on LUXI
Maybe add -L, on the master node, or take the commands with --print-commands
--exec carries plans out, and --why and --try only ask
Maybe leave --exec out
`);
  });

  it('lists what is there when an evacuation was not carried out to its end, not what was planned', () =>
    withMaster(SMALL, { jobMs: 20, failing: ['web1.example.com'] }, async (master, path) => {
      const node = 'node1.example.com';
      const { status, stdout, stderr } = await runApart('hbal', [
        `-L${path}`,
        '-X',
        '-E',
        '-O',
        node,
        '--json',
      ]);
      expect(status).to.equal(1);
      const left = JSON.parse(stdout).leftBehind as Record<string, string>[];
      const there = master
        .placements()
        .filter((line) => line.includes(node))
        .map((line) => line.split(' ')[0]!);
      expect(there).to.include('web1.example.com');
      expect(left.map(({ instance }) => instance).sort()).to.deep.equal(there.sort());
      for (const { reason } of left) expect(reason).to.equal('not-carried-out');
      expect(stderr.replace(/\s+/g, ' ')).to.contain('was not carried out to its end');
    }));

  it('gives the document of an evacuation also where what is left behind can no longer be read', async () => {
    const folder = newFolder();
    const master = new FakeMaster(SMALL, { jobMs: 20 });
    const journal = join(folder, 'journal');
    const isDone = () => existsSync(journal) && readFileSync(journal, 'utf8').includes('"outcome":"done"');
    const answer = (request: LuxiRequest) =>
      isDone() ? JSON.stringify({ success: false, result: 'shutting down' }) : master.answer(request);
    await withLuxi(answer, async (path) => {
      const words = ['-X', '-E', '-O', 'node1.example.com', '--json', `--journal=${journal}`];
      const { status, stdout, stderr } = await runApart('hbal', [`-L${path}`, ...words]);
      const { execution, leftBehind } = JSON.parse(stdout);
      expect([status, execution.outcome, leftBehind]).to.deep.equal([1, 'done', undefined]);
      expect(stderr).to.match(/^Error: what is left behind is not known: .*shutting down/m);
    });
  });

  it('says nothing has to be done where that is so, and submits nothing', () =>
    withMaster(SMALL, {}, async (master, path) => {
      const { status } = await runApart('hbal', [`-L${path}`, '-X', '-e', '1000']);
      expect(status).to.equal(0);
      expect(master.jobs).to.deep.equal([]);
    }));

  it('ends with the log of a job that failed, and what was done and not done', () =>
    withMaster(SMALL, { jobMs: 20, failing: ['mail.example.com'] }, async (master, path) => {
      const { status, stderr } = await runApart('hbal', [`-L${path}`, '-X']);
      expect(status).to.equal(1);
      expect(master.jobs).to.have.length(3);
      expect(stderr).to.include(
        'Error: hbal: Not all jobs completed successfully: [(JobId {fromJobId = 103},JOB_STATUS_ERROR)]\nAborting.\n',
      );
      expect(stderr).to.include('Disk sync failed\\u001b[31m');
      expect(stderr).to.include('- INFO: copying disks');
      expect(stderr).to.match(/Done: 2 of 5 jobs \(web2\.\S+, db1\.\S+\)\. Not done: mail\./);
      expect(stderr).to.not.include('\u001b');
    }));

  for (const search of [[], ['--search=deep', '--time-limit=0.5']])
    it(`copies from no node that is dead, though a plan that is only shown may ${search.join(' ')}`, () =>
      withMaster(SMALL, { jobMs: 10 }, async (master, path) => {
        // db1 is on a dead node, and its copy on one that is drained: its disk would have to come from the
        // dead one.
        const words = [`-L${path}`, ...search];
        const [dead, drained] = [master.node('node1.example.com'), master.node('node2.example.com')];
        for (const node of [dead, drained]) node.isOffline = true;
        for (const one of master.instances)
          if (master.nodes[one.primary] === dead) one.status = 'ERROR_nodeoffline';
        if (search.length === 0)
          expect((await runApart('hbal', words)).stdout).to.match(/ db1 +node1:node2 => .* a=r:\S+ f$/m);
        const { status, stderr } = await runApart('hbal', [...words, '-X', '--first-job-group']);
        expect(stderr).to.not.include('Error');
        expect(status).to.equal(0);
        expect(master.jobs.length).to.be.above(0);
        expect(master.faults).to.deep.equal([]);
        expect(master.instance('db1.example.com').primary).to.equal(master.nodes.indexOf(dead));
      }));

  it('sees by the cluster how a job ended that the queue has forgotten', () =>
    withMaster(SMALL, { jobMs: 20, forgets: true }, async (master, path) => {
      const { status, stderr } = await runApart('hbal', [`-L${path}`, '-X', '-l', '2']);
      expect(stderr).to.match(/^job 101: .*: success/m);
      expect([status, master.jobs.length]).to.deep.equal([0, 2]);
    }));

  it('takes a forgotten job whose instance has not moved for one that failed', () =>
    withMaster(SMALL, { jobMs: 20, forgets: true, failing: ['web2.example.com'] }, async (master, path) => {
      const { status, stderr } = await runApart('hbal', [`-L${path}`, '-X', '-l', '2']);
      expect(stderr).to.include('[(JobId {fromJobId = 101},JOB_STATUS_ERROR)]');
      expect(stderr).to.include('the master has no log of it');
      expect([status, master.jobs.length]).to.deep.equal([1, 1]);
    }));

  it('carries on to the end when nobody reads its report any more', () =>
    withMaster(SMALL, { jobMs: 10 }, async (master, path) => {
      const command = `bin/hbal -L${path} -X -l 2 | head -n 1`;
      await new Promise((resolve) => spawn('sh', ['-c', command], { cwd: ROOT }).on('close', resolve));
      expect(master.jobs.map(({ status }) => status)).to.deep.equal(['success', 'success']);
    }));

  it('begins nothing whose report, page, script, journal or state has no place', () =>
    withMaster(SMALL, { jobMs: 10 }, async (master, path, folder) => {
      for (const word of ['-o', '--html=', '-C', '--journal=', '-S']) {
        const { status, stderr } = await runApart('hbal', [`-L${path}`, '-X', `${word}/none/such`]);
        const file = word === '-S' ? '/none/such.STAGE' : '/none/such';
        expect([status, stderr.split('\n')[0]]).to.deep.equal([
          1,
          `Error: cannot write ${file}: there is no such folder (ENOENT)`,
        ]);
      }
      // All of them are told at once, and on the record where there is one.
      const words = [`-L${path}`, '-X', '-o', '/none/such', '-S', '/none/state'];
      const places = ['/none/state.STAGE', '/none/such'].map(
        (file) => `cannot write ${file}: there is no such folder (ENOENT)`,
      );
      const remedy = 'Maybe make it, or check its name\n';
      const files = places.map((one) => `${one}\n${remedy}`).join('');
      const none = await runApart('hbal', words, { STATE_DIRECTORY: '/dev/null/x' });
      expect([none.status, none.stderr]).to.deep.equal([
        1,
        `Error: ${files}the folder of the journals, /dev/null/x, cannot be used: ENOTDIR\n` +
          'Maybe name a journal elsewhere with --journal, or have none with --no-journal\n',
      ]);
      const some = await runApart('hbal', words, { STATE_DIRECTORY: folder });
      expect([some.status, some.stderr]).to.deep.equal([1, `Error: ${files}`]);
      const { runs } = JSON.parse(
        (await runApart('hbal', ['--history', '--json'], { STATE_DIRECTORY: folder })).stdout,
      );
      expect(runs[0].why).to.deep.equal(places);
      expect(master.jobs).to.deep.equal([]);
    }));

  it('carries on to the end, and says so, when its report cannot be written', () =>
    withMaster(SMALL, { jobMs: 10 }, async (master, path) => {
      const command = `bin/hbal -L${path} -X -l 2 2>&1 >/dev/full`;
      let said = '';
      await new Promise((resolve) => {
        const child = spawn('sh', ['-c', command], { cwd: ROOT });
        child.stdout.on('data', (piece) => {
          said += piece;
        });
        child.on('close', resolve);
      });
      expect(said.match(/^Warning: cannot write to standard output: ENOSPC/gm)).to.have.length(1);
      expect(master.jobs.map(({ status }) => status)).to.deep.equal(['success', 'success']);
    }));

  it('says what was done and how it goes on when the queue is drained', () =>
    withMaster(SMALL, { jobMs: 20 }, async (master, path, folder) => {
      master.onReading = (nth) => {
        if (nth === 2) master.isDrained = true;
      };
      const journal = join(folder, 'journal');
      const { status, stdout, stderr } = await runApart('hbal', [
        `-L${path}`,
        '-X',
        '--json',
        `--journal=${journal}`,
      ]);
      expect(status).to.equal(1);
      expect(stderr).to.match(
        /the cluster refuses SubmitManyJobs: Queue drained\nDone: 1 of 5 jobs \(web2\.example\.com\)\. Not done: db1/,
      );
      const words = stderr.replace(/\s+/g, ' ');
      expect(words).to.include(`continue, once that is mended: hbal -L${path} --resume=${journal}`);
      expect(JSON.parse(stdout).execution.outcome).to.equal('broken');
    }));

  it('tells the whole story in a JSON document', () =>
    withMaster(SMALL, { jobMs: 20, failing: ['db1.example.com'] }, async (_, path) => {
      const { status, stdout } = await runApart('hbal', [`-L${path}`, '-X', '--json']);
      expect(status).to.equal(1);
      const { execution } = JSON.parse(stdout);
      expect(execution.outcome).to.equal('failed');
      expect(execution.jobs.map((job: { status: string }) => job.status)).to.deep.equal([
        'success',
        'error',
        'planned',
        'planned',
        'planned',
      ]);
      expect(execution.jobs[1]).to.include({ id: 102, set: 2, error: 'Disk sync failed\\u001b[31m' });
    }));
});

describe('the record of an execution', () => {
  it('is kept without a word about it, for its owner alone, and is listed', () =>
    withMaster(SMALL, { jobMs: 20, failing: ['mail.example.com'] }, async (_, path, folder) => {
      const around = { STATE_DIRECTORY: join(folder, 'state') };
      const ofSteps = (steps: number) => runApart('hbal', [`-L${path}`, '-X', `-l${steps}`], around);
      expect((await ofSteps(1)).status).to.equal(0);
      expect((await runApart('hbal', [`-L${path}`, '-X', '-l1', '--no-journal'], around)).status).to.equal(0);
      const [file] = readdirSync(around.STATE_DIRECTORY);
      expect(readdirSync(around.STATE_DIRECTORY)).to.deep.equal([file]);
      expect(file).to.match(/^\d{8}T\d{9}Z-hbal-fake\.example\.com-\d+\.journal$/);
      expect(statSync(join(around.STATE_DIRECTORY, file!)).mode & 0o777).to.equal(0o600);
      const failed = await ofSteps(3);
      expect(failed.status).to.equal(1);
      const list = await runApart('hbal', ['--journals'], around);
      const lines = list.stdout.trimEnd().split('\n');
      expect(lines[0]).to.match(/^ State +Began \(UTC\) +Program +Cluster +Jobs +GiB +Took +Score$/);
      expect(
        lines
          .slice(1)
          .filter((line) => /^ \S/.test(line))
          .sort()
          .map((line) => line.trim().split(/ +/).toSpliced(1, 1).slice(0, 4)),
      ).to.deep.equal([
        ['done', 'hbal', 'fake.example.com', '1/1'],
        ['failed', 'hbal', 'fake.example.com', '0/3'],
      ]);
      expect(list.status).to.equal(0);
    }));
});

describe('an execution that nobody watches', () => {
  it('is not begun for less than it is asked to gain', () =>
    withMaster(SMALL, { jobMs: 10 }, async (master, path) => {
      const words = [`-L${path}`, '-X', '-l1', '--worth=90'];
      const { status, stderr } = await runApart('hbal', words);
      expect(status).to.equal(0);
      const { execution } = JSON.parse((await runApart('hbal', [...words, '--json'])).stdout);
      expect([execution.outcome, stderr]).to.deep.equal([
        'held',
        `Nothing is carried out: ${execution.why[0]}\n`,
      ]);
      const [, gain] =
        /^Nothing is carried out: the plan gains ([\d.]+) % of the score, and --worth asks for 90 %$/m.exec(
          stderr,
        )!;
      expect(master.jobs).to.deep.equal([]);
      const enough = await runApart('hbal', [`-L${path}`, '-X', '-l1', `--worth=${Number(gain) - 0.1}`]);
      expect([enough.status, master.jobs.length]).to.deep.equal([0, 1]);
    }));

  it('mends rules also where that raises the score, unless it is asked to gain', () =>
    withMaster(SMALL, { jobMs: 10 }, async (master, path) => {
      for (const one of master.instances)
        one.tags = one.name.startsWith('dns') ? ['htools:keepoff:node3'] : [];
      const words = [`-L${path}`, '-X', '--only-rules'];
      expect((await runApart('hbal', [...words, '--worth=0'])).stderr).to.match(/the plan gains -\d/);
      expect(master.jobs).to.deep.equal([]);
      expect((await runApart('hbal', words)).status).to.equal(0);
      expect(master.jobs).to.have.length(1);
    }));

  it('leaves alone what it moved last night, on this cluster', () =>
    withMaster(SMALL, { jobMs: 10 }, async (master, path, folder) => {
      const around = { STATE_DIRECTORY: folder };
      const first = await runApart('hbal', [`-L${path}`, '-X', '-l1', '--let-rest=20'], around);
      expect(first.stderr).to.match(/^No run on fake\.example\.com of the last 44 hours is on record/m);
      const [{ instance_name: moved }] = master.jobs[0]!.ops as [{ instance_name: string }];
      // By day somebody puts it back.
      Object.assign(master.instance(moved), { primary: 1, secondary: 0 });
      const steps = async (...words: string[]) =>
        (await runApart('hbal', [`-L${path}`, '-l1', ...words], around)).stdout;
      expect(await steps()).to.match(/ web2 .*=>/);
      expect(await steps('--let-rest=20')).to.not.match(/ web2 .*=>/);
      expect(await steps('--let-rest=0')).to.match(/ web2 .*=>/);
      const second = await runApart('hbal', [`-L${path}`, '-X', '--let-rest=20', '--dry-run'], around);
      expect(second.stderr).to.not.include('on record');
    }));

  it('begins nothing that would not be done by the given time, and the rest can be resumed', () =>
    withMaster(SMALL, { jobMs: 10 }, async (master, path, folder) => {
      // The first job set copies 20 GiB, which takes longer.
      const soon = new Date(Date.now() + 180_000);
      const until = `${soon.getHours()}:${String(soon.getMinutes()).padStart(2, '0')}`;
      const journal = join(folder, 'journal');
      const words = [`-L${path}`, '-X', `--until=${until}`, `--journal=${journal}`];
      const { status, stderr } = await runApart('hbal', words);
      expect(status).to.equal(0);
      expect(stderr).to.match(/^The next job set takes about \d+ s and would not be done by \d+:\d\d$/m);
      expect(stderr).to.match(/^To continue: hbal /m);
      expect(master.jobs).to.deep.equal([]);
      expect((await runApart('hbal', [`-L${path}`, `--resume=${journal}`])).status).to.equal(0);
      expect(master.jobs.length).to.be.above(1);
      const wrong = await runApart('hbal', [`-L${path}`, '-X', '--until=25:00']);
      expect(wrong.stderr).to.match(/until: '25:00' is no time of day/);
    }));

  it('is not begun with --calm while the cluster is in trouble', () =>
    withMaster(SMALL, { jobMs: 10 }, async (master, path, folder) => {
      // Not among the journals of others.
      const run = (...words: readonly string[]) => runApart('hbal', words, { STATE_DIRECTORY: folder });
      master.watcherPause = 1_800_000_000;
      const TROUBLE =
        /^Error: the cluster is in trouble, and nothing was submitted:\n {2}the watcher is paused$/m;
      const words = [`-L${path}`, '-X', '-l1', '--calm'];
      const { status, stderr } = await run(...words);
      expect(status).to.equal(4);
      expect(stderr).to.match(TROUBLE);
      const [journal] = /\S+\.journal/.exec((await run('--history')).stdout)!;
      const resumed = await run(`-L${path}`, `--resume=${journal}`, '--calm', '--json');
      expect(resumed.status).to.equal(4);
      expect(resumed.stderr).to.match(TROUBLE);
      expect(JSON.parse(resumed.stdout).execution).to.include({ outcome: 'held' });
      expect(master.jobs).to.deep.equal([]);
      master.watcherPause = null;
      expect((await run(...words)).status).to.equal(0);
      // One looks at the disks.
      expect(master.jobs).to.have.length(2);
    }));

  it('is not begun with --calm while disks are degraded', () =>
    withMaster(SMALL, { jobMs: 10, degraded: ['mail.example.com'] }, async (master, path) => {
      const { status, stderr } = await runApart('hbal', [`-L${path}`, '-X', '-l1', '--calm']);
      expect(status).to.equal(4);
      expect(stderr).to.match(/nothing was submitted:\n {2}degraded disks: mail\.example\.com$/m);
      expect(master.jobs.map(({ ops }) => ops[0]!.OP_ID)).to.deep.equal(['OP_INSTANCE_QUERY_DATA']);
    }));

  it('waits with --calm for jobs of others wherever they are', () =>
    withMaster(SMALL, { jobMs: 10 }, async (master, path) => {
      // It has nothing to do with the nodes of the plan's one step.
      const elsewhere = master.nodes.find(({ name }) => !/^node[124]\./.test(name))!.name;
      master.add([{ OP_ID: 'OP_NODE_MODIFY_STORAGE', node_name: elsewhere }]);
      const words = [`-L${path}`, '-X', '-l1', '--wait=0'];
      const calm = await runApart('hbal', [...words, '--calm']);
      expect([calm.status, master.jobs.length]).to.deep.equal([4, 1]);
      expect(calm.stderr).to.include(`job 101 (NODE_MODIFY_STORAGE) is not done, about ${elsewhere}`);
      expect((await runApart('hbal', words)).status).to.equal(0);
    }));

  it('is judged with --calm as the cluster is behind the jobs of others', () => {
    const manners = { jobMs: 10, degraded: ['mail.example.com'] };
    return withMaster(SMALL, manners, async (master, path) => {
      // Such a job copies its disk, and has it down meanwhile.
      const moving = master.instance('mail.example.com');
      moving.status = 'ERROR_down';
      const job = master.add([
        { OP_ID: 'OP_INSTANCE_REPLACE_DISKS', instance_name: moving.name, remote_node: 'node3.example.com' },
      ]);
      let isDone = false;
      const { status, stderr } = await listening(
        [`-L${path}`, '-X', '-l1', '--calm', '--no-journal'],
        (_, heard) => {
          if (isDone || !heard.includes('Waiting: job 101 (INSTANCE_REPLACE_DISKS) is not done')) return;
          isDone = true;
          job.status = 'success';
          moving.status = 'running';
          manners.degraded = [];
        },
      );
      expect(status, stderr).to.equal(0);
      expect(master.jobs.map(({ ops }) => ops[0]!.OP_ID)).to.deep.equal([
        'OP_INSTANCE_REPLACE_DISKS',
        'OP_INSTANCE_QUERY_DATA',
        'OP_INSTANCE_REPLACE_DISKS',
      ]);
    });
  });

  it('is judged with --calm, where it is gone on with, as the cluster is behind its own jobs', () => {
    const folder = newFolder();
    const manners = { jobMs: 1200, degraded: ['mail.example.com'] };
    return withMaster(SMALL, manners, async (master, path) => {
      const journal = join(folder, 'journal');
      const words = [`-L${path}`, '-X', '-l2', `--journal=${journal}`];
      const left = await listening(words, (child, heard) => {
        if (heard.endsWith('Got job IDs 101\n')) child.kill('SIGTERM');
      });
      expect(left.status).to.equal(2);
      // The job that is under way copies a disk.
      const running = setInterval(() => {
        if (master.jobs[0]!.status === 'success') manners.degraded = [];
      }, 5);
      const { status, stdout, stderr } = await runApart('hbal', [
        `-L${path}`,
        `--resume=${journal}`,
        '--calm',
      ]);
      clearInterval(running);
      expect(status, stderr).to.equal(0);
      expect(stdout).to.include('Continuing the plan of hbal: 1 of 2 jobs are done');
      expect(master.jobs.map(({ ops }) => ops[0]!.OP_ID)[1]).to.equal('OP_INSTANCE_QUERY_DATA');
      expect([master.jobs.length, master.faults]).to.deep.equal([3, []]);
    });
  });

  for (const [signal, ends] of [
    ['SIGINT', 0],
    ['SIGTERM', 2],
  ] as const)
    it(`is not begun when somebody ends that wait (${signal}), and is on the record`, () =>
      withMaster(SMALL, { jobMs: 10 }, async (master, path, folder) => {
        master.add([{ OP_ID: 'OP_NODE_MODIFY_STORAGE', node_name: 'node3.example.com' }]);
        const journal = join(folder, 'journal');
        let isSent = false;
        const words = [`-L${path}`, '-X', '-l1', '--calm', `--journal=${journal}`, '--json'];
        const { status, stdout, stderr } = await listening(words, (child, heard) => {
          if (!isSent && heard.includes('Waiting: job 101')) isSent = child.kill(signal);
        });
        expect(status, stderr).to.equal(ends);
        const left = JSON.parse(readFileSync(journal, 'utf8').trimEnd().split('\n').at(-1)!);
        expect([left.outcome, left.why]).to.deep.equal(['held', [signal]]);
        expect(JSON.parse(stdout).execution).to.deep.include({ outcome: 'held', why: [signal] });
        expect(master.jobs).to.have.length(1);
      }));

  it('plans around what is to be left alone, and stops where that is said on the way', () =>
    withMaster(SMALL, { jobMs: 10 }, async (master, path) => {
      master.node('node4.example.com').tags = ['htools:hands-off'];
      const { status, stderr } = await runApart('hbal', [`-L${path}`, '-X', '-l2']);
      expect(status, stderr).to.equal(0);
      expect(JSON.stringify(master.jobs.map(({ ops }) => ops))).to.not.include('node4');
      master.node('node4.example.com').tags = [];
      const { length } = master.jobs;
      let readings = 0;
      master.onReading = () => {
        // The first is the plan's; the second stands ahead of the first set.
        if (++readings === 2) for (const node of master.nodes) node.tags = ['htools:hands-off'];
      };
      const stopped = await runApart('hbal', [`-L${path}`, '-X']);
      expect(stopped.status).to.equal(4);
      expect(stopped.stderr).to.match(/\S+\.example\.com is to be left alone \(tag htools:hands-off\)/);
      expect(master.jobs).to.have.length(length);
    }));
});

describe('two executions on one cluster', () => {
  it('follow each other: the second plans when the first has ended', () => {
    // The first goes on when the second has begun to wait.
    const manners = { jobMs: ENDLESS_MS };
    return withMaster(SMALL, manners, async (master, path) => {
      const first = runApart('hbal', [`-L${path}`, '-X', '-l2']);
      while (master.jobs.length === 0) await pause(10);
      // It is one cluster, whatever name its socket goes by.
      symlinkSync(path, `${path}-too`);
      const refused = await runApart('hbal', [`-L${path}-too`, '-X', '--wait=0']);
      rmSync(`${path}-too`);
      expect(refused.status).to.equal(4);
      expect(refused.stderr).to.match(
        /^Error: process \d+ is carrying out a plan on this cluster; nothing was submitted$/m,
      );
      const second = await listening([`-L${path}`, '-X', '-l1'], (_, heard) => {
        if (heard.includes('Waiting')) manners.jobMs = 10;
      });
      expect((await first).status).to.equal(0);
      expect(second.status, second.stderr).to.equal(0);
      expect(second.stderr).to.match(/^Waiting: process \d+ is carrying out a plan on this cluster$/m);
      expect(master.jobs).to.have.length(3);
      expect(master.faults).to.deep.equal([]);
      expect(readdirSync(dirname(path))).to.deep.equal(['socket']);
    });
  });
});

describe('a signal', () => {
  it('lets the running job set end and no other begin (SIGINT), and the rest can be resumed', () => {
    // The first job ends when the program has heard the signal.
    const manners = { jobMs: ENDLESS_MS };
    return withMaster(SMALL, manners, async (master, path, folder) => {
      const journal = join(folder, 'journal');
      const args = [`-L${path}`, '-X', '-l', '3', `--journal=${journal}`];
      const { status, stdout } = await interrupt(args, 'SIGINT', (heard) => {
        if (heard.includes('Cancel request registered')) manners.jobMs = 0;
      });
      expect(status).to.equal(0);
      expect(master.jobs.map((job) => job.status)).to.deep.equal(['success']);
      expect(stdout).to.include(
        'Cancel request registered, will exit at the end of the current job set...\nExiting early due to user request, \n',
      );
      expect(stdout).to.match(/1 jobset\(s\) submitted: \n.*success\n2 jobset\(s\) not submitted:\n/);
      const resumed = await runApart('hbal', [`-L${path}`, `--resume=${journal}`]);
      expect(resumed.status).to.equal(0);
      expect(resumed.stdout).to.match(/^Continuing the plan of hbal: 1 of 3 jobs are done\n/);
      expect(master.jobs).to.have.length(3);
      expect(master.faults).to.deep.equal([]);
    });
  });

  it('ends with no success where nobody knows of a job, as its answer is lost (SIGINT)', () =>
    withMaster(SMALL, { jobMs: 10, answerMs: 3_600_000 }, async (master, path, folder) => {
      // Nor does the queue show it yet.
      master.onSubmitted = () => {
        for (const job of master.jobs) job.isArchived = true;
      };
      const journal = join(folder, 'journal');
      const args = [`-L${path}`, '-X', '-l1', `--journal=${journal}`, '--answer-timeout=1'];
      let isSent = false;
      const { status, stderr } = await launched(args, (child, heard) => {
        if (isSent || !heard.includes('Looking in the queue')) return;
        isSent = true;
        child.kill('SIGINT');
      }).ended;
      expect([status, stderr.replace(/^To continue: .*\n/m, '')]).to.deep.equal([
        1,
        'Looking in the queue for 1 job that may be on the way\n' +
          `Error: it is not known whether 1 job was submitted\nMaybe continue: it is looked for in the queue then\n`,
      ]);
    }));

  it('is heard on standard error where standard output is for scripts', () => {
    const manners = { jobMs: ENDLESS_MS };
    return withMaster(SUPER, manners, async (master, path) => {
      const args = [`-L${path}`, '-X', '--no-journal', '--machine-readable'];
      const { child, ended } = launched(
        args,
        (_, heard) => {
          if (heard.includes('Cancel request registered')) manners.jobMs = 0;
        },
        'hredist',
      );
      master.onSubmitted = () => child.kill('SIGINT');
      const { status, stdout, stderr } = await ended;
      expect(status, stderr).to.equal(0);
      expect(stderr).to.include('Cancel request registered');
      expect(stdout)
        .to.match(/^HREDIST_OK=1$/m)
        .and.not.include('Cancel');
    });
  });

  for (const { keys, program, cluster, form, told } of [
    {
      keys: 'of its own',
      program: 'hredist',
      cluster: SUPER,
      form: '--machine-readable',
      told: 'HREDIST_HEALED=1',
    },
    {
      keys: 'of the document',
      program: 'hbal',
      cluster: SMALL,
      form: '--format=keyvalue',
      told: 'HBAL_EXECUTION_OUTCOME=failed',
    },
  ])
    it(`has no key at the end that says that all went well where a job failed, with keys ${keys}`, () =>
      withMaster(cluster, { jobMs: 20, failing: ['mail.example.com'] }, async (_, path) => {
        const { status, stdout } = await runApart(program, [`-L${path}`, '-X', '--no-journal', form]);
        expect(status).to.equal(1);
        expect(stdout)
          .to.match(new RegExp(`^${told}$`, 'm'))
          .and.not.include(`${program.toUpperCase()}_OK`);
      }));

  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    it(`ends the program at once (${signal}), which says how far it is; the job goes on`, () =>
      withMaster(SMALL, { jobMs: ENDLESS_MS }, async (master, path, folder) => {
        const journal = join(folder, 'a journal');
        const words = [`-L${path}`, '-X', `--journal=${journal}`];
        const { status, stderr } = await interrupt(words, signal);
        expect(status).to.equal(2);
        expect(stderr).to.include('Done: 0 of 5 jobs. Running: job 101 (web2.example.com). Not done: db1.');
        expect(stderr).to.match(/^To continue: hbal -L\S+ --resume='\/.*\/a journal'$/m);
        expect(JSON.parse(readFileSync(journal, 'utf8').trimEnd().split('\n').at(-1)!)).to.deep.include({
          event: 'left',
          outcome: 'stopped',
          why: [signal],
        });
        expect(master.jobs.map((job) => job.status)).to.deep.equal(['running']);
      }));

  // What is told of an evacuation that was not carried out to its end would have to be read first.
  for (const words of [[], ['-E', '-O', 'node1.example.com']])
    it(`is told in the document, too, and with the status asked for ${words.join(' ')}`, () =>
      withMaster(SMALL, { jobMs: ENDLESS_MS }, async (master, path) => {
        const args = [`-L${path}`, '-X', '--json', '--exit-status=strict', ...words];
        const { child, ended } = launched(args);
        master.onSubmitted = () => child.kill('SIGTERM');
        const { status, stdout, stderr } = await ended;
        expect(status, stderr).to.equal(5);
        const { execution } = JSON.parse(stdout);
        expect([execution.outcome, execution.why]).to.deep.equal(['stopped', ['SIGTERM']]);
        expect(execution.jobs[0].status).to.be.oneOf(['submitting', 'submitted']);
        expect(stderr).to.include('To continue: ').and.not.include('Error');
      }));
});

describe('a cluster that changes behind the plan', () => {
  /** The first reading is the plan's, the second one stands before the first job set. */
  const changedBefore = async (set: number, change: (master: FakeMaster) => void) =>
    withMaster(SMALL, { jobMs: 20 }, async (master, path) => {
      master.onReading = (nth) => {
        if (nth === set) change(master);
      };
      const result = await runApart('hbal', [`-L${path}`, '-X']);
      return { ...result, jobs: master.jobs.length };
    });

  // The first step of the plan: web2  node2:node1 => node4:node2.
  const stories: readonly (readonly [string, (master: FakeMaster) => void, RegExp])[] = [
    [
      'an instance has moved',
      (master) => Object.assign(master.instance('web2.example.com'), { secondary: 2 }),
      /instance web2\S* is on node2\S*:node3\S*, the plan expects node2\S*:node1/,
    ],
    [
      'an instance is gone',
      (master) => {
        master.instances.splice(master.instances.indexOf(master.instance('web2.example.com')), 1);
      },
      /instance web2\S* is gone/,
    ],
    [
      'a node went offline',
      (master) => Object.assign(master.node('node4.example.com'), { isOffline: true }),
      /node node4\S* is now offline or drained/,
    ],
    [
      'memory is gone',
      (master) => Object.assign(master.node('node4.example.com'), { freeMemMib: 100 }),
      /web2 on node4: .*MiB memory left/,
    ],
    [
      'disk is gone',
      (master) => Object.assign(master.node('node4.example.com'), { freeDiskMib: 100 }),
      /web2 on node4: .*MiB disk left/,
    ],
    [
      'an instance is no longer to be balanced',
      (master) => Object.assign(master.instance('web2.example.com'), { isAutoBalanced: false }),
      /instance web2\S* is no longer to be balanced/,
    ],
  ];

  for (const [title, change, words] of stories)
    it(`is left alone when ${title}`, async () => {
      const { status, stderr, jobs } = await changedBefore(1, change);
      expect(stderr).to.match(/^Error: the cluster has changed, and job set 1 was not submitted:$/m);
      expect(stderr).to.match(words);
      // Of a run that goes on, the same command would not plan.
      expect(stderr).to.match(/Maybe plan again .* by the command that made the plan; or /);
      expect(status).to.equal(4);
      expect(jobs).to.equal(0);
    });

  it('is left alone from the set on that it does not allow', async () => {
    const { status, stderr, jobs } = await changedBefore(2, (master) => {
      master.instance('db1.example.com').secondary = 2;
    });
    expect(stderr).to.include('job set 2 was not submitted');
    expect(stderr).to.match(/Done: 1 of 5 jobs \(web2\.\S+\)\./);
    expect([status, jobs]).to.deep.equal([4, 1]);
  });

  it('is carried on with when only others have changed', async () => {
    const { status, jobs } = await changedBefore(1, (master) => {
      master.instance('wiki.example.com').status = 'ADMIN_down';
    });
    expect([status, jobs]).to.deep.equal([0, 5]);
  });
});
