/** A master that is away while a plan is carried out, and somebody who does not want to wait for it. */
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runApart } from '../../../suite/run-built.ts';
import { type FakeManners, FakeMaster } from '../fake-master.ts';
import { type LuxiRequest, withLuxi } from '../play.ts';
import { type Ended, launched } from './launched.ts';
import { SMALL } from './played.ts';

/** Who waits for so long waits longer than any test may take. */
const ENDLESS_SECONDS = 3600;

interface Story {
  readonly manners: FakeManners;
  /** Whether the master is away behind its answer to a request. */
  readonly leaves: (master: FakeMaster, request: LuxiRequest) => boolean;
  readonly words?: readonly string[];
}

interface Outcome extends Ended {
  readonly master: FakeMaster;
  readonly left: { readonly outcome: string; readonly why: readonly string[] };
  /** Goes on with the journal, on the master that is there again. */
  readonly resume: () => Promise<Ended>;
}

/** Sends SIGINT when the master, once away, is asked in vain for the second time. */
async function interrupted(
  { manners, leaves, words = [] }: Story,
  look: (outcome: Outcome) => void | Promise<void>,
): Promise<void> {
  const folder = newFolder();
  const journal = join(folder, 'journal');
  const master = new FakeMaster(SMALL, manners);
  let isAway = false;
  let inVain = 0;
  let onInVain = (): void => {};
  const answer = async (request: LuxiRequest): Promise<string> => {
    if (isAway) {
      inVain += 1;
      onInVain();
      throw new Error('away');
    }
    const text = await master.answer(request);
    isAway ||= inVain === 0 && leaves(master, request);
    return text;
  };
  await withLuxi(answer, async (path) => {
    const { child, ended } = launched([
      `-L${path}`,
      '-X',
      '-l3',
      `--answer-timeout=${ENDLESS_SECONDS}`,
      `--journal=${journal}`,
      ...words,
    ]);
    onInVain = () => inVain === 2 && child.kill('SIGINT');
    const end = await ended;
    isAway = false;
    const left = JSON.parse(readFileSync(journal, 'utf8').trimEnd().split('\n').at(-1)!);
    const resume = async () => {
      const { status, stdout, stderr } = await runApart('hbal', [`-L${path}`, `--resume=${journal}`]);
      return { status, stdout, stderr };
    };
    await look({ ...end, master, left, resume });
  });
}

describe('SIGINT while the master is away', () => {
  it('ends the waiting at once, and says what is under way', () => {
    const manners = { jobMs: ENDLESS_SECONDS * 1000 };
    const leaves = ({ jobs }: FakeMaster) => jobs.length > 0;
    return interrupted({ manners, leaves }, async ({ status, stderr, left, master, resume }) => {
      expect(status, stderr).to.equal(1);
      expect(stderr).to.include('Running: job 101 (web2.example.com). Not done: db1');
      expect(stderr.replace(/\s+/g, ' ')).to.match(
        /continue, once that is mended: hbal -L\S+ --resume=\S+ \(it is waited for longer with --answer-timeout=SECONDS\); if another/,
      );
      expect(left.outcome).to.equal('broken');
      manners.jobMs = 10;
      expect((await resume()).status).to.equal(0);
      expect([master.jobs.length, master.faults]).to.deep.equal([3, []]);
    });
  });

  // What stays on nodes that are to be emptied is not waited for, either.
  for (const words of [[], ['-E', '-O', 'node1.example.com']])
    it(`is an end as any other where all that was submitted has succeeded ${words.join(' ')}`, () => {
      const leaves = ({ jobs }: FakeMaster, { method }: LuxiRequest) =>
        method === 'QueryJobs' && jobs[0]?.status === 'success';
      return interrupted(
        { manners: { jobMs: 10 }, leaves, words },
        async ({ status, stdout, stderr, left, master, resume }) => {
          if (words.length === 0) expect(status, stderr).to.equal(0);
          expect(stdout).to.include('Exiting early due to user request');
          expect(stderr).to.match(/^To continue: hbal /m);
          expect([left.outcome, left.why]).to.deep.equal(['stopped', ['SIGINT']]);
          expect(master.jobs).to.have.length(1);
          expect((await resume()).status).to.equal(0);
          expect(master.faults).to.deep.equal([]);
        },
      );
    });
});

describe('a master whose daemon is started anew as an execution is taken up again', () => {
  it('is kept from any other all the same', () => {
    const master = new FakeMaster(SMALL, { jobMs: 10 });
    const journal = join(newFolder(), 'journal');
    return master.serve(async (path) => {
      await runApart('hbal', [`-L${path}`, '-X', '-l2', `--journal=${journal}`, '--dry-run']);
      renameSync(path, `${path}-aside`);
      const { ended } = launched([`-L${path}`, `--resume=${journal}`]);
      // It looks for the master by then.
      while (!existsSync(`${journal}.lock`)) await pause(10);
      renameSync(`${path}-aside`, path);
      const locks: boolean[] = [];
      master.onSubmitted = () => locks.push(existsSync(`${path}.evenkeel.lock`));
      const { status, stderr } = await ended;
      expect(status, stderr).to.equal(0);
      expect(locks).to.deep.equal([true, true]);
      expect(existsSync(`${path}.evenkeel.lock`)).to.equal(false);
    });
  });
});

describe('a master that is away as a night begins', () => {
  const soon = new Date(Date.now() + 7_200_000);
  const until = `--until=${soon.getHours()}:${String(soon.getMinutes()).padStart(2, '0')}`;

  it('is waited for until the window ends, which is said once', () => {
    const master = new FakeMaster(SMALL, { jobMs: 10 });
    return master.serve(async (path) => {
      const { ended } = launched([`-L${path}-later`, '-X', '-l1', '--no-journal', until], (_, heard) => {
        if (heard.includes('Waiting') && !existsSync(`${path}-later`)) symlinkSync(path, `${path}-later`);
      });
      const { status, stderr } = await ended;
      rmSync(`${path}-later`);
      expect(status, stderr).to.equal(0);
      expect(
        stderr.match(/Waiting for the master, until \d+:\d\d at most: .*no such socket\n/g),
      ).to.have.length(1);
      expect(master.jobs).to.have.length(1);
    });
  });
});
