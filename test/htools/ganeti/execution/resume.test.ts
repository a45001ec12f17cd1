/** Programs go on from journals of executions that failed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { runApart, runBuilt } from '../../../suite/run-built.ts';
import { FAST_UPTIME, launched } from './launched.ts';
import { onStage, type Stage } from './played.ts';

const MAIL = 'mail.example.com';
/** Who waits for such a job waits longer than any test may take. */
const ENDLESS_MS = 3_600_000;

describe('going on from a job that failed', () => {
  /**
   * hbal's five jobs, the third of which (mail) fails half way: it has migrated, and has no new second node.
   */
  async function failedBalance(
    failing: string[],
    play: (
      stage: Stage,
      go: (way: string) => ReturnType<typeof runApart>,
      manners: { rebootMs: number },
    ) => Promise<void>,
  ) {
    const manners = { jobMs: 10, halfDone: failing, rebootMs: ENDLESS_MS };
    await onStage(manners, async (stage) => {
      const journal = join(dirname(stage.path), 'journal');
      const { status, stderr } = await runApart('hbal', [`-L${stage.path}`, '-X', `--journal=${journal}`]);
      expect(status).to.equal(1);
      expect(stderr.replace(/\s+/g, ' ')).to.include(
        `hbal -L${stage.path} --resume=${journal} --retry (or --skip-failed, or back with --way-home)`,
      );
      const go = (way: string) =>
        runApart('hbal', [`-L${stage.path}`, `--resume=${journal}`, ...(way ? [way] : [])]);
      await play(stage, go, manners);
    });
  }

  it('comes to the promised state with --retry, which sends only the rest of it', () =>
    onStage({ jobMs: 10 }, async (whole) => {
      await runApart('hbal', [`-L${whole.path}`, '-X']);
      const failing = [MAIL];
      await failedBalance(failing, async (stage, go) => {
        const again = await go('');
        expect(again.status).to.equal(1);
        expect(again.stderr).to.include(
          'mail.example.com is now on node2.example.com:node1.example.com, half done',
        );
        expect(stage.master.jobs).to.have.length(3);
        failing.length = 0;
        const { status, stdout, stderr } = await go('--retry');
        expect(status, stderr).to.equal(0);
        expect(stdout).to.match(/^Continuing the plan of hbal \(--retry\): 0 of 3 jobs are done$/m);
        expect(stage.master.jobs[3]!.ops.map(({ OP_ID }) => OP_ID)).to.deep.equal([
          'OP_INSTANCE_REPLACE_DISKS',
        ]);
        expect(stage.master.placements()).to.deep.equal(whole.master.placements());
        expect((await go('')).status).to.equal(0);
        expect(stage.master.jobs).to.have.length(6);
      });
    }));

  it('leaves it out with --skip-failed', () =>
    failedBalance([MAIL], async (stage, go) => {
      const before = stage.place('mail');
      const { status, stderr } = await go('--skip-failed');
      expect(stderr).to.match(/^Left out: \S+$/m);
      expect(status, stderr).to.equal(3);
      expect(stage.place('mail')).to.equal(before);
      expect(stage.master.jobs.slice(3).map(({ ops }) => ops[0]!.instance_name)).to.not.include(MAIL);
      expect(stage.master.jobs.length).to.be.above(3);
      // Nor is it forgotten when somebody goes on from there.
      for (const words of ['', '--calm']) {
        const again = await go(words);
        expect([again.status, again.stderr]).to.deep.equal([3, 'Left out: mail.example.com\n']);
      }
    }));

  it('leaves out with it, too, what its user has shut down, and a job would start', () =>
    failedBalance(['web2.example.com'], async (stage, go) => {
      const DOWN = 'db1.example.com';
      stage.master.instance(DOWN).status = 'USER_down';
      stage.master.hasWatched = false;
      const { status, stderr } = await go('--skip-failed');
      expect(stderr).to.match(/^Left out: web2\.example\.com, db1\.example\.com$/m);
      expect(status, stderr).to.equal(3);
      expect(stage.master.jobs.map(({ ops }) => ops[0]!.instance_name)).to.not.include(DOWN);
    }));

  it('brings everything back with --way-home, and knows it when it is asked again', () =>
    onStage({}, (untouched) => {
      const failing = [MAIL];
      return failedBalance(failing, async (stage, go) => {
        failing.length = 0;
        const { status, stderr } = await go('--way-home');
        expect(status, stderr).to.equal(0);
        expect(stage.master.placements()).to.deep.equal(untouched.master.placements());
        const jobs = stage.master.jobs.length;
        expect((await go('--way-home')).status).to.equal(0);
        expect(stage.master.jobs).to.have.length(jobs);
      });
    }));

  it('asks for nothing more with --way-home where somebody has brought an instance back by hand', () =>
    onStage({}, (untouched) => {
      const failing = [MAIL];
      return failedBalance(failing, async ({ master }, go) => {
        failing.length = 0;
        const web2 = master.instance('web2.example.com');
        const { primary, secondary } = untouched.master.instance('web2.example.com');
        Object.assign(web2, { primary, secondary });
        const { status, stderr } = await go('--way-home');
        expect(status, stderr).to.equal(0);
        expect(master.placements()).to.deep.equal(untouched.master.placements());
      });
    }));

  it('names with --way-home what it cannot bring back, as somebody has renamed it', () => {
    const failing = [MAIL];
    return failedBalance(failing, async (stage, go) => {
      stage.master.instance('web2.example.com').name = 'web7.example.com';
      const { status, stderr } = await go('--way-home');
      expect(stderr).to.match(/^Passed over, as they are gone, renamed or made anew: web2\.example\.com$/m);
      // The job that failed fails again.
      expect(status, stderr).to.equal(1);
      expect(stage.place('db1')).to.equal('node1:node2');
      failing.length = 0;
      expect((await go('--way-home')).status).to.equal(0);
    });
  });

  it('is done with --way-home also where what it has brought back is renamed later, or made anew', () => {
    const failing = [MAIL];
    return failedBalance(failing, async (stage, go) => {
      failing.length = 0;
      await go('--way-home');
      stage.master.instance('web2.example.com').name = 'web7.example.com';
      stage.master.instance('db1.example.com').uuid = 'another';
      const { status, stderr } = await go('--way-home');
      expect(stderr).to.match(
        /^Passed over, as they are gone, renamed or made anew: web2\.example\.com, db1\.example\.com$/m,
      );
      expect(status, stderr).to.equal(0);
    });
  });

  it('takes no other instance for one that it moved, whatever its name', () =>
    failedBalance([MAIL], async (stage, go) => {
      const remade = stage.master.instance('web2.example.com');
      remade.uuid = 'another';
      const place = stage.place('web2');
      const { stderr } = await go('--way-home');
      expect(stderr).to.match(/^Passed over, as they are gone, renamed or made anew: web2\.example\.com$/m);
      expect(stage.place('web2')).to.equal(place);
      expect(stage.place('db1')).to.equal('node1:node2');
    }));

  it('is done, too, where what it has moved is gone or renamed later, whichever way it is gone on with', () =>
    onStage({ jobMs: 10 }, async ({ master, path }) => {
      const journal = join(dirname(path), 'journal');
      await runApart('hbal', [`-L${path}`, '-X', `--journal=${journal}`]);
      master.instance('web2.example.com').name = 'web7.example.com';
      master.instance('db1.example.com').uuid = 'another';
      for (const words of [[], ['--retry'], ['--skip-failed'], ['--calm']]) {
        const { status, stderr } = await runApart('hbal', [`-L${path}`, `--resume=${journal}`, ...words]);
        expect([status, stderr]).to.deep.equal([
          0,
          'Passed over, as they are gone, renamed or made anew: web2.example.com, db1.example.com\n',
        ]);
      }
    }));

  for (const way of ['--retry', '--skip-failed', '--way-home'])
    it(`waits with ${way} for a node that is silent for a moment`, () => {
      const failing = [MAIL];
      return failedBalance(failing, async ({ master }, go, manners) => {
        failing.length = 0;
        const { name } = master.nodes[0]!;
        master.reboot(name);
        let looks = 0;
        master.onReading = () => {
          if (++looks < 2) return;
          manners.rebootMs = 0;
          master.reboot(name);
        };
        const { status, stderr } = await go(way);
        expect(status, stderr).to.equal(way === '--skip-failed' ? 3 : 0);
      });
    });

  it('gives its document also where the cluster cannot be read for another way', () =>
    failedBalance([MAIL], async ({ master, path }) => {
      const silent = master.nodes[0]!.name;
      master.reboot(silent);
      const journal = join(dirname(path), 'journal');
      const words = [`-L${path}`, `--resume=${journal}`, '--way-home', '--json'];
      const { status, stdout, stderr } = await launched(words, undefined, 'hbal', FAST_UPTIME).ended;
      const { execution } = JSON.parse(stdout);
      expect([status, execution.outcome, execution.jobs.length]).to.deep.equal([1, 'broken', 5]);
      expect(execution.why.join()).to.include(silent);
      expect(stderr)
        .to.match(/^Done: 2 of 5 jobs/m)
        .and.match(/^Maybe its node daemon does not answer: .*; continue, once that is mended: hbal/m)
        .and.include(`--resume=${journal}`);
    }));

  it('lets a signal end the waiting for it, and says how it is gone on with', () =>
    failedBalance([MAIL], async ({ master, path }) => {
      master.reboot(master.nodes[0]!.name);
      const journal = join(dirname(path), 'journal');
      for (const [signal, status] of [
        ['SIGINT', 0],
        ['SIGTERM', 2],
      ] as const) {
        const { child, ended } = launched([`-L${path}`, `--resume=${journal}`, '--way-home']);
        let looks = 0;
        master.onReading = () => {
          // The first look was for what has failed.
          if (++looks === 2) child.kill(signal);
        };
        const done = await ended;
        expect(done.status, done.stderr).to.equal(status);
        expect(done.stderr).to.match(/^To continue: hbal /m);
        const left = JSON.parse(readFileSync(journal, 'utf8').trimEnd().split('\n').at(-1)!);
        expect([left.outcome, left.why]).to.deep.equal(['stopped', [signal]]);
      }
    }));

  it('learns what became of jobs under way before it takes another way', () =>
    onStage({ jobMs: 10 }, async (stage) => {
      const journal = join(dirname(stage.path), 'journal');
      const words = [`-L${stage.path}`, '-X', '-l1', `--journal=${journal}`];
      await runApart('hbal', [...words, '--parallel=1']);
      // As it was before the job had ended.
      const text = readFileSync(journal, 'utf8');
      const [begun] = /^.*?"event":"submitted"[^\n]*\n/s.exec(text)!;
      expect(begun.length).to.be.below(text.length);
      writeFileSync(journal, begun);
      const { status, stderr } = await runApart('hbal', [
        `-L${stage.path}`,
        `--resume=${journal}`,
        '--way-home',
      ]);
      expect(status, stderr).to.equal(0);
      expect(stage.place('web2')).to.equal('node2:node1');
    }));

  it('does not take it when it is to stop first', () => {
    const manners = { jobMs: ENDLESS_MS };
    return onStage(manners, async (stage) => {
      const { path, master } = stage;
      const journal = join(dirname(path), 'journal');
      const first = launched([`-L${path}`, '-X', '-l1', `--journal=${journal}`], (child, heard) => {
        if (heard.includes('Got job IDs')) child.kill('SIGKILL');
      });
      await first.ended;
      const args = [`-L${path}`, `--resume=${journal}`, '--way-home'];
      const second = launched(args, (_, heard) => {
        if (heard.includes('Cancel request registered')) manners.jobMs = 0;
      });
      master.onWaiting = () => second.child.kill('SIGINT');
      const { status, stdout, stderr } = await second.ended;
      expect(status, stderr).to.equal(0);
      expect(stdout)
        .to.match(/^Exiting early due to user request/m)
        .and.not.include('Continuing');
      expect(stderr).to.match(/^To continue: hbal /m);
      expect(master.jobs.map((job) => job.status)).to.deep.equal(['success']);
      const home = await runApart('hbal', args);
      expect(home.status, home.stderr).to.equal(0);
      expect(stage.place('web2')).to.equal('node2:node1');
    });
  });

  it('takes one way at a time, and from a journal', () => {
    for (const words of ['hbal -L --resume=x --retry --skip-failed', 'hbal -L -X --way-home'])
      expect(runBuilt(words).stderr).to.match(
        /^Error: --retry, --skip-failed and --way-home are ways on from one journal$/m,
      );
  });
});

describe('a maintenance that failed', () => {
  it('is never advised to be planned anew, and comes home with --way-home', () =>
    onStage({ jobMs: 10, rebootMs: 60_000 }, async (stage) => {
      const { master, path } = stage;
      master.node('node1.example.com').tags = ['a'];
      const before = master.placements();
      const journal = join(dirname(path), 'journal');
      const words = ['--plan', '-X', '--node-tags=a', '--reboot-command=/bin/false', `--journal=${journal}`];
      const { status, stderr } = await runApart('hroller', [`-L${path}`, ...words]);
      expect(status).to.equal(1);
      expect(stderr).to.not.include('plan again');
      expect(stderr.replace(/\s+/g, ' ')).to.include(`--resume=${journal} --retry`);
      expect(master.placements()).to.not.deep.equal(before);
      const home = await runApart('hroller', [`-L${path}`, `--resume=${journal}`, '--way-home']);
      expect(home.status, home.stderr).to.equal(0);
      expect(master.placements()).to.deep.equal(before);
      expect(master.faults).to.deep.equal([]);
    }));
});
