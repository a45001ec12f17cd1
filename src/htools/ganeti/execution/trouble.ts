/** Whether a cluster is in no state to be worked on while nobody watches. */
import { uptime } from 'node:os';
import { someOf } from '../../../kit/text/words.ts';
import { reachableNodes } from '../../cluster/instance-status.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { isStandby } from '../../cluster/tags/tags.ts';
import { degradedIn, lookAtDisks } from '../jobs/degraded.ts';
import { isFinal, readStatuses, STATUS_FIELDS } from '../jobs/job-status.ts';
import { RESULT_FIELDS } from '../jobs/power.ts';
import type { Signature } from '../jobs/submission.ts';
import { type MasterLine, submitJob } from './master-line.ts';

/** What is asked of the master (QueryConfigValues). */
const TROUBLE_FIELDS = ['watcher_pause', 'drain_flag'];

const MOST_NAMED = 5;
/** What a look at the disks may take at least. */
const LOOK_SECONDS = 60;

/** What the configuration tells to be wrong. Pure. @param values the answer to TROUBLE_FIELDS */
export function plainTroubles(cluster: Snapshot, values: unknown): readonly string[] {
  const [pause, isDrained] = Array.isArray(values) ? values : [];
  const { nodes, instances } = cluster;
  const isReachable = reachableNodes(cluster);
  // Drained nodes, and those that were switched off to save power, are as somebody wanted them.
  const dead = nodes.filter(({ tags }, n) => !isReachable[n] && !isStandby(tags)).map(({ name }) => name);
  const broken = instances.filter(({ status }) => status.startsWith('ERROR_')).map(({ name }) => name);
  return [
    ...(pause == null ? [] : ['the watcher is paused']),
    ...(isDrained === true ? ['the job queue is drained'] : []),
    ...(dead.length > 0 ? [`offline: ${someOf(dead, MOST_NAMED)}`] : []),
    ...(broken.length > 0 ? [`not as they should be: ${someOf(broken, MOST_NAMED)}`] : []),
  ];
}

/** What is wrong, a sentence each. @param seconds that the look at the disks may wait for others' locks */
export async function troubles(
  cluster: Snapshot,
  master: MasterLine,
  signature: Signature,
  seconds: number,
): Promise<readonly string[]> {
  const plain = plainTroubles(cluster, await master.ask('QueryConfigValues', [TROUBLE_FIELDS]));
  return plain.length > 0 ? plain : diskTroubles(cluster, master, signature, seconds);
}

async function diskTroubles(
  { instances }: Snapshot,
  master: MasterLine,
  signature: Signature,
  seconds: number,
): Promise<readonly string[]> {
  const mirrored = instances.filter(({ diskTemplate }) => diskTemplate === 'drbd').map(({ name }) => name);
  if (mirrored.length === 0) return [];
  const id = await submitJob(master, [lookAtDisks(mirrored)], { ...signature, doing: 'state of disks for' });
  for (const end = uptime() + Math.max(seconds, LOOK_SECONDS); ; ) {
    const [status = 'gone'] = readStatuses(await master.ask('QueryJobs', [[id], STATUS_FIELDS]), 1);
    if (status === 'gone' || isFinal(status)) break;
    if (uptime() >= end) return [`job ${id}, which looks at the disks, is still waiting for other jobs`];
    await master.awaitChange([{ id, status }]);
  }
  const degraded = degradedIn(await master.ask('QueryJobs', [[id], RESULT_FIELDS]));
  if (degraded === undefined) return [`job ${id} does not tell how the disks are`];
  return degraded.length === 0 ? [] : [`degraded disks: ${someOf(degraded, MOST_NAMED)}`];
}
