/**
 * Whether a cluster is in no state to be worked on while nobody watches. It is looked at behind the jobs of
 * others: instances that they move, and disks that they copy, are not as they should be meanwhile.
 */
import { uptime } from 'node:os';
import { someOf } from '../../../../kit/text/words.ts';
import { reachableNodes } from '../../../cluster/instance-status.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { isStandby } from '../../../cluster/tags/tags.ts';
import { degradedIn, lookAtDisks } from '../../jobs/degraded.ts';
import { type OtherJob, othersJobs } from '../../jobs/others-jobs.ts';
import { RESULT_FIELDS } from '../../jobs/power.ts';
import { awaitJob, submitJob } from '../master-line.ts';
import type { Change } from '../recheck.ts';
import { ClusterView } from './cluster-view.ts';
import type { ExecutionMeans } from './means.ts';

/** What is asked of the master (QueryConfigValues). */
const TROUBLE_FIELDS = ['watcher_pause', 'drain_flag'];

const MOST_NAMED = 5;
/** What a look at the disks may take at least. */
const LOOK_SECONDS = 60;

type LookMeans = Pick<
  ExecutionMeans,
  | 'master'
  | 'readState'
  | 'signature'
  | 'waitSeconds'
  | 'silenceSeconds'
  | 'pollSeconds'
  | 'isStopRequested'
  | 'onDelay'
>;

/** @param values the answer to TROUBLE_FIELDS */
function switchedOff(values: unknown): readonly string[] {
  const [pausedUntil, isDrained] = Array.isArray(values) ? values : [];
  return [
    ...(pausedUntil == null ? [] : ['the watcher is paused']),
    ...(isDrained === true ? ['the job queue is drained'] : []),
  ];
}

/** What the configuration tells to be wrong. Pure. @param values the answer to TROUBLE_FIELDS */
export function plainTroubles(cluster: Snapshot, values: unknown): readonly string[] {
  const { nodes, instances } = cluster;
  const isReachable = reachableNodes(cluster);
  // Drained nodes, and those that were switched off to save power, are as somebody wanted them.
  const dead = nodes.filter(({ tags }, n) => !isReachable[n] && !isStandby(tags)).map(({ name }) => name);
  const broken = instances.filter(({ status }) => status.startsWith('ERROR_')).map(({ name }) => name);
  return [
    ...switchedOff(values),
    ...(dead.length > 0 ? [`offline: ${someOf(dead, MOST_NAMED)}`] : []),
    ...(broken.length > 0 ? [`not as they should be: ${someOf(broken, MOST_NAMED)}`] : []),
  ];
}

/**
 * What is wrong, a sentence or a change each; not to be gone by where it is to stop.
 * @param own ids of jobs that are no others'
 */
export async function troubles(
  means: LookMeans,
  own: ReadonlySet<number>,
): Promise<readonly (string | Change)[]> {
  const askValues = (): Promise<unknown> => means.master.ask('QueryConfigValues', [TROUBLE_FIELDS]);
  // No wait changes these.
  const off = switchedOff(await askValues());
  if (off.length > 0) return off;
  const behind = await behindOthers(means, own);
  if (!('cluster' in behind)) return behind;
  const plain = plainTroubles(behind.cluster, await askValues());
  return plain.length > 0 ? plain : diskTroubles(behind.cluster, means);
}

/** The cluster behind all unfinished jobs of others, wherever they are; or those that do not end. */
async function behindOthers(
  means: LookMeans,
  own: ReadonlySet<number>,
): Promise<readonly Change[] | { readonly cluster: Snapshot }> {
  const { waitSeconds, isStopRequested, onDelay } = means;
  const view = new ClusterView(means);
  const start = uptime();
  for (let isSaid = false; ; isSaid = true) {
    let found: { readonly cluster: Snapshot; readonly others: readonly OtherJob[] } | undefined;
    const unreadable = await view.against((cluster, open) => {
      const names = new Set(cluster.nodes.map(({ name }) => name));
      found = { cluster, others: othersJobs(open, own, cluster, names, true) };
      return [];
    }, true);
    if (found === undefined) return unreadable;
    if (found.others.length === 0) return found;
    const waited = uptime() - start;
    if (waited >= waitSeconds || isStopRequested())
      return found.others.map((job) => ({ what: 'others-job', ...job }));
    if (!isSaid) onDelay({ others: found.others });
    await view.rest(waited);
  }
}

async function diskTroubles(
  { instances }: Snapshot,
  { master, signature, waitSeconds, isStopRequested }: LookMeans,
): Promise<readonly string[]> {
  const mirrored = instances.filter(({ diskTemplate }) => diskTemplate === 'drbd').map(({ name }) => name);
  if (mirrored.length === 0) return [];
  const id = await submitJob(master, [lookAtDisks(mirrored)], { ...signature, doing: 'state of disks for' });
  const end = uptime() + Math.max(waitSeconds, LOOK_SECONDS);
  if ((await awaitJob(master, id, () => uptime() >= end || isStopRequested())) === undefined)
    return [`job ${id}, which looks at the disks, is still waiting for other jobs`];
  const degraded = degradedIn(await master.ask('QueryJobs', [[id], RESULT_FIELDS]));
  if (degraded === undefined) return [`job ${id} does not tell how the disks are`];
  return degraded.length === 0 ? [] : [`degraded disks: ${someOf(degraded, MOST_NAMED)}`];
}
