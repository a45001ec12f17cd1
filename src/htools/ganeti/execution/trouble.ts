/** Whether a cluster is in no state to be worked on while nobody watches. Pure. */
import { reachableNodes } from '../../cluster/instance-status.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { isStandby } from '../../cluster/tags/tags.ts';

/** What is asked of the master (QueryConfigValues). */
export const TROUBLE_FIELDS = ['watcher_pause', 'drain_flag'];

const MOST_NAMED = 5;

const listed = (names: readonly string[]): string =>
  names.slice(0, MOST_NAMED).join(', ') +
  (names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '');

/**
 * What is wrong, a sentence each; empty = nothing.
 * @param values the answer to TROUBLE_FIELDS
 */
export function troubles(cluster: Snapshot, values: unknown): readonly string[] {
  const [pause, isDrained] = Array.isArray(values) ? values : [];
  const { nodes, instances } = cluster;
  const isReachable = reachableNodes(cluster);
  // Drained nodes, and those that were switched off to save power, are as somebody wanted them.
  const dead = nodes.filter(({ tags }, n) => !isReachable[n] && !isStandby(tags)).map(({ name }) => name);
  const broken = instances.filter(({ status }) => status.startsWith('ERROR_')).map(({ name }) => name);
  return [
    ...(pause == null ? [] : ['the watcher is paused']),
    ...(isDrained === true ? ['the job queue is drained'] : []),
    ...(dead.length > 0 ? [`offline: ${listed(dead)}`] : []),
    ...(broken.length > 0 ? [`not as they should be: ${listed(broken)}`] : []),
  ];
}
