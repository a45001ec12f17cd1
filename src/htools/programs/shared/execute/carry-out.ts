/** Carrying out a plan through the master (`--exec`), and going on with an execution (`--resume`). */

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { EXIT } from '../../../../kit/exit-status.ts';
import { ClusterChangedError, ExecutionError, InterruptedError } from '../../../../kit/faults.ts';
import { documentHead } from '../../../../kit/report/json.ts';
import { outliveReport, printErr, printOut } from '../../../../kit/report/output.ts';
import { reachableNames } from '../../../cluster/instance-status.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { type ExecutionReport, factsOf, isSuccess } from '../../../ganeti/execution/job-facts.ts';
import { NO_JOURNAL, newJournal, oldJournal } from '../../../ganeti/execution/journal-file.ts';
import { type LeftLine, type PlanState, planLine } from '../../../ganeti/execution/journal-lines.ts';
import { type MasterLine, Patience } from '../../../ganeti/execution/master-line.ts';
import { bootIds, whyNotRun } from '../../../ganeti/execution/reboots.ts';
import { handsOffChanges, ruleChanges } from '../../../ganeti/execution/recheck.ts';
import { ClusterView } from '../../../ganeti/execution/run/cluster-view.ts';
import { troubles } from '../../../ganeti/execution/run/trouble.ts';
import { notNoted, shutDownByUsers } from '../../../ganeti/execution/run/user-shutdowns.ts';
import { assertJournalPlace, newJournalFile, tidyJournals } from '../../../ganeti/execution/state-folder.ts';
import { storedClusterName } from '../../../ganeti/execution/stored-name.ts';
import { goneOf, keptOf, retried, skipped, type Way, wayHome } from '../../../ganeti/execution/ways-on.ts';
import {
  isNodeJob,
  isPower,
  type JobSteps,
  type NodeJob,
  promisedRoom,
  type Work,
  workJob,
} from '../../../ganeti/execution/work.ts';
import { POWER_FIELDS, withoutPowerProgram } from '../../../ganeti/jobs/power.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import type { PlanLimits } from '../../../plan/plan.ts';
import { luxiPath } from '../../../sources/luxi/read-luxi.ts';
import { type AnyDocument, type Executed, printPlan } from '../document/print-document.ts';
import { lockCluster, unlockCluster } from './cluster-lock.ts';
import { waitSecondsOf } from './execution-words.ts';
import { type Held, type HoldMeans, heldBy } from './held.ts';
import { planningRecord } from './record-note.ts';
import { awaitMaster, executedOf, masterOf, type Run, runWork } from './run-work.ts';
import * as T from './text.ts';

const NO_LIMITS = { ignoreSoftErrors: false, diskMoves: true };

export interface PlanToCarryOut {
  /** The cluster as read, and with the command line's say about nodes and a ledger's promises. */
  readonly loaded: Snapshot;
  readonly start: Snapshot;
  /** Jobs of each set, which share no node. */
  readonly sets: readonly (readonly (JobSteps | NodeJob)[])[];
  /** Sets, from 0, with which a round begins. */
  readonly roundStarts?: readonly number[] | undefined;
  /** Names of nodes that were meant, but are to be left alone. */
  readonly leftOut?: readonly string[] | undefined;
  /** What is done to the cluster, for the jobs' comment. */
  readonly doing?: string | undefined;
  /** Names of nodes that the plan takes for offline before they are. */
  readonly switchedOff?: readonly string[] | undefined;
  readonly limits: Pick<PlanLimits, 'ignoreSoftErrors' | 'diskMoves'>;
  /** The cluster's score before the plan and after each of its sets. */
  readonly scores?: readonly number[] | undefined;
  readonly held?: string | undefined;
}

/**
 * Carries a plan out; leaves a record also where nothing is to be done.
 * @throws ExecutionError when the cluster would not take it
 * @throws BackendError without the master
 */
export async function carryOut(
  program: string,
  options: SomeOptions,
  plan: PlanToCarryOut,
  say: (text: string) => void,
): Promise<Executed> {
  const work = workOf(options, plan);
  const cluster = planningRecord.cluster || (await clusterName(masterOf(options)));
  const file = options.noJournal ? undefined : (options.journal ?? newJournalFile(program, cluster));
  const journal = file === undefined ? NO_JOURNAL : newJournal(file);
  const run = file === undefined ? undefined : randomUUID();
  try {
    if (run !== undefined) journal.write(planLine(run, program, cluster, work, plan.scores));
    planningRecord.end();
    const task = { program, options, work, states: [], journal, say, run, file, doing: plan.doing };
    if (plan.sets.length === 0) {
      journal.write({ event: 'left', outcome: 'done' });
      return {};
    }
    const { why, fault } = await heldBy(task, (means) => whatHolds(task, plan, means));
    if (why.length > 0) {
      journal.write(heldLine(why));
      if (!fault) printErr(T.heldText(why));
      return heldAt(task, { why, fault });
    }
    return executedOf(task, await runWork(task));
  } finally {
    journal.close();
    unlockCluster();
  }
}

/**
 * No plan is made for what another execution is about to change. What is to be carried out is carried out to
 * its end from here on, also when its report cannot be written.
 * @throws ExecutionError when what is written later cannot be
 * @throws BackendError when the master stays away
 * @throws ClusterChangedError when another execution does not end
 */
export async function takeCluster(options: SomeOptions): Promise<void> {
  outliveReport();
  if (options.exec && !options.noJournal) assertJournalPlace(options.journal);
  // The lock stands beside the master's socket.
  await awaitMaster(options);
  await lockCluster(luxiPath(options.luxiSocket!), waitSecondsOf(options));
}

/**
 * Records that a run plans, if that can be written: nobody could go on from it. It stands ahead of the
 * planning with the words for a run that is ended in it: a long search would keep a signal from us.
 */
export async function recordPlanning(program: string, options: SomeOptions): Promise<void> {
  const { luxiSocket, noJournal } = options;
  if (luxiSocket === undefined || noJournal) return;
  const work = { sets: [], limits: NO_LIMITS, nodeOptions: { offline: [], minDiskRatio: 0 } };
  const cluster = await clusterName(masterOf(options, new Patience(0))).catch(() =>
    storedClusterName(luxiPath(luxiSocket)),
  );
  planningRecord.cluster = cluster;
  const record = unlessUnwritable(() => {
    tidyJournals();
    const file = newJournalFile(program, cluster);
    const journal = newJournal(file);
    try {
      journal.write(planLine(randomUUID(), program, cluster, work), heldLine([T.ENDED_WHILE_PLANNING]));
    } catch (error) {
      journal.close();
      throw error;
    }
    return { file, journal };
  });
  if (record === undefined) return;
  const { file, journal } = record;
  planningRecord.end = (error) => {
    planningRecord.end = () => {};
    if (error === undefined) rmSync(file, { force: true });
    else {
      const why = (error.parts ?? [error]).map(({ message }) => message.split('\n')[0]!);
      unlessUnwritable(() => journal.write(heldLine(why)));
    }
    journal.close();
  };
}

/** The plan, or what kept the run from one, is the news. */
function unlessUnwritable<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof ExecutionError) return undefined;
    throw error;
  }
}

const heldLine = (why: readonly string[]): LeftLine => ({ event: 'left', outcome: 'held', why: [...why] });

/** Why a plan is not begun at all; a fault where somebody has to see to that. */
async function whatHolds(
  { program, options, work }: Run,
  { loaded, held }: PlanToCarryOut,
  means: HoldMeans,
): Promise<Held> {
  const jobs = work.sets.flat();
  // Nothing is begun that cannot be brought to its end.
  const refusals = [...handsOffChanges(loaded, jobs), ...ruleChanges(loaded, jobs, work)];
  if (refusals.length > 0)
    return {
      why: refusals.map(T.changeText),
      fault: new ExecutionError(T.refusedText(program, refusals), T.REFUSED_REMEDY),
    };
  if (held !== undefined) return { why: [held] };
  const unready = await unreadyNodes(means.master, jobs.filter(isNodeJob));
  if (unready) return { why: [unready.message], fault: unready };
  const troubled = options.calm ? await troublesNow([], means) : NOTHING_HOLDS;
  if (troubled.why.length > 0) return troubled;
  return { why: options.execDryRun ? ['this is a dry run (--dry-run)'] : [] };
}

const NOTHING_HOLDS: Held = { why: [] };

/** What keeps `--calm` from beginning anything. @param states of jobs that a journal knows */
async function troublesNow(states: Run['states'], means: HoldMeans): Promise<Held> {
  const own = states.flat().flatMap((state) => ('id' in state && state.id ? [state.id] : []));
  const found = await troubles(means, new Set(own));
  if (found.length === 0) return NOTHING_HOLDS;
  const wrong = found.map((one) => (typeof one === 'string' ? one : T.changeText(one)));
  return {
    why: wrong,
    fault: new ClusterChangedError(T.troubleText(wrong), 'see to that first, or leave --calm out'),
  };
}

/** Whether the nodes that are to go down, or to come up, can be made to. */
async function unreadyNodes(
  master: MasterLine,
  jobs: readonly NodeJob[],
): Promise<ExecutionError | undefined> {
  const command = jobs.find((job) => job.command !== undefined)?.command;
  const wrong = command === undefined ? undefined : whyNotRun(command);
  if (wrong !== undefined)
    return new ExecutionError(
      `the program that reboots nodes, ${command}, cannot be run: ${wrong}; nothing was submitted`,
      'name one that can be with --reboot-command, by its whole path',
    );
  const names = jobs.filter(isPower).flatMap(({ nodes }) => nodes.map(({ name }) => name));
  if (names.length === 0) return undefined;
  const without = withoutPowerProgram(await master.ask('Query', ['node', POWER_FIELDS, null]), names);
  if (without.length === 0) return undefined;
  return new ExecutionError(
    `nothing is set up to switch the power of ${without.join(', ')} (oob_program is empty); nothing was submitted`,
    'name a program that does with gnt-node modify --node-parameters oob_program=FILE, or leave such nodes out with -O',
  );
}

/** Goes on with the execution in a journal (`--resume`). @returns the exit status */
export async function resume(program: string, options: SomeOptions): Promise<number> {
  const say = options.json ? () => {} : printOut;
  const file = options.resume!;
  const { journal, state } = oldJournal(file);
  try {
    const { plan, jobs, earlier } = state;
    if (state.outcome === 'held' && plan.work.sets.length === 0)
      throw new ExecutionError(
        `the run in ${file} came to no plan that could be gone on with: ${state.why.join('; ')}`,
        'run the command anew, without --resume',
      );
    const name = await clusterName(masterOf(options));
    if (name !== plan.cluster)
      throw new ExecutionError(
        `the journal ${file} is about the cluster ${plan.cluster}, but this is ${name}`,
        'name the socket of the right cluster with -LSOCKET',
      );
    const { program: planner, work, run } = plan;
    const old = { program: planner, options, work, states: jobs, journal, say, run, file };
    const executed = await goOnBy(old, earlier, plan.cluster);
    await printPlan(options, executed, () => documentHead(program) as AnyDocument);
    const { leftOut = [] } = options.wayHome ? {} : work;
    if (leftOut.length > 0) printErr(T.unplannedNodesText(leftOut));
    return leftOut.length > 0 || executed.isLess ? EXIT.left : 0;
  } finally {
    journal.close();
    unlockCluster();
  }
}

const heldAt = ({ work, states }: Run, { why, fault }: Held): Executed => ({
  facts: T.executionJson({ outcome: 'held', why, jobs: factsOf(work, states), changes: [] }),
  fault,
});

/** Goes on once all that is under way has ended, where a way is asked for, or whether the cluster is calm. */
async function goOnBy(old: Run, earlier: readonly PlanState[], cluster: string): Promise<Executed> {
  const { options, work, journal } = old;
  const way = wayOf(options);
  const kept = keptOf(earlier, work);
  if (way === undefined && !options.calm) return goOn({ ...old, kept }, '');
  const report = await runWork({ ...old, isLast: true });
  const { outcome, signal } = report;
  // Where all was done, the way on was not taken.
  if (signal !== undefined)
    return executedOf(old, outcome === 'done' && way ? { ...report, outcome: 'stopped' } : report);
  const goesOn = way !== undefined || outcome === 'stopped';
  if (outcome === 'broken' || (!goesOn && outcome !== 'done')) return executedOf(old, report);
  const jobs = work.sets.map((_, s) => report.jobs.filter(({ set }) => set === s).map(({ state }) => state));
  const ended = { ...old, states: jobs };
  const held =
    options.calm && goesOn ? await heldBy(ended, (means) => troublesNow(jobs, means)) : NOTHING_HOLDS;
  if (held.why.length > 0) {
    const hasBegun = jobs.flat().some(({ state }) => state !== 'planned');
    journal.write({ ...heldLine(held.why), ...(hasBegun && { outcome: 'stopped' }) });
    if (!held.fault) printErr(T.heldText(held.why));
    return heldAt(ended, held);
  }
  return way === undefined ? goOn({ ...ended, kept }, '') : onItsWay(ended, report, earlier, cluster, way);
}

const wayOf = ({ retry, skipFailed, wayHome: isHome }: SomeOptions): Way | undefined =>
  retry ? 'retry' : skipFailed ? 'skip-failed' : isHome ? 'way-home' : undefined;

/** @param by how, when it is not as planned */
async function goOn(task: Run, by: string): Promise<Executed> {
  const { program, work, states, say } = task;
  const done = states.flat().filter(isSuccess).length;
  const { sets, skipped = [] } = work;
  printErr(T.skippedText(skipped));
  say(`Continuing the plan of ${program}${by}: ${done} of ${sets.flat().length} jobs are done\n`);
  return { ...executedOf(task, await runWork(task)), isLess: skipped.length > 0 };
}

/** Another plan in the same journal. @param report how the one before was left, with nothing under way */
async function onItsWay(
  old: Run,
  report: ExecutionReport,
  earlier: readonly PlanState[],
  cluster: string,
  way: Way,
): Promise<Executed> {
  const { work, states: jobs, journal, program } = old;
  const plans = [...earlier, { work, jobs }];
  let gone: readonly string[] = [];
  const next = {
    retry: async (fresh: Snapshot, master: MasterLine) =>
      retried({ work, jobs }, fresh, await bootIds(master), earlier),
    'skip-failed': async (fresh: Snapshot, master: MasterLine) => {
      const down = shutDownByUsers(fresh, work.sets.flat());
      return skipped({ work, jobs }, fresh, await notNoted(master, down));
    },
    'way-home': async (fresh: Snapshot) => {
      gone = goneOf(plans, fresh);
      printErr(T.goneText(gone));
      return wayHome(plans, fresh);
    },
  };
  let rest = work;
  const { why, fault } = await heldBy(old, async (means) => {
    rest = await next[way](await new ClusterView(means).read(), means.master);
    return NOTHING_HOLDS;
  });
  if (why.length > 0) {
    const isStopped = fault === undefined || fault instanceof InterruptedError;
    const signal = isStopped ? (why[0] as NodeJS.Signals) : undefined;
    const outcome = isStopped ? 'stopped' : 'broken';
    journal.write({ event: 'left', outcome, why: [...why] });
    return executedOf(old, { ...report, outcome, why, fault, signal });
  }
  if (way === 'skip-failed') {
    const goesOn = new Set(rest.sets.flat());
    const left = report.jobs.filter(({ work: job, state }) => !isSuccess(state) && !goesOn.has(job));
    const skipped = new Set([...(rest.skipped ?? []), ...left.map(T.whatText)]);
    rest = { ...rest, skipped: [...skipped] };
  }
  const run = randomUUID();
  const kept = keptOf(plans, rest).filter(({ instance }) => !gone.includes(instance));
  const task = { ...old, work: rest, states: [], run, kept };
  journal.write(planLine(run, program, cluster, rest));
  return goOn(task, ` (--${way})`);
}

export async function clusterName(master: MasterLine): Promise<string> {
  const info = (await master.ask('QueryClusterInfo', [])) as { readonly name?: unknown } | null;
  return typeof info?.name === 'string' ? info.name : '';
}

function workOf(options: SomeOptions, plan: PlanToCarryOut): Work {
  const { loaded, start, sets, limits, roundStarts, leftOut = [], switchedOff = [] } = plan;
  const reachable = reachableNames(start);
  return {
    sets: sets.map((set) =>
      set.map((job) => ('action' in job ? job : workJob(start, loaded, job, reachable))),
    ),
    ...(roundStarts ? { roundStarts } : {}),
    ...(leftOut.length > 0 ? { leftOut: [...leftOut] } : {}),
    limits: { ignoreSoftErrors: limits.ignoreSoftErrors, diskMoves: limits.diskMoves },
    nodeOptions: {
      offline: [...(options.offline ?? []), ...switchedOff],
      ...(options.maxCpu === undefined ? {} : { maxCpuRatio: options.maxCpu }),
      minDiskRatio: options.minDisk ?? 0,
    },
    promised: promisedRoom(loaded, start),
  };
}
