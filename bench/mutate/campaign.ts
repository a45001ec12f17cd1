/**
 * Tries mutants: each test file is loaded once, run once as the code stands (which tests pass, how long they
 * take, which mutants they reach), and then with one mutant after the other that none before it found, only
 * the tests that reach it. What a test file computes while it is loaded has to be computed anew for a mutant,
 * in a process of its own: that is done last, for those that are left.
 */
import type { Mutant } from './mutants.ts';
import type { HostAnswer, HostTest } from './test-host.ts';
import type { TestFile } from './test-order.ts';
import { type SessionResult, TestSession } from './test-session.ts';

/** Loading a test file, and all of its tests, on a busy machine. */
const FIRST_RUN_MS = 300_000;
/** A mutant's tests may take so many times their time and so much more; then it is found: it loops. */
const SLOWER = 5;
const GRACE_MS = 3000;

/** What became of a mutant: found by a test file, or reached by so many tests and survived. */
export interface Verdict {
  foundBy?: string;
  reachedBy: number;
  /** Tests that have to be loaded anew with the mutant. */
  readonly afresh: { readonly file: string; readonly tests: readonly HostTest[] }[];
}

export interface Campaign {
  /** The mutants by their numbers. */
  readonly mutants: readonly Mutant[];
  readonly tests: readonly TestFile[];
  /** The trial room. */
  readonly folder: string;
  /** Whether time is up: no further mutant is begun then. */
  readonly isOver: () => boolean;
  /** Told after each test file; `left` not yet found. */
  readonly onFile?: (test: string, left: number) => void;
  /** Told of test files that cannot be used. */
  readonly onTrouble?: (message: string) => void;
}

const limitOf = (tests: readonly HostTest[]): number =>
  GRACE_MS + SLOWER * tests.reduce((sum, { ms }) => sum + ms, 0);

/** Whether a run shows a mistake: a test failed, or the process was not there to say so. */
const shows = (result: SessionResult): boolean => typeof result === 'string' || result.failed !== undefined;

/**
 * Whether tests show a mutant that is switched on in a new process: it is there while the file is loaded,
 * too.
 */
async function findsAfresh(
  file: string,
  folder: string,
  mutant: number,
  tests: readonly HostTest[],
): Promise<boolean> {
  const session = new TestSession(file, folder, mutant);
  try {
    if ((await session.ready(FIRST_RUN_MS)) !== 'ready') return true;
    const titles = tests.map(({ title }) => title);
    return shows(await session.run({ titles, mutant, bail: true }, limitOf(tests)));
  } finally {
    session.end();
  }
}

/** One test file, in a process that stands ready. */
class FileTrial {
  private session: TestSession | undefined;
  private readonly file: string;
  private readonly folder: string;

  constructor(file: string, folder: string) {
    this.file = file;
    this.folder = folder;
  }

  /** As the code stands; undefined when that cannot be found out. */
  async first(): Promise<HostAnswer | undefined> {
    const session = await this.open();
    const answer = await session?.run({ mutant: -1, bail: false }, FIRST_RUN_MS);
    return typeof answer === 'object' ? answer : undefined;
  }

  /** Whether tests show a mutant that is switched on. */
  async finds(mutant: number, tests: readonly HostTest[]): Promise<boolean> {
    const session = this.session ?? (await this.open());
    if (session === undefined) return false;
    const titles = tests.map(({ title }) => title);
    const result = await session.run({ titles, mutant, bail: true }, limitOf(tests));
    if (!shows(result)) return false;
    if (typeof result === 'string') {
      this.session = undefined;
      return true;
    }
    // Something may have been left behind by a mutant before it: the same test must pass right after without
    // it.
    const again = await session.run({ titles: [result.failed!], mutant: -1, bail: true }, limitOf(tests));
    if (!shows(again)) return true;
    this.close();
    return findsAfresh(this.file, this.folder, mutant, tests);
  }

  close(): void {
    this.session?.end();
    this.session = undefined;
  }

  private async open(): Promise<TestSession | undefined> {
    const session = new TestSession(this.file, this.folder);
    if ((await session.ready(FIRST_RUN_MS)) !== 'ready') return undefined;
    this.session = session;
    return session;
  }
}

/** Tries all mutants with one test file. */
async function tryFile(campaign: Campaign, test: TestFile, verdicts: readonly Verdict[]): Promise<void> {
  const { mutants, folder, isOver, onTrouble } = campaign;
  const trial = new FileTrial(test.path, folder);
  try {
    const first = await trial.first();
    if (first === undefined) {
      onTrouble?.(`${test.path} cannot be run in a copy of the project`);
      return;
    }
    const passing = first.tests.filter(({ isPassed }) => isPassed);
    const aside = new Set(first.aside);
    for (const [id, verdict] of verdicts.entries()) {
      if (isOver()) return;
      if (verdict.foundBy !== undefined || !test.sees.has(mutants[id]!.path)) continue;
      const tests = aside.has(id) ? passing : passing.filter(({ reached }) => reached.includes(id));
      if (tests.length === 0) continue;
      verdict.reachedBy += tests.length;
      if (await trial.finds(id, tests)) verdict.foundBy = test.path;
      else if (aside.has(id)) verdict.afresh.push({ file: test.path, tests });
    }
  } finally {
    trial.close();
  }
}

/**
 * @returns a verdict for each mutant, by its number; those not yet found when time is up count as not found
 */
export async function tryMutants(campaign: Campaign): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = campaign.mutants.map(() => ({ reachedBy: 0, afresh: [] }));
  const isLeft = (path: string): boolean =>
    verdicts.some(({ foundBy }, id) => foundBy === undefined && campaign.mutants[id]!.path === path);
  for (const test of campaign.tests) {
    if (campaign.isOver()) break;
    if (![...test.sees].some(isLeft)) continue;
    await tryFile(campaign, test, verdicts);
    campaign.onFile?.(test.path, verdicts.filter(({ foundBy }) => foundBy === undefined).length);
  }
  for (const [id, verdict] of verdicts.entries())
    for (const { file, tests } of verdict.afresh) {
      if (verdict.foundBy !== undefined || campaign.isOver()) break;
      if (await findsAfresh(file, campaign.folder, id, tests)) verdict.foundBy = file;
    }
  return verdicts;
}
