/**
 * The process in which one test file is loaded, once, and run again and again with one mutant after the other
 * switched on. Run as `node --import tsx test-host.ts FILE`, told by messages what to run; see TestSession.
 */
import Mocha from 'mocha';
import { switchOn, takeReached } from './switch.ts';

export interface HostTest {
  readonly title: string;
  readonly isPassed: boolean;
  readonly ms: number;
  /** Mutants that it reached. */
  readonly reached: readonly number[];
}

export interface HostRun {
  /** The tests by their full titles; undefined = all. */
  readonly titles?: readonly string[] | undefined;
  /** The mutant to switch on, or -1. */
  readonly mutant: number;
  /** Whether to stop at the first failure. */
  readonly bail: boolean;
}

export interface HostAnswer {
  readonly tests: readonly HostTest[];
  /** The title of what failed first, if anything. */
  readonly failed?: string | undefined;
  /** Mutants that were reached outside of tests: while the file was loaded, and in hooks for all tests. */
  readonly aside: readonly number[];
}

/** Longer than any test may take; an endless loop is ended from outside. */
const TIMEOUT_MS = 20_000;
const escaped = (title: string): string => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

async function host(file: string): Promise<void> {
  const mocha = new Mocha({ timeout: TIMEOUT_MS, reporter: class {} as never });
  mocha.addFile(file);
  mocha.cleanReferencesAfterRun(false);
  await mocha.loadFilesAsync();

  const run = ({ titles, mutant, bail }: HostRun): Promise<HostAnswer> =>
    new Promise((resolve) => {
      const tests: HostTest[] = [];
      let aside = takeReached();
      let failed: string | undefined;
      mocha.bail(bail);
      mocha.grep(titles === undefined ? /^/ : new RegExp(`^(?:${titles.map(escaped).join('|')})$`));
      switchOn(mutant);
      const runner = mocha.run(() => {
        aside = aside.concat(takeReached());
        resolve({ tests, failed, aside });
      });
      runner.on('test', () => {
        aside = aside.concat(takeReached());
      });
      runner.on('fail', (test) => {
        failed ??= test.fullTitle();
      });
      runner.on('test end', (test) => {
        if (test.isPending()) return;
        const isPassed = test.state === 'passed';
        tests.push({ title: test.fullTitle(), isPassed, ms: test.duration ?? 0, reached: takeReached() });
      });
    });

  process.on('message', (order: HostRun) => {
    void run(order).then((answer) => process.send!(answer));
  });
  process.send!('ready');
}

await host(process.argv[2]!);
