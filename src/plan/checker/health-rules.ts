/**
 * What a plan between groups promises for the groups it touches: at the end no offline node has instances, every
 * online node could take over from any one failed peer, and what runs on any of them could start again elsewhere.
 */
import { describeStorage, type Storage } from '../../cluster/storage/storage.ts';
import type { BrokenRule } from './node-rules.ts';
import { type Replica, type ReplicaNode, reservedMib } from './replica.ts';
import { restartVerdict } from './restarts.ts';

/** @param groups positions of the groups that must be healthy */
export function healthRules(replica: Replica, groups: readonly number[]): readonly BrokenRule[] {
  if (groups.length === 0) return [];
  const storage = replica.storage ?? describeStorage(replica.start);
  const members = new Map<number, ReplicaNode[]>(groups.map((group) => [group, []]));
  for (const node of replica.nodes) members.get(node.record.group)?.push(node);
  return [...members.values()].flatMap((nodes) =>
    nodes.flatMap((node) =>
      node.record.isOffline ? offlineRules(node) : onlineRules(replica, storage, node, nodes),
    ),
  );
}

function offlineRules({ record, primaries, secondaries }: ReplicaNode): readonly BrokenRule[] {
  const count = primaries.size + secondaries.size;
  if (count === 0) return [];
  return [{ rule: 'healthy-group', message: `offline node ${record.alias} still has ${count} instance(s)` }];
}

function onlineRules(
  replica: Replica,
  storage: Storage,
  node: ReplicaNode,
  members: readonly ReplicaNode[],
): readonly BrokenRule[] {
  const { alias } = node.record;
  const broken: BrokenRule[] = [];
  // A node that has just what is reserved on it fails once it has changed and not when it is read; the saved state is what counts.
  if (node.breaksNPlusOne && node.now.freeMemMib !== reservedMib(node))
    broken.push({ rule: 'healthy-group', message: `${alias} fails N+1 at the end` });
  if (restartVerdict(replica, storage, node, members) === 'impossible') {
    const message = `what runs on ${alias} at the end could not all start again elsewhere`;
    broken.push({ rule: 'healthy-group', message });
  }
  return broken;
}

/** @param groups positions of the groups that must be without any instance */
export function emptinessRules(replica: Replica, groups: readonly number[]): readonly BrokenRule[] {
  return replica.nodes.flatMap((node): BrokenRule[] => {
    const sets = [node.primaries, node.secondaries, node.forthcomingPrimaries, node.forthcomingSecondaries];
    const count = groups.includes(node.record.group) ? sets.reduce((sum, { size }) => sum + size, 0) : 0;
    if (count === 0) return [];
    return [{ rule: 'empty-group', message: `${node.record.alias} still has ${count} instance(s)` }];
  });
}
