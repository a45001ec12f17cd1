/**
 * What a plan between groups promises for the groups it touches: at the end no offline node has instances, and every
 * online node could take over from any one failed peer.
 */
import type { BrokenRule } from './node-rules.ts';
import type { Replica } from './replica.ts';

/** @param groups positions of the groups that must be healthy */
export function healthRules(replica: Replica, groups: readonly number[]): readonly BrokenRule[] {
  const broken: BrokenRule[] = [];
  for (const node of replica.nodes) {
    const { record } = node;
    if (!groups.includes(record.group)) continue;
    const count = node.primaries.size + node.secondaries.size;
    if (record.isOffline && count > 0) {
      broken.push({
        rule: 'healthy-group',
        message: `offline node ${record.alias} still has ${count} instance(s)`,
      });
    }
    if (!record.isOffline && node.breaksNPlusOne) {
      broken.push({ rule: 'healthy-group', message: `${record.alias} fails N+1 at the end` });
    }
  }
  return broken;
}
