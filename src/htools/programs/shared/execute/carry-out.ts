/** Carrying out a plan through the master (`--exec`), and going on with an execution (`--resume`). */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { VERSION } from '../../../../kit/cli/help/version.ts';
import { BackendError, ClusterChangedError, ExecutionError, type Fault } from '../../../../kit/faults.ts';
import { SCHEMA_VERSION } from '../../../../kit/report/json.ts';
import { printErr, printOut } from '../../../../kit/report/output.ts';
import { Progress } from '../../../../kit/report/progress.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { execute, QUEUE_SECONDS } from '../../../ganeti/execution/execute.ts';
import { type ExecutionReport, factsOf, type JobFact } from '../../../ganeti/execution/job-facts.ts';
import { type Journal, NO_JOURNAL, newJournal, oldJournal } from '../../../ganeti/execution/journal-file.ts';
import { type JobState, planLine } from '../../../ganeti/execution/journal-lines.ts';
import { type MasterLine, masterLine } from '../../../ganeti/execution/master-line.ts';
import { ruleChanges } from '../../../ganeti/execution/recheck.ts';
import { newJournalFile } from '../../../ganeti/execution/state-folder.ts';
import {
  type JobSteps,
  type NodeJob,
  promisedRoom,
  type Work,
  workJob,
} from '../../../ganeti/execution/work.ts';
import type { PlanLimits } from '../../../plan/plan.ts';
import { shellWord } from '../../../plan/shell-word.ts';
import type { execution } from '../../../results/parts/execution.ts';
import { loadSnapshot } from '../../../sources/load-snapshot.ts';
import { luxiPath } from '../../../sources/luxi/read-luxi.ts';
import { loadOptionsOf, wireOf } from '../cluster/load-cluster.ts';
import { type AnyDocument, documentText } from '../document/document-text.ts';
import { unlockCluster } from './cluster-lock.ts';
import { type ExecutionWords, prepareExecution, waitSecondsOf } from './execution-words.ts';
import { listenForSignals } from './stop-signals.ts';
import * as T from './text.ts';

/** A plan on its way to the cluster. */
export interface PlanToCarryOut {
  /**
   * The cluster as it was read, and the same with the command line's say about nodes, and with a ledger's
   * promises.
   */
  readonly loaded: Snapshot;
  readonly start: Snapshot;
  /** Jobs of each set, which share no node. */
  readonly sets: readonly (readonly (JobSteps | NodeJob)[])[];
  /** Sets, from 0, with which a round begins. */
  readonly roundStarts?: readonly number[] | undefined;
  /** What is done to the cluster, for the jobs' comment. */
  readonly doing?: string | undefined;
  /** Names of nodes that the plan takes for offline before they are. */
  readonly switchedOff?: readonly string[] | undefined;
  readonly limits: Pick<PlanLimits, 'ignoreSoftErrors' | 'diskMoves'>;
}

/** As the scripts of `-C` have it. */
const STOP_FILE = '/tmp/stop-htools';
const DEFAULT_REBOOT_SECONDS = 1800;

/** Between two looks where nothing tells of a change. */
const POLL_SECONDS = 1;

const MS_PER_S = 1000;

/** How an execution went. */
export interface Executed {
  /** For a JSON document; undefined when nothing was to be carried out. */
  readonly facts?: DocumentOf<typeof execution> | undefined;
  /** What the program ends with, once it has told the rest. */
  readonly fault?: Fault | undefined;
}

/**
 * Carries a plan out where the command line asks for it and there is anything to do.
 * @param say where lines for standard output go
 * @throws ExecutionError when the cluster would not take the plan as it is
 * @throws BackendError when the master can no longer be asked
 */
export async function carryOut(
  program: string,
  options: ExecutionWords,
  plan: PlanToCarryOut,
  say: (text: string) => void,
): Promise<Executed> {
  try {
    return options.exec && plan.sets.length > 0 ? await carryOutPlan(program, options, plan, say) : {};
  } finally {
    unlockCluster();
  }
}

async function carryOutPlan(
  program: string,
  options: ExecutionWords,
  plan: PlanToCarryOut,
  say: (text: string) => void,
): Promise<Executed> {
  const work = workOf(options, plan);
  // Nothing is begun that cannot be brought to its end.
  const refusals = ruleChanges(plan.loaded, work.sets.flat(), work);
  if (refusals.length > 0) throw new ExecutionError(T.refusedText(program, refusals), T.REFUSED_REMEDY);
  const master = masterOf(options);
  const cluster = await clusterName(master);
  const file = options.noJournal ? undefined : (options.journal ?? newJournalFile(program, cluster));
  const journal = file === undefined ? NO_JOURNAL : newJournal(file);
  const run = file === undefined ? undefined : randomUUID();
  try {
    if (run !== undefined) journal.write(planLine(run, program, cluster, work));
    return await runWork(
      { program, options, work, states: [], master, journal, run, file, doing: plan.doing },
      say,
    );
  } finally {
    journal.close();
  }
}

/** Goes on with the execution in a journal (`--resume`). @returns the exit status */
export async function resume(program: string, options: ExecutionWords, isDocument: boolean): Promise<number> {
  await prepareExecution(options);
  try {
    return await resumeJournal(program, options, isDocument);
  } finally {
    unlockCluster();
  }
}

async function resumeJournal(program: string, options: ExecutionWords, isDocument: boolean): Promise<number> {
  const say = isDocument ? () => {} : printOut;
  const file = options.resume!;
  const master = masterOf(options);
  const { journal, state } = oldJournal(file);
  try {
    const { plan, jobs } = state;
    const name = await clusterName(master);
    if (name !== plan.cluster)
      throw new ExecutionError(
        `the journal ${file} is about the cluster ${plan.cluster}, but this is ${name}`,
        'name the socket of the right cluster with -LSOCKET',
      );
    const done = jobs.flat().filter((one) => one.state === 'ended' && one.status === 'success').length;
    say(`Continuing the plan of ${plan.program}: ${done} of ${jobs.flat().length} jobs are done\n`);
    const task = { options, work: plan.work as Work, states: jobs, master, journal, run: plan.run, file };
    const { facts, fault } = await runWork({ program: plan.program, ...task }, say);
    if (isDocument)
      printOut(
        await documentText(options, {
          schemaVersion: SCHEMA_VERSION,
          program,
          execution: facts!,
        } as AnyDocument),
      );
    if (fault) throw fault;
    return 0;
  } finally {
    journal.close();
  }
}

const masterOf = (options: ExecutionWords): MasterLine =>
  masterLine(luxiPath(options.luxi ?? ''), wireOf(options).limits);

/** What the cluster calls itself. */
async function clusterName(master: MasterLine): Promise<string> {
  const info = (await master.ask('QueryClusterInfo', [])) as { readonly name?: unknown } | null;
  return typeof info?.name === 'string' ? info.name : '';
}

function workOf(options: ExecutionWords, plan: PlanToCarryOut): Work {
  const { loaded, start, sets, limits, roundStarts, switchedOff = [] } = plan;
  return {
    sets: sets.map((set) => set.map((job) => ('action' in job ? job : workJob(start, loaded, job)))),
    ...(roundStarts ? { roundStarts } : {}),
    limits: { ignoreSoftErrors: limits.ignoreSoftErrors, diskMoves: limits.diskMoves },
    nodeOptions: {
      offline: [...(options.offline ?? []), ...switchedOff],
      ...(options.maxCpu === undefined ? {} : { maxCpuRatio: options.maxCpu }),
      minDiskRatio: options.minDisk ?? 0,
    },
    promised: promisedRoom(loaded, start),
  };
}

interface Run {
  readonly program: string;
  readonly options: ExecutionWords;
  readonly work: Work;
  readonly states: readonly (readonly JobState[])[];
  readonly master: MasterLine;
  readonly journal: Journal;
  readonly run: string | undefined;
  /** Name of the journal. */
  readonly file: string | undefined;
  readonly doing?: string | undefined;
}

/** The cluster as it is now; loads and choices of instances do not matter any more. */
export async function readState(options: ExecutionWords): Promise<Snapshot> {
  const { luxiSocket, wire, exclusionTags, staticKvmNodeMemoryMib } = loadOptionsOf(options);
  return (await loadSnapshot({ luxiSocket: luxiSocket ?? '', wire, exclusionTags, staticKvmNodeMemoryMib }))
    .snapshot;
}

async function runWork(task: Run, say: (text: string) => void): Promise<Executed> {
  const { program, options, work, states, master, journal, run, file } = task;
  let facts: readonly JobFact[] = factsOf(work, states);
  const goOn = file && `${program} -L${shellWord(options.luxi ?? '')} --resume=${shellWord(file)}`;
  const toContinue = goOn ? `To continue: ${goOn}\n` : '';
  const signals = listenForSignals(say, () => printErr(`${T.balanceText(facts)}\n${toContinue}`));
  const progress = new Progress();
  const startedMs = Date.now();
  const doneBefore = states.flat().filter(({ state }) => state === 'ended').length;
  try {
    const report = await execute(work, states, {
      master,
      journal,
      signature: {
        program,
        version: `${program} (Evenkeel) version ${VERSION}`,
        doing: task.doing,
        reason: options.jobReason,
        priority: options.priority,
        startedMs,
      },
      run,
      readState: () => readState(options),
      isStopRequested: signals.isStopRequested,
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
        facts = all;
        progress.at(() => T.progressText(all, (Date.now() - startedMs) / MS_PER_S, doneBefore));
      },
      onDelay: (why) => {
        progress.done();
        printErr(T.delayText(why));
      },
      pollSeconds: POLL_SECONDS,
      waitSeconds: waitSecondsOf(options),
      queueSeconds: QUEUE_SECONDS,
    });
    progress.done();
    if (report.outcome === 'stopped') {
      say(T.stoppedText(report));
      printErr(toContinue);
    }
    return { facts: T.executionJson(report), fault: faultOf(program, report, goOn) };
  } finally {
    progress.done();
    signals.remove();
  }
}

/** What is wrong with the end of an execution. @param goOn the command that continues it */
function faultOf(program: string, report: ExecutionReport, goOn: string | undefined): Fault | undefined {
  switch (report.outcome) {
    case 'broken':
      return new BackendError(
        `${report.fault!.message}\n${T.balanceText(report.jobs)}`,
        goOn ? `continue, once that is mended: ${goOn}` : report.fault!.remedy,
      );
    case 'failed':
      return new ExecutionError(
        T.failureText(program, report),
        'look at the jobs with gnt-job info, correct what is wrong, and then plan again',
      );
    case 'changed':
      return new ClusterChangedError(
        T.changedText(report),
        'plan again on the cluster as it is now: run the same command again',
      );
    default:
      return undefined;
  }
}
