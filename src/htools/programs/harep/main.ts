/** harep: repairs instances whose nodes are gone, as far as their tags allow it. */
import { randomUUID } from 'node:crypto';
import { VERSION } from '../../../kit/cli/help/version.ts';
import { EXIT } from '../../../kit/exit-status.ts';
import { outliveReport, printErr, printOut } from '../../../kit/report/output.ts';
import { MS_PER_S } from '../../../kit/units.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { type MasterLine, masterLine, Patience } from '../../ganeti/execution/master-line.ts';
import { OTHERS_FIELDS, readQueue } from '../../ganeti/jobs/others-jobs.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { luxiPath } from '../../sources/luxi/read-luxi.ts';
import { loadCluster, wireOf } from '../shared/cluster/load-cluster.ts';
import { printPlan } from '../shared/document/print-document.ts';
import { lockCluster, unlockCluster } from '../shared/execute/cluster-lock.ts';
import { waitSecondsOf } from '../shared/execute/execution-words.ts';
import { JobQueue } from './job-queue.ts';
import { repairJson } from './repair-facts.ts';
import { type Look, repairInstances } from './repair-run.ts';
import * as T from './text.ts';

export { configure } from '../shared/config/configure.ts';

type Options = ProgramOptions<'harep'>;

/**
 * Signals let the instance at hand be finished: an untagged repair would be made twice. Who sends another
 * does not want to wait, neither for a master that is away nor for the jobs that write the tags.
 */
function listenForStop(patience: Patience) {
  const signals: NodeJS.Signals[] = [];
  const stop = (signal: NodeJS.Signals): void => {
    if (signals.push(signal) > 1) patience.giveUp();
    else printErr('Stopping as soon as the current instance is done\n');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  return { stoppedBy: () => signals[0], isUrgent: () => signals.length > 1 };
}

const chosenOf = ({ instances }: Snapshot, { instanceTags }: Options): readonly number[] =>
  [...instances.keys()].filter(
    (i) => instanceTags === undefined || instances[i]!.tags.some((tag) => instanceTags.includes(tag)),
  );

/** @returns the exit status: 0, or 3 when the time limit or a signal left something undone */
export const main = (options: Options): Promise<number> => repair(options).finally(unlockCluster);

async function repair(options: Options): Promise<number> {
  const isSnapshot = options.textFile !== undefined;
  const luxiSocket = options.luxiSocket ?? (isSnapshot ? undefined : '');
  const isDryRun = options.repairDryRun || isSnapshot;
  if (!isDryRun) {
    // A repair is noted in its tags, also where its report cannot be written.
    outliveReport();
    // Nothing is repaired that an execution is about to move.
    await lockCluster(luxiPath(luxiSocket!), waitSecondsOf(options));
  }
  const beganMs = performance.now();
  const { limits } = wireOf(options);
  const patience = new Patience(limits.answerSeconds);
  const lineWith = (how: Patience): MasterLine => masterLine(luxiPath(luxiSocket!), limits, how);
  const lookNow = async (verbosity: number): Promise<Look> => ({
    // Asked ahead of the cluster: what has ended by now is seen there.
    openJobs: isSnapshot
      ? []
      : readQueue(await lineWith(new Patience(0)).ask('QueryJobs', [null, OTHERS_FIELDS])).open,
    snapshot: await loadCluster({ ...options, luxiSocket, verbosity }),
  });
  const look = await lookNow(options.verbosity);
  const limitMs = (options.repairTimeLimit ?? Number.POSITIVE_INFINITY) * MS_PER_S;
  const isOutOfTime = (): boolean => performance.now() - beganMs >= limitMs;
  const { stoppedBy, isUrgent } = listenForStop(patience);
  const signature = {
    program: 'harep',
    version: `harep (Evenkeel) version ${VERSION}`,
    doing: 'automated repairs by',
    reason: options.jobReason,
  };
  const say = options.json ? () => {} : printOut;
  const { repairs, fault } = await repairInstances({
    look,
    lookAgain: () => lookNow(0),
    chosen: chosenOf(look.snapshot, options),
    queue: isSnapshot
      ? undefined
      : new JobQueue(lineWith(patience), signature, () => isUrgent() || isOutOfTime()),
    isDryRun,
    jobDelaySeconds: options.jobDelay,
    end: () => (stoppedBy() ? 'stopped' : isOutOfTime() ? 'out-of-time' : undefined),
    say,
    nowSeconds: () => Math.floor(Date.now() / MS_PER_S),
    newId: randomUUID,
  });
  const isUndone = repairs.some(({ leftAlone }) => leftAlone === 'out-of-time' || leftAlone === 'stopped');
  const why = fault?.message ?? (isUndone ? (stoppedBy() ?? T.OUT_OF_TIME) : undefined);
  if (!fault) say(T.countsText(repairs));
  if (!options.json && options.verbosity > 0) printErr(T.leftAloneText(repairs));
  await printPlan(options, { fault }, () => repairJson(repairs, isDryRun, why));
  return isUndone ? EXIT.left : 0;
}
