/** Work on its way: what is told while it runs, and how its end is told. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { VERSION } from '../../../../kit/cli/help/version.ts';
import {
  BackendError,
  ClusterChangedError,
  type Fault,
  InterruptedError,
  JobsFailedError,
} from '../../../../kit/faults.ts';
import { printErr } from '../../../../kit/report/output.ts';
import { Progress } from '../../../../kit/report/progress.ts';
import { count } from '../../../../kit/text/words.ts';
import { MS_PER_S } from '../../../../kit/units.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { ExecutionReport } from '../../../ganeti/execution/job-facts.ts';
import type { Journal } from '../../../ganeti/execution/journal-file.ts';
import type { JobState } from '../../../ganeti/execution/journal-lines.ts';
import { type MasterLine, masterLine, Patience } from '../../../ganeti/execution/master-line.ts';
import { execute } from '../../../ganeti/execution/run/execute.ts';
import { QUEUE_SECONDS } from '../../../ganeti/execution/run/means.ts';
import type { InstanceJob, Work, WorkSet } from '../../../ganeti/execution/work.ts';
import { LuxiRefusal } from '../../../ganeti/luxi/message.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import { shellWord } from '../../../plan/shell-word.ts';
import { loadSnapshot } from '../../../sources/load-snapshot.ts';
import { luxiPath } from '../../../sources/luxi/read-luxi.ts';
import { loadOptionsOf, wireOf } from '../cluster/load-cluster.ts';
import type { Executed } from '../document/print-document.ts';
import { waitSecondsOf } from './execution-words.ts';
import { secondsUntil, setSeconds, window } from './night.ts';
import * as T from './text.ts';

/** As the scripts of `-C` have it. */
const STOP_FILE = '/tmp/stop-htools';
const DEFAULT_REBOOT_SECONDS = 1800;
/** MiB a second, where the program has no option for it. */
const DEFAULT_BANDWIDTH = 100;
/** Between two looks where nothing tells of a change. */
const POLL_SECONDS = 1;
/** That a node's daemon takes to start anew, on a busy machine. */
const SILENCE_SECONDS = 30;

export const waitsOf = (options: SomeOptions) => ({
  pollSeconds: POLL_SECONDS,
  waitSeconds: waitSecondsOf(options),
  silenceSeconds: SILENCE_SECONDS,
});

export interface Run {
  readonly program: string;
  readonly options: SomeOptions;
  readonly work: Work;
  readonly states: readonly (readonly JobState[])[];
  readonly journal: Journal;
  readonly say: (text: string) => void;
  readonly run: string | undefined;
  readonly file: string | undefined;
  readonly doing?: string | undefined;
  readonly kept?: readonly InstanceJob[];
  /** Nothing new is begun: only what is under way is awaited. */
  readonly isLast?: boolean;
}

export const patienceOf = (options: SomeOptions): Patience =>
  new Patience(wireOf(options).limits.answerSeconds);

export const masterOf = (options: SomeOptions, patience = patienceOf(options)): MasterLine =>
  masterLine(luxiPath(options.luxiSocket ?? ''), wireOf(options).limits, patience);

/** With `--until`: waits so long for a master that is away. @throws BackendError when it stays away */
export async function awaitMaster(options: SomeOptions): Promise<void> {
  const { until } = options;
  if (until === undefined) return;
  const ask = (seconds: number) => masterOf(options, new Patience(seconds)).ask('QueryClusterInfo', []);
  try {
    await ask(0);
  } catch (error) {
    if (!isAway(error)) throw error;
    printErr(`Waiting for the master, until ${until} at most: ${error.message}\n`);
    await ask(secondsUntil(until, new Date(), process.uptime()));
  }
}

/** The cluster as it is now; loads and choices of instances do not matter any more. */
export async function readState(options: SomeOptions, patience = patienceOf(options)): Promise<Snapshot> {
  const { luxiSocket = '', exclusionTags, staticKvmNodeMemoryMib } = loadOptionsOf(options);
  const wire = wireOf(options);
  const read = () => loadSnapshot({ luxiSocket, wire, exclusionTags, staticKvmNodeMemoryMib });
  return (await patience.ask(read)).snapshot;
}

/** Whether sets would be done by `--until`. @param tell is told of the first that would not */
function beginsUntil(
  { until, bandwidth, rebootTimeout, parallel }: SomeOptions,
  tell: (late: string) => void,
): ((set: WorkSet) => boolean) | undefined {
  if (until === undefined) return undefined;
  const isInTime = window(secondsUntil(until, new Date(), process.uptime()));
  return (set) => {
    const seconds = setSeconds(
      set,
      bandwidth ?? DEFAULT_BANDWIDTH,
      rebootTimeout ?? DEFAULT_REBOOT_SECONDS,
      parallel,
    );
    const isBegun = isInTime(seconds);
    if (!isBegun)
      tell(`The next job set takes about ${Math.ceil(seconds)} s and would not be done by ${until}`);
    return isBegun;
  };
}

/** The command that goes on, from whatever folder; undefined where no journal knows how. */
const goOnOf = ({ program, options, file }: Run): string | undefined =>
  file &&
  `${program} -L${options.luxiSocket ? shellWord(options.luxiSocket) : ''} --resume=${shellWord(resolve(file))}`;

const toContinue = (task: Run): string => (task.file === undefined ? '' : `To continue: ${goOnOf(task)}\n`);

export const signatureOf = ({ program, options, doing }: Pick<Run, 'program' | 'options' | 'doing'>) => ({
  program,
  version: `${program} (Evenkeel) version ${VERSION}`,
  doing,
  reason: options.jobReason,
  priority: options.priority,
  startedMs: Date.now(),
});

const LEAVING = ['SIGTERM', 'SIGHUP'] as const;

/**
 * Signals while jobs run: SIGINT asks to stop behind the running set, and ends the wait for the master;
 * SIGTERM and SIGHUP end the program at once, not the jobs. Answered on stderr where the output is for
 * programs. Source: hbal(1), "signals".
 */
export function signalsFor({ options, say }: Run, patience: Patience) {
  let isStopRequested = false;
  let onLeave: (signal: NodeJS.Signals) => void;
  const leaving = new Promise<NodeJS.Signals>((resolve) => {
    onLeave = resolve;
  });
  const onInterrupt = (): void => {
    isStopRequested = true;
    patience.giveUp();
    const answer = options.json || options.machineReadable ? printErr : say;
    answer('Cancel request registered, will exit at the end of the current job set...\n');
  };
  process.on('SIGINT', onInterrupt);
  for (const signal of LEAVING) process.on(signal, onLeave!);
  return {
    isStopRequested: () => isStopRequested,
    leaving,
    /** Gives the signals their usual effect again. */
    remove: () => {
      process.off('SIGINT', onInterrupt);
      for (const signal of LEAVING) process.off(signal, onLeave);
    },
  };
}

export async function runWork(task: Run): Promise<ExecutionReport> {
  const { options, work, states, journal, say, run, kept, isLast } = task;
  // One for all that is asked, so that a signal finds whatever waits.
  const patience = patienceOf(options);
  const signals = signalsFor(task, patience);
  let stop = isLast ? 'another way is taken' : undefined;
  const mayBegin = isLast
    ? undefined
    : beginsUntil(options, (late) => {
        stop = late;
        printErr(`${late}\n`);
      });
  const progress = new Progress();
  const began = performance.now();
  const doneBefore = states.flat().filter(({ state }) => state === 'ended').length;
  try {
    const report = await execute(work, states, {
      master: masterOf(options, patience),
      journal,
      ...(kept && { kept }),
      signature: signatureOf(task),
      run,
      why: (ended, jobs) =>
        T.whyText(ended, jobs, signals.isStopRequested() ? 'SIGINT' : (stop ?? `${STOP_FILE} is there`)),
      readState: () => readState(options, patience),
      ...(mayBegin && { mayBegin }),
      isStopRequested: signals.isStopRequested,
      isLast,
      leaving: signals.leaving,
      isRoundStopRequested: () => existsSync(STOP_FILE),
      rebootSeconds: options.rebootTimeout ?? DEFAULT_REBOOT_SECONDS,
      parallel: options.parallel ?? Number.POSITIVE_INFINITY,
      onSubmitted: (ids) => {
        progress.done();
        if (ids.length > 0) say(T.jobIdsText(ids));
      },
      onEnded: (fact) => {
        if (!progress.isShown) printErr(T.jobLine(fact));
      },
      onWaiting: (all) => {
        progress.at(() => T.progressText(all, (performance.now() - began) / MS_PER_S, doneBefore));
      },
      onDelay: (why) => {
        progress.done();
        printErr(T.delayText(why));
      },
      isCalm: options.calm === true,
      ...waitsOf(options),
      queueSeconds: QUEUE_SECONDS,
    });
    return signals.isStopRequested() ? { signal: 'SIGINT', ...report } : report;
  } finally {
    progress.done();
    signals.remove();
  }
}

export function executedOf(task: Run, report: ExecutionReport): Executed {
  const { outcome, signal, jobs, gone = [] } = report;
  const isLeft = signal !== undefined && signal !== 'SIGINT';
  if (outcome === 'stopped') {
    if (isLeft) printErr(`${T.balanceText(jobs)}\n`);
    else task.say(T.stoppedText(report));
    printErr(toContinue(task));
  }
  printErr(T.goneText(gone));
  return {
    facts: T.executionJson(report),
    fault: isLeft ? new InterruptedError(signal) : faultOf(task, report),
  };
}

const isAway = (error: unknown): error is BackendError =>
  error instanceof BackendError && !(error instanceof LuxiRefusal);

/** What ended it, and how it is gone on with: a master that is away may be another node by now. */
function brokenFault({ jobs, fault }: ExecutionReport, goOn: string | undefined): BackendError {
  const elsewhere =
    ' (it is waited for longer with --answer-timeout=SECONDS); if another node is the master by now (gnt-cluster getmaster), copy the journal there and continue there';
  const onwards = goOn && `continue, once that is mended: ${goOn}${isAway(fault) ? elsewhere : ''}`;
  const remedies = [goOn && isAway(fault) ? undefined : fault!.remedy, onwards].filter(
    (one) => one !== undefined,
  );
  return new BackendError(`${fault!.message}\n${T.balanceText(jobs)}`, remedies.join('; ') || undefined);
}

export function faultOf(task: Run, report: ExecutionReport): Fault | undefined {
  const { program } = task;
  const goOn = goOnOf(task);
  // Planned anew, a maintenance would not know where the instances came from.
  const planAnew =
    program === 'hroller' ? [] : ['plan again on the cluster as it is, by the command that made the plan'];
  switch (report.outcome) {
    case 'broken':
      return brokenFault(report, goOn);
    case 'failed':
      return new JobsFailedError(
        T.failureText(program, report),
        [
          'look at the jobs with gnt-job info, correct what is wrong, and then go on',
          ...(goOn ? [`${goOn} --retry (or --skip-failed, or back with --way-home)`] : planAnew),
        ].join(': '),
      );
    case 'changed':
      return new ClusterChangedError(
        T.changedText(report),
        [
          ...planAnew,
          ...(goOn
            ? [`go on once it is as expected, or without that (--skip-failed), or back (--way-home): ${goOn}`]
            : []),
        ].join('; or '),
      );
    case 'stopped': {
      const open = report.jobs.filter(({ state }) => state.state === 'submitting').length;
      return open === 0
        ? undefined
        : new BackendError(
            `it is not known whether ${count(open, 'job was', 'jobs were')} submitted`,
            'continue: it is looked for in the queue then',
          );
    }
    default:
      return undefined;
  }
}
