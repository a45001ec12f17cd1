/** What is told afterwards of executions, also of those that were not begun (`--history`). */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { promise } from '../../../builders/promise.ts';
import { expectValid } from '../../../suite/documents/validate.ts';
import { ROOT, runApart } from '../../../suite/run-built.ts';
import { type FakeManners, FakeMaster } from '../fake-master.ts';
import { type LuxiRequest, withLuxi } from '../play.ts';
import { SMALL } from './played.ts';

interface Run {
  readonly journal: string;
  readonly cluster: string;
  readonly isHomeward: boolean;
  readonly state: string;
  readonly wanted: { readonly jobs: number; readonly copyMib: number };
  readonly done: { readonly jobs: number; readonly copyMib: number };
  readonly score: Readonly<Record<'before' | 'wanted' | 'reached', number>> | null;
  readonly why: readonly string[];
}

describe('the history of executions', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });

  const hbal = (...words: string[]) => runApart('hbal', words, { STATE_DIRECTORY: folder });
  const history = async (): Promise<readonly Run[]> => {
    const document = JSON.parse((await hbal('--history', '--json')).stdout);
    expectValid('hbal-history', document, 'history');
    return document.runs;
  };
  const onMaster = <T>(manners: FakeManners, work: (path: string, master: FakeMaster) => Promise<T>) => {
    const master = new FakeMaster(SMALL, { jobMs: 10, ...manners });
    return master.serve((path) => work(path, master));
  };

  it('tells what was wanted and done, and what it gained', () =>
    onMaster({ failing: ['mail.example.com'] }, async (path) => {
      expect((await hbal(`-L${path}`, '-X')).status).to.equal(1);
      const [run] = await history();
      // web2 and db1 are in the two sets before that of mail.
      expect([run!.state, run!.done.jobs, run!.wanted.jobs]).to.deep.equal(['failed', 2, 5]);
      expect(run!.why).to.have.length(1);
      expect(run!.why[0]).to.match(/^job 103, mail\.example\.com \S+ => \S+: Disk sync failed/);
      const plan = JSON.parse((await hbal('-t', SMALL, '--json')).stdout);
      expect(run!.score).to.deep.equal({
        before: plan.initial.score,
        wanted: plan.final.score,
        reached: plan.steps[1].score,
      });
      const { stdout } = await hbal('--history');
      expect(stdout).to.match(
        /^ failed +\S+ hbal +fake\.example\.com +2\/5 +[\d.]+\/[\d.]+ .* => [\d.]+, wanted [\d.]+\n {3}\/\S+\n {3}job 103, mail/m,
      );
      expect(stdout).to.not.match(/ $/m);
    }));

  it('lists as unreadable what is damaged, at whatever member', () =>
    onMaster({}, async (path) => {
      await hbal(`-L${path}`, '-X');
      const [{ journal }] = (await history()) as [Run];
      const text = readFileSync(journal, 'utf8');
      const damaged = {
        scores: text.replace(/"scores":\[[^,]+,/, '"scores":['),
        times: text.replace(/"time":"[^"]+/, '"time":"yesterday'),
      };
      const files = Object.entries(damaged).map(([name, damage]) => {
        const file = join(folder, `${name}.journal`);
        writeFileSync(file, damage);
        return file;
      });
      const { status, stdout } = await hbal('--history', '--json');
      expect(status).to.equal(0);
      expect(JSON.parse(stdout).unreadable.sort()).to.deep.equal(files);
    }));

  it('counts on the way home what comes home, and says that it does', () =>
    onMaster({ failing: ['mail.example.com'] }, async (path) => {
      await hbal(`-L${path}`, '-X');
      const [failed] = await history();
      expect(failed!.isHomeward).to.equal(false);
      for (let times = 0; times < 2; times++) {
        const home = await hbal(`-L${path}`, `--resume=${failed!.journal}`, '--way-home');
        expect(home.status, home.stderr).to.equal(0);
        const [run] = await history();
        // web2 and db1, of the five jobs that were wanted.
        expect(run).to.deep.include({ state: 'done', isHomeward: true });
        expect([run!.done.jobs, run!.wanted.jobs]).to.deep.equal([2, 2]);
        expect((await hbal('--history')).stdout).to.match(/^ done .* 2\/2 .*\n {3}\/\S+\n {3}the way home$/m);
      }
    }));

  it('has a record of what was not begun, and why', () =>
    onMaster({ degraded: ['db1.example.com'] }, async (path, master) => {
      const words = [`-L${path}`, '-X', '-l1'];
      const dry = await hbal(...words, '--dry-run');
      expect([dry.status, dry.stderr]).to.deep.equal([
        0,
        'Nothing is carried out: this is a dry run (--dry-run)\n',
      ]);
      await hbal(...words, '--worth=90');
      expect((await hbal(...words, '--calm')).status).to.equal(4);
      await hbal(...words, '-e', '1000');
      expect(master.jobs.map(({ ops }) => ops[0]!.OP_ID)).to.deep.equal(['OP_INSTANCE_QUERY_DATA']);
      const runs = await history();
      expect(runs.map(({ state }) => state)).to.deep.equal(['done', 'held', 'held', 'held']);
      expect(runs.map(({ why }) => why.join()).slice(0, 3)).to.deep.equal([
        '',
        'degraded disks: db1.example.com',
        runs[2]!.why[0],
      ]);
      expect(runs[2]!.why[0]).to.match(/^the plan gains \S+ % of the score, and --worth asks for 90 %$/);
      expect(runs[3]!.why).to.deep.equal(['this is a dry run (--dry-run)']);
      expect(runs[0]!.wanted).to.deep.equal({ jobs: 0, copyMib: 0 });
      expect(runs[3]!.wanted.copyMib).to.be.above(0);
      expect(runs[3]!.score!.reached).to.equal(runs[3]!.score!.before);
      expect(runs[3]!.score!.wanted).to.be.below(runs[3]!.score!.before);
    }));

  it('asks for the name of the cluster once, beside each reading of it', () => {
    const master = new FakeMaster(SMALL, { jobMs: 10 });
    let names = 0;
    let readings = 0;
    master.onReading = () => readings++;
    const answer = (request: LuxiRequest): Promise<string> => {
      if (request.method === 'QueryClusterInfo') names++;
      return master.answer(request);
    };
    return withLuxi(answer, async (path) => {
      expect((await hbal(`-L${path}`, '-X', '-l1')).status).to.equal(0);
      expect(names - readings).to.equal(1);
    });
  });

  it('has none of its own, whatever a file of options asks for beside it', async () => {
    const { status, stdout } = await hbal(`-L${folder}/nowhere`, '-X', '--history');
    expect({ status, stdout }).to.deep.equal({ status: 0, stdout: `No journals in ${folder}\n` });
  });

  it('has a record of a night on which the cluster could not be read', async () => {
    const { status, stderr } = await hbal(`-L${folder}/nowhere`, '-X');
    expect(status).to.equal(1);
    const [run, ...others] = await history();
    expect([run!.state, others]).to.deep.equal(['held', []]);
    expect(run!.why).to.have.length(1);
    expect(stderr).to.include(run!.why[0]!).and.include('nowhere').and.include('gnt-cluster getmaster');
    await hbal(`-L${folder}/nowhere`);
    await hbal(`-L${folder}/nowhere`, '-X', '--no-journal');
    expect(await history()).to.have.length(1);
    for (const [program, ...words] of [['hredist'], ['hsqueeze'], ['hroller', '--plan']] as const)
      await runApart(program, [`-L${folder}/nowhere`, '-X', ...words], { STATE_DIRECTORY: folder });
    expect((await history()).map(({ state }) => state)).to.deep.equal(Array(4).fill('held'));
  });

  it('knows of which cluster such a night was, by the file of its name, and that nobody can go on from it', async () => {
    const [run, lib] = ['run/ganeti/socket', 'lib/ganeti'].map((name) => join(folder, 'var', name));
    mkdirSync(lib!, { recursive: true });
    writeFileSync(join(lib!, 'ssconf_cluster_name'), 'fake.example.com\n');
    await hbal(`-L${run}/ganeti-query`, '-X');
    const [record] = await history();
    expect(record!.cluster).to.equal('fake.example.com');
    expect(record!.journal).to.match(/-hbal-fake\.example\.com-\d+\.journal$/);
    await onMaster({}, async (path) => {
      await hbal(`-L${path}`, '-X', '-l1');
      const { status, stderr } = await hbal(`-L${path}`, `--resume=${record!.journal}`);
      expect([status, stderr.split('\n')[0]]).to.deep.equal([
        1,
        `Error: the run in ${record!.journal} came to no plan that could be gone on with: ${record!.why[0]}`,
      ]);
    });
    const runs = await history();
    expect(runs.map(({ state }) => state)).to.deep.equal(['done', 'held']);
    // The one that came to no plan would hide how the last one stands.
    await hbal(`-L${run}/ganeti-query`, '-X');
    const figures = (await hbal('--history', '--format=prometheus')).stdout;
    expect(figures).to.include('cluster="fake.example.com",state="done"} 1\n').and.not.include('held');
  });

  it('has a record of every other night that began nothing', () =>
    onMaster({}, async (path, master) => {
      const around = { STATE_DIRECTORY: folder };
      const refusals = [
        ['hbal', /^Node group nope not found\. Node group list is: default$/, '-Gnope'],
        ['hbal', /budget/, '--budget=nonsense'],
        ['hroller', /^Cannot find target group\.$/, '--plan', '-Gnope'],
        ['hroller', /^Cannot create node graph$/, '--plan', '--node-tags=none'],
        ['hredist', /nope/, '-Gnope'],
      ] as const;
      for (const [program, why, ...words] of refusals) {
        // Nobody could go on from there.
        const journal = join(folder, 'named');
        const { status } = await runApart(
          program,
          [`-L${path}`, '-X', `--journal=${journal}`, ...words],
          around,
        );
        expect(status).to.equal(1);
        const [run] = await history();
        expect([run!.state, run!.why.length, existsSync(journal)]).to.deep.equal(['held', 1, false]);
        expect(run!.why[0]).to.match(why);
      }
      expect(await history()).to.have.length(refusals.length);
      master.instances.length = 0;
      expect((await hbal(`-L${path}`, '-X')).status).to.equal(0);
      expect((await history()).map(({ state }) => state)[0]).to.equal('done');
      expect(master.jobs).to.deep.equal([]);
    }));

  it('has a record of a night that its options kept from beginning', () =>
    onMaster({}, async (path, master) => {
      const programs = [
        ['hbal'],
        ['hcompress', '--evacuate'],
        ['hredist'],
        ['hspread'],
        ['hsqueeze'],
        ['hroller', '--plan'],
      ];
      for (const [program, ...words] of programs)
        await runApart(program!, [...words, `-L${path}`, '-X', '-o', '/none/such'], {
          STATE_DIRECTORY: folder,
        });
      const file = join(folder, 'cluster.yaml');
      writeFileSync(file, `hbal: {luxi: ${path}, exec: true, worth: much}\n`);
      await hbal(`--config=${file}`);
      const runs = await history();
      expect(runs.map(({ state, cluster }) => `${state} ${cluster}`)).to.deep.equal(
        Array(programs.length + 1).fill('held fake.example.com'),
      );
      const [misread, ...others] = runs.map(({ why }) => why.join());
      expect(misread).to.equal(`${file}: --worth: cannot parse string 'much'`);
      expect(new Set(others)).to.deep.equal(
        new Set(['cannot write /none/such: there is no such folder (ENOENT)']),
      );
      expect(master.jobs).to.deep.equal([]);
      // Nobody is kept from carrying anything out here.
      for (const words of [[`--check-config=${file}`], ['-X', '--history', '-o/none/such'], ['-o/none/such']])
        await hbal(`-L${path}`, ...words);
      await hbal(`-L${path}`, '-X', `--resume=${runs[0]!.journal}`, '-o', '/none/such');
      expect(await history()).to.have.length(runs.length);
    }));

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const)
    it(`has a record of a run that ${signal} ended while it planned`, async () => {
      const master = new FakeMaster(SMALL);
      const reading = promise();
      const answer = (request: LuxiRequest) => {
        if (request.method !== 'Query') return master.answer(request);
        reading.keep();
        return new Promise<string>(() => {});
      };
      await withLuxi(answer, async (path) => {
        const env = { ...process.env, STATE_DIRECTORY: folder };
        const child = spawn(join(ROOT, 'bin/hbal'), [`-L${path}`, '-X'], { env, stdio: 'ignore' });
        const ended = new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
        await reading.made;
        const stands = async () => (await history()).map(({ state, why }) => [state, ...why]);
        expect(await stands()).to.deep.equal([['running']]);
        child.kill(signal);
        expect(await ended).to.equal(signal);
        expect(await stands()).to.deep.equal([
          ['held', 'it was ended while it planned, by a signal or a crash'],
        ]);
      });
    });

  it('begins nothing when SIGINT ends its search', () =>
    onMaster({}, async (path, master) => {
      const env = { ...process.env, STATE_DIRECTORY: folder };
      const child = spawn(
        join(ROOT, 'bin/hbal'),
        [`-L${path}`, '-X', '--search=deep', '--effort=100000', '--jobs=1'],
        { env, stdio: ['ignore', 'pipe', 'ignore'] },
      );
      child.stdout.on('data', (bytes: Buffer) => {
        if (bytes.includes('Trying to minimize')) child.kill('SIGINT');
      });
      expect(await new Promise((resolve) => child.on('close', (_, by) => resolve(by)))).to.equal('SIGINT');
      expect(master.jobs).to.deep.equal([]);
      const [run] = await history();
      expect([run!.state, ...run!.why]).to.deep.equal([
        'held',
        'it was ended while it planned, by a signal or a crash',
      ]);
    }));

  it('is not spoilt by a disk that has no room for a plan', () =>
    onMaster({}, async (path, master) => {
      // In blocks of 512 bytes: the record of the planning has as much, and the plan needs more.
      for (const blocks of [0, 1, 2]) {
        const env = { ...process.env, STATE_DIRECTORY: folder };
        const words = ['-c', `ulimit -f ${blocks}; exec bin/hbal -L${path} -X`];
        const child = spawn('sh', words, { cwd: ROOT, env, stdio: 'ignore' });
        expect(await new Promise((resolve) => child.on('close', resolve))).to.equal(1);
      }
      expect(master.jobs).to.deep.equal([]);
      const { stdout } = await hbal('--history', '--json');
      expect(JSON.parse(stdout).unreadable).to.deep.equal([]);
      expect(readdirSync(folder).filter((name) => !name.endsWith('.journal'))).to.deep.equal([]);
    }));

  it('says why where the master can be asked no more ahead of the first job', async () => {
    const master = new FakeMaster(SMALL);
    const answer = (request: LuxiRequest) =>
      request.method === 'QueryConfigValues'
        ? JSON.stringify({ success: false, result: 'Permission denied' })
        : master.answer(request);
    await withLuxi(answer, async (path) => {
      const { status, stdout, stderr } = await hbal(`-L${path}`, '-X', '--calm', '--json');
      const [run] = await history();
      expect([status, run!.state]).to.deep.equal([1, 'held']);
      expect(run!.why[0]).to.match(/Permission denied/);
      expect(stderr).to.include(run!.why[0]!);
      expect(JSON.parse(stdout).execution).to.deep.include({ outcome: 'held', why: run!.why });
    });
  });

  it('gives Prometheus the figures of the last one', () =>
    onMaster({}, async (path) => {
      await hbal(`-L${path}`, '-X', '-l1', '--worth=90');
      await hbal(`-L${path}`, '-X', '-l1');
      // Of no cluster, and older than any limit one day.
      await hbal(`-L${folder}/nowhere`, '-X');
      const file = join(folder, 'hbal.prom');
      const { stdout, status } = await hbal('--history', '--format=prometheus', '-o', file);
      expect([status, stdout]).to.deep.equal([0, '']);
      const [unread, run] = await history();
      expect(unread!.state).to.equal('held');
      const figures = (await hbal('--history', '--format=prometheus')).stdout;
      const at = '{program="hbal",cluster="fake.example.com"';
      expect(figures).to.include(`evenkeel_execution_state${at},state="done"} 1\n`);
      expect(figures).to.not.match(/held|cluster=""/);
      expect(figures).to.include(`evenkeel_execution_jobs${at},what="done"} 1\n`);
      expect(figures).to.include(
        `evenkeel_execution_copied_bytes${at},what="done"} ${run!.done.copyMib * 1024 * 1024}\n`,
      );
      expect(figures).to.include(`evenkeel_execution_score${at},when="reached"} ${run!.score!.wanted}\n`);
    }));
});
