/** Storage pools: an instance goes only to nodes that reach its pool. Source: docs/why/storage.md. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { Storage } from '../../cluster/storage/storage.ts';
import { type BrokenRule, broken } from './node-rules.ts';

/** Whether the nodes that an instance comes to reach its pool. @param arrivals positions of these */
export function accessRules(
  start: Snapshot,
  storage: Storage | undefined,
  instance: number,
  arrivals: readonly number[],
): readonly BrokenRule[] {
  if (!storage) return [];
  const row = storage.rows[instance]!;
  return arrivals
    .filter((node) => storage.access[row * storage.nodeCount + node] === 0)
    .map((node) => {
      const { alias } = start.instances[instance]!;
      return broken(
        'pool-access',
        `${alias}: ${start.nodes[node]!.alias} does not reach ${storage.poolAt(row)?.id}`,
      );
    });
}
