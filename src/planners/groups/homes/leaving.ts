/** Which instances can leave their group at all, and to which groups. Source: docs/design/groups.md. */

import type { Instance } from '../../../cluster/snapshot.ts';
import { hasSecondary, mirroringOf } from '../../../cluster/templates.ts';
import * as F from '../../../model/state/node-fields.ts';
import { USES_MEMORY } from '../../../model/state/state.ts';
import { refusalsIn } from './home-candidates.ts';
import type { SuperCluster } from './super-cluster.ts';
import { groupRefusal, isPinned, type StayRule, type TargetRefusal } from './targets.ts';

/** An instance that finds no home, and why. */
export interface Stranded {
  readonly instance: number;
  /** Why it cannot leave at all; undefined where it could, but no group takes it. */
  readonly stays?: StayRule | undefined;
  /** By group, the weightiest reason of each first. */
  readonly refusals: readonly TargetRefusal[];
}

/** Why an instance cannot be moved between groups by anybody; undefined when it can. */
export function stayRule(cluster: SuperCluster, i: number): StayRule | undefined {
  const instance = cluster.snapshot.instances[i]!;
  if (isPinned(instance)) return 'pinned';
  if (instance.isForthcoming) return 'forthcoming';
  if (mirroringOf(instance.diskTemplate) === 'none') return 'not-mirrored';
  if (bothOffline(cluster, instance)) return 'both-offline';
  return hasRefuge(cluster, i) ? undefined : 'no-refuge';
}

/** Whether the secondary can start an instance whose primary is offline; it has to before anything else is done. */
function hasRefuge({ state }: SuperCluster, i: number): boolean {
  const secondary = state.secondary[i]!;
  if (secondary < 0 || !state.isOffline[state.primary[i]!]) return true;
  const needed = state.flags[i]! & USES_MEMORY ? state.mem[i]! : 0;
  return state.nodeFields[secondary * F.NODE_STRIDE + F.FREE_MEM]! > needed;
}

/** A DRBD instance whose data no online node has. */
const bothOffline = ({ snapshot }: SuperCluster, { diskTemplate, primary, secondary }: Instance): boolean =>
  hasSecondary(diskTemplate) &&
  (snapshot.nodes[primary]?.isOffline ?? true) &&
  (snapshot.nodes[secondary]?.isOffline ?? true);

/** Groups that are open to the instance before their nodes are asked, and why the others are not. */
export interface OpenGroups {
  readonly open: readonly number[];
  readonly refusals: readonly TargetRefusal[];
}

/** Group rules depend on the instance's template, sizes, pool and networks only: equal ones are asked once. */
export class GroupRules {
  private readonly cluster: SuperCluster;
  private readonly known = new Map<string, OpenGroups>();
  private readonly byInstance: (OpenGroups | undefined)[] = [];

  constructor(cluster: SuperCluster) {
    this.cluster = cluster;
  }

  /** Over all groups of the cluster but the instance's own. */
  of(i: number): OpenGroups {
    this.byInstance[i] ??= this.find(i);
    return this.byInstance[i];
  }

  private find(i: number): OpenGroups {
    const { snapshot, storage, groups } = this.cluster;
    const instance = snapshot.instances[i]!;
    const own = snapshot.nodes[instance.primary]!.group;
    const { diskTemplate, memMib, vcpus, spindleUse, disks, nics } = instance;
    const key = JSON.stringify([own, storage.rows[i], diskTemplate, memMib, vcpus, spindleUse, disks, nics]);
    let found = this.known.get(key);
    if (!found) {
      const refusals: TargetRefusal[] = [];
      const open: number[] = [];
      for (const group of groups) {
        if (group === own) continue;
        const refusal = groupRefusal(this.cluster, i, group);
        if (refusal) refusals.push(refusal);
        else open.push(group);
      }
      found = { open, refusals };
      this.known.set(key, found);
    }
    return found;
  }
}

/** Why an instance finds no home as the cluster stands now, group by group. */
export function strandedBy(
  cluster: SuperCluster,
  rules: GroupRules,
  i: number,
  isTarget: (group: number) => boolean,
): Stranded {
  const stays = stayRule(cluster, i);
  if (stays) return { instance: i, stays, refusals: [] };
  const { open, refusals } = rules.of(i);
  const byNodes = open.flatMap((group): TargetRefusal[] =>
    isTarget(group) ? refusalsIn(cluster, i, group) : [{ group, rule: 'unhealthy' }],
  );
  return { instance: i, refusals: [...refusals, ...byNodes].sort((a, b) => a.group - b.group) };
}
