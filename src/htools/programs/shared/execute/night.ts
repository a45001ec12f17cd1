/** Limits of executions that nobody watches: until when, and what has moved not long ago. */
import { uptime } from 'node:os';
import { MS_PER_S, S_PER_HOUR } from '../../../../kit/units.ts';
import { jobsOf, plansOf } from '../../../ganeti/execution/journal-lines.ts';
import { keptJournals, stateFolder } from '../../../ganeti/execution/state-folder.ts';
import { isNodeJob, type WorkSet } from '../../../ganeti/execution/work.ts';
import { sideBySide } from '../../../plan/price.ts';

const HOURS_PER_DAY = 24;
/** What a change costs beside the copying. */
const SECONDS_PER_CHANGE = 60;

/**
 * Seconds from now to the first time since the program began that a clock on the wall shows so; below 0 once
 * that is past, however long it waited or planned.
 * @param text `HH:MM` @param ranSeconds for how long the program has run
 */
export function secondsUntil(text: string, now: Date, ranSeconds: number): number {
  const [hours, minutes] = text.split(':').map(Number) as [number, number];
  const began = new Date(now.getTime() - ranSeconds * MS_PER_S);
  const end = new Date(began);
  end.setHours(hours, minutes, 0, 0);
  if (end <= began) end.setDate(end.getDate() + 1);
  return (end.getTime() - now.getTime()) / MS_PER_S;
}

/**
 * How long the jobs of a set take side by side.
 * @param bandwidth MiB a second
 * @param rebootSeconds that a node may take until it is there
 * @param parallel most jobs at one time: another begins when one has ended
 */
export function setSeconds(
  set: WorkSet,
  bandwidth: number,
  rebootSeconds: number,
  parallel?: number,
): number {
  const seconds = set.map((job) =>
    isNodeJob(job) && (job.action === 'reboot' || job.action === 'power-on')
      ? rebootSeconds
      : job.copyMib / bandwidth + SECONDS_PER_CHANGE * job.opcodes.length,
  );
  return sideBySide(seconds, parallel);
}

/** Whether a set would be done in so many seconds; the clock is asked once, so that nobody moves the end. */
export function window(seconds: number): (setSeconds: number) => boolean {
  const end = uptime() + seconds;
  return (needed) => uptime() + needed <= end;
}

/**
 * Instances that were begun to be moved within so many hours. A journal that ends as far ahead of now is of a
 * clock that ran ahead, and holds nothing back.
 * @param cluster undefined = of any
 */
export function restingInstances(
  hours: number,
  cluster: string | undefined,
  now = Date.now(),
): ReadonlySet<string> {
  const restMs = Math.min(hours, HOURS_PER_DAY * 366) * S_PER_HOUR * MS_PER_S;
  const moved = keptJournals(stateFolder()).flatMap(({ journal }) => {
    if (journal === undefined || Math.abs(now - Date.parse(journal.ended)) > restMs) return [];
    if (cluster !== undefined && journal.plan.cluster !== cluster) return [];
    return plansOf(journal)
      .flatMap(jobsOf)
      .flatMap(({ job, state: { state } }) =>
        'instance' in job && state !== 'planned' && state !== 'refused' ? [job.instance] : [],
      );
  });
  return new Set(moved);
}

/**
 * What is said where no run on the cluster is on record of so many hours and a day; empty where one is. A run
 * each night leaves its record, even if it begins nothing: another node may have been the master.
 */
export function restRemark(hours: number, cluster: string, now = Date.now()): string {
  const known = hours + HOURS_PER_DAY;
  const isKnown = keptJournals(stateFolder()).some(
    ({ journal, isRunning }) =>
      journal?.plan.cluster === cluster &&
      // The run that asks has its record, too.
      !isRunning &&
      Math.abs(now - Date.parse(journal.ended)) <= known * S_PER_HOUR * MS_PER_S,
  );
  if (isKnown || hours === 0) return '';
  return `No run on ${cluster} of the last ${known} hours is on record in ${stateFolder()}, so --let-rest knows of no instance that has moved; if another node was the master, its journals are there\n`;
}
