/** Why instances find no home, by group and rule; for reports. */
import { mustLeaveSome } from '../../../cluster/rules.ts';
import { ANY_PRIMARY } from '../../../model/rules/admission.ts';
import { reservationOf } from '../../../model/rules/n-plus-one.ts';
import { type NodeRefusal, primaryReason, secondaryReason } from '../../../model/rules/refusals.ts';
import { mayArrive, mayPair, reachable } from '../homes/home-candidates.ts';
import { findHome } from '../homes/homes.ts';
import {
  isAlone,
  type Rules,
  type StayRule,
  stayRule,
  type TargetRefusal,
  type TargetRule,
} from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { type DepartureRefusal, departureRefusals } from '../relocate/departure.ts';

/** An instance that finds no home, and why, as documents have it. */
export interface Stranded {
  readonly instance: string;
  /** Why it cannot leave at all; null where it could, but no group takes it. */
  readonly reason: StayRule | null;
  /** What of its nodes is in its way; only where it is blocked. */
  readonly departure: readonly (Omit<DepartureRefusal, 'node'> & { readonly node: string })[];
  /** By group, the weightiest reason of each first. */
  readonly refusals: readonly (Omit<TargetRefusal, 'group'> & { readonly group: string })[];
  /** The reasons hold once others have moved, not as the cluster stands. */
  readonly isAfterOthers: boolean;
}

/** The most that would have been let in, in whole units, where that says why. */
function mostOf({ rule, needed, available }: NodeRefusal): number | undefined {
  if (needed === undefined || available === undefined) return undefined;
  const most = Math.max(0, mustLeaveSome(rule) ? Math.ceil(available) - 1 : Math.floor(available));
  return most < needed ? most : undefined;
}

/** One entry a rule, with the number of nodes and the figures of the roomiest one; most nodes first. */
function counted(group: number, reasons: readonly NodeRefusal[]): TargetRefusal[] {
  const byRule = new Map<string, { reason: NodeRefusal; most: number | undefined; nodes: number }>();
  for (const reason of reasons) {
    const key = reason.withForthcoming ? `${reason.rule}, forthcoming` : reason.rule;
    const known = byRule.get(key);
    const most = mostOf(reason);
    if (!known) {
      byRule.set(key, { reason, most, nodes: 1 });
      continue;
    }
    known.nodes++;
    if ((most ?? -1) > (known.most ?? -1)) Object.assign(known, { reason, most });
  }
  const counts = [...byRule.values()].sort((a, b) => b.nodes - a.nodes);
  return counts.map(({ reason: { needed, available, unit, ...reason }, most, nodes }) => ({
    group,
    ...reason,
    ...(most === undefined ? {} : { needed, available: most, unit }),
    nodes,
  }));
}

/** The most memory that a pair of nodes could still reserve, where no pair can reserve what is needed. */
function takeoverRefusal(
  cluster: SuperCluster,
  i: number,
  group: number,
  primaries: readonly number[],
  secondaries: readonly number[],
): TargetRefusal {
  const { state } = cluster;
  const needed = reservationOf(state, i);
  let available = 0;
  for (const s of secondaries) {
    for (const p of primaries) {
      if (p === s) continue;
      available = Math.max(available, Math.ceil(cluster.freeMem(s) - state.peers.get(s, p)) - 1);
    }
  }
  return {
    group,
    rule: 'takeover',
    ...(available < needed ? { needed, available, unit: 'MiB' } : {}),
    nodes: secondaries.length,
  };
}

/** Why the nodes of a group refuse the instance; its group rules let it in. The state is as before. */
export function refusalsIn(cluster: SuperCluster, i: number, group: number): TargetRefusal[] {
  const { state } = cluster;
  const nodes = reachable(cluster, i, group);
  if (nodes.length === 0) return [{ group, rule: 'pool-access', detail: cluster.storage.poolOf(i) }];
  const migration: NodeRefusal = { rule: 'migration-tags' };
  const asPrimary = nodes.map(
    (n) => primaryReason(state, i, n) ?? (mayArrive(cluster, i, n, group) ? undefined : migration),
  );
  const primaries = nodes.filter((_, k) => asPrimary[k] === undefined);
  if (primaries.length === 0) return counted(group, asPrimary as NodeRefusal[]);
  if (cluster.isMirrored(i)) {
    if (nodes.length === 1) return [{ group, rule: 'partner' }];
    const asSecondary = nodes.map((n) => secondaryReason(state, i, n, ANY_PRIMARY));
    const secondaries = nodes.filter((_, k) => asSecondary[k] === undefined);
    const isOnlyItself =
      secondaries.length === 1 && primaries.length === 1 && secondaries[0] === primaries[0];
    if (secondaries.length === 0 || isOnlyItself)
      return counted(
        group,
        asSecondary.filter((reason) => reason !== undefined),
      );
    const isPairable = primaries.some((p) => secondaries.some((s) => mayPair(cluster, i, p, s)));
    if (!isPairable) return [takeoverRefusal(cluster, i, group, primaries, secondaries)];
  }
  const found = cluster.tentatively(() =>
    findHome(cluster, i, [group], { strategy: 'first', refreshesOld: false }),
  );
  const rule: TargetRule =
    found.kind === 'found' ? 'others' : found.kind === 'none' && found.isProven ? 'restart' : 'not-found';
  return [{ group, rule, ...(rule === 'others' ? {} : { nodes: primaries.length }) }];
}

/** Why other groups do not take an instance that can leave its nodes, in order of the groups. */
export function refusalsOfOthers(
  cluster: SuperCluster,
  rules: Rules,
  i: number,
  isTarget: (group: number) => boolean,
): TargetRefusal[] {
  const own = cluster.groupOf(i);
  const byNodes = rules.openTo(i).flatMap((group): TargetRefusal[] => {
    if (isTarget(group)) return refusalsIn(cluster, i, group);
    if (group === own) return [];
    if (!cluster.isHealthy(group)) return [{ group, rule: 'unhealthy' }];
    return [{ group, rule: isAlone(cluster, group) ? 'alone' : 'emptied' }];
  });
  return [...rules.refusalsOf(i).filter(({ group }) => group !== own), ...byNodes].sort(
    (a, b) => a.group - b.group,
  );
}

/** Why it finds no home as the cluster stands. @param isAfterOthers others have moved since it was read */
export function strandedBy(
  cluster: SuperCluster,
  rules: Rules,
  i: number,
  isTarget: (group: number) => boolean,
  isAfterOthers = false,
): Stranded {
  const { state, snapshot } = cluster;
  const instance = snapshot.instances[i]!.name;
  const stays = stayRule(cluster, i);
  if (stays) return { instance, reason: stays, departure: [], refusals: [], isAfterOthers: false };
  const departure = departureRefusals(state, i).map((one) => ({
    ...one,
    node: snapshot.nodes[one.node]!.name,
  }));
  if (departure.length > 0) return { instance, reason: 'blocked', departure, refusals: [], isAfterOthers };
  const refusals = refusalsOfOthers(cluster, rules, i, isTarget).map(({ group, ...rest }) => ({
    group: snapshot.groups[group]!.name,
    ...rest,
  }));
  return { instance, reason: null, departure, refusals, isAfterOthers };
}

/** Whether the reasons of an instance that is looked at alone hold whatever else is moved. */
export const isForGood = ({ reason, refusals }: Stranded): boolean =>
  reason === null
    ? refusals.every(({ rule }) => rule !== 'not-found' && rule !== 'others')
    : reason !== 'blocked';
