/**
 * An execution that is killed at random moments and resumed each time comes to the promised state, and does
 * nothing twice.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { newFolder } from '../../../builders/folder.ts';
import { halved, runsOf } from '../../../builders/seeds.ts';
import { ROOT } from '../../../suite/run-built.ts';
import { FakeMaster } from '../fake-master.ts';
import { FAST_UPTIME } from './launched.ts';
import { SMALL } from './played.ts';

/**
 * So many executions at the same time, one after another on each lane until so many kills have struck there.
 */
const LANES = halved(4);
const KILLS = runsOf(1);
/**
 * Most kills come early in a run, where it looks for lost jobs and submits; some leave it the time to get on.
 */
const SOON_MS = 1_300;
const LATE_MS = 4_000;
const SOON_SHARE = 0.7;

interface Story {
  readonly steps: number;
  readonly jobMs: number;
  readonly answerMs: number;
}

/**
 * Many short jobs; and a few that still run when the next run looks for them, with an answer to the
 * submission that takes its time while the jobs are in the queue: there a kill is worst.
 */
const STORIES: readonly Story[] = [
  { steps: 5, jobMs: 100, answerMs: 100 },
  { steps: 2, jobMs: 3_500, answerMs: 700 },
];

interface Ended {
  readonly status: number | null;
  readonly stderr: string;
}

/** Runs hbal; kills it after so many milliseconds, when it has not ended by then. */
function run(args: readonly string[], killAfterMs?: number): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...FAST_UPTIME };
    const child = spawn(`${ROOT}/bin/hbal`, args, { cwd: ROOT, env });
    let stderr = '';
    child.stderr.on('data', (piece) => {
      stderr += piece;
    });
    const timer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve({ status, stderr });
    });
  });
}

/** One execution with its kills. @returns how many of them struck a run that had not ended */
async function killedExecution(random: Random, kills: number, { steps, ...manners }: Story): Promise<number> {
  const folder = newFolder();
  const journal = join(folder, 'journal');
  const master = new FakeMaster(SMALL, manners);
  return await master.serve(async (path) => {
    const next = (): string[] => {
      const hasBegun = existsSync(journal) && statSync(journal).size > 0;
      return [
        `-L${path}`,
        ...(hasBegun ? [`--resume=${journal}`] : ['-X', `-l${steps}`, `--journal=${journal}`]),
      ];
    };
    let struck = 0;
    for (let kill = 0; kill < kills; kill++) {
      const within = random.chance(SOON_SHARE) ? SOON_MS : LATE_MS;
      const { status, stderr } = await run(next(), random.below(within));
      expect(stderr).to.not.include('Error');
      if (status === null) struck++;
    }
    const { status, stderr } = await run(next());
    expect(stderr).to.not.include('Error');
    expect(status).to.equal(0);
    expect(master.faults).to.deep.equal([]);
    expect(master.jobs.map((job) => job.status)).to.deep.equal(Array(steps).fill('success'));
    expect(master.placements()).to.deep.equal(await promised(steps));
    expect(readFileSync(journal, 'utf8')).to.match(/"event":"left","outcome":"done"}\n$/);
    return struck;
  });
}

/** Where the plan puts the instances: the same execution without a kill. */
async function promised(steps: number): Promise<string[]> {
  const master = new FakeMaster(SMALL, { jobMs: 1 });
  await master.serve((path) => run([`-L${path}`, '-X', `-l${steps}`]));
  return master.placements();
}

async function lane(seed: number, story: Story): Promise<void> {
  const random = new Random(seed, 'kill');
  for (let struck = 0; struck < KILLS; ) struck += await killedExecution(random, KILLS - struck, story);
}

describe('an execution that is killed', () => {
  it(`at ${LANES * KILLS} random moments comes to the promised state, with no job twice`, async () => {
    const seed = Number(process.env.PROPERTY_SEED ?? 1);
    await Promise.all(Array.from({ length: LANES }, (_, nth) => lane(seed * LANES + nth, STORIES[nth % 2]!)));
  });
});
