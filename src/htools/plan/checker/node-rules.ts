/**
 * The rules that a node holds against an instance that comes to it, judged on the checker's model.
 *
 * Hard rules hold always. Soft rules hold unless soft errors are ignored or the instance has to get off
 * an offline node. Source: htools(1) "restrictions", hbal(1) `--ignore-soft-errors`.
 */
import type { Instance } from '../../cluster/snapshot.ts';
import { hasSecondary, usesNodeDisk } from '../../cluster/templates.ts';
import {
  nowAfterPrimary,
  nowAfterSecondary,
  plannedAfterPrimary,
  plannedAfterSecondary,
} from './bookings.ts';
import type { Books, ReplicaNode } from './replica.ts';
import { failoverMemMib, reservedMib } from './replica.ts';

/** A rule that is not kept: its name and a sentence with the values. */
export interface BrokenRule {
  readonly rule: string;
  readonly message: string;
}

/** How severely to judge. */
interface Severity {
  /** Soft rules count too. */
  readonly isStrict: boolean;
  /** The disk is there already, on the offline node that becomes secondary. */
  readonly ignoresDisk: boolean;
}

class Judge {
  readonly broken: BrokenRule[] = [];
  private readonly subject: string;
  private readonly prefix: string;

  constructor(node: ReplicaNode, instance: Instance, prefix: string) {
    this.subject = `${instance.alias} on ${node.record.alias}`;
    this.prefix = prefix;
  }

  refuseIf(isBroken: boolean, rule: string, detail: () => string): void {
    if (isBroken) {
      this.broken.push({ rule: this.prefix + rule, message: `${this.subject}: ${detail()}` });
    }
  }
}

function judgeStorage(judge: Judge, node: ReplicaNode, after: Books, severity: Severity): void {
  const { isStrict, ignoresDisk } = severity;
  judge.refuseIf(!ignoresDisk && after.freeDiskMib <= 0, 'disk', () => `${after.freeDiskMib} MiB disk left`);
  judge.refuseIf(
    isStrict && after.freeDiskMib < node.reserveDiskMib,
    'disk-reserve',
    () => `${after.freeDiskMib} MiB disk left, ${node.reserveDiskMib} MiB have to stay free`,
  );
  judge.refuseIf(
    node.record.hasExclusiveStorage && after.freeSpindles < 0,
    'spindles',
    () => `${after.freeSpindles} spindles left with exclusive storage`,
  );
  judge.refuseIf(
    isStrict && after.instanceSpindles > node.spindleLimit,
    'spindle-ratio',
    () => `${after.instanceSpindles} instance spindles, ${node.spindleLimit} allowed`,
  );
}

function judgeVcpus(judge: Judge, node: ReplicaNode, after: Books): void {
  const ratio = after.vcpus / node.record.totalCpus;
  judge.refuseIf(
    node.vcpuRatioLimit >= 0 && ratio > node.vcpuRatioLimit,
    'vcpu-ratio',
    () => `${ratio} virtual cpus a cpu, ${node.vcpuRatioLimit} allowed`,
  );
}

function judgeNPlusOne(judge: Judge, node: ReplicaNode, freeMib: number, reserved: number): void {
  judge.refuseIf(
    !node.breaksNPlusOne && freeMib <= reserved,
    'n-plus-one',
    () => `${freeMib} MiB memory left, ${reserved} MiB to keep for a failover`,
  );
}

function plannedPrimaryRules(node: ReplicaNode, instance: Instance): readonly BrokenRule[] {
  const judge = new Judge(node, instance, 'forthcoming-');
  const after = plannedAfterPrimary(node, instance, 1);
  judge.refuseIf(after.freeMemMib <= 0, 'memory', () => `${after.freeMemMib} MiB memory left`);
  if (usesNodeDisk(instance.diskTemplate)) {
    judgeStorage(judge, node, after, { isStrict: true, ignoresDisk: false });
  }
  judgeVcpus(judge, node, after);
  return judge.broken;
}

function plannedSecondaryRules(node: ReplicaNode, instance: Instance): readonly BrokenRule[] {
  const judge = new Judge(node, instance, 'forthcoming-');
  const free = node.planned.freeMemMib;
  const needed = failoverMemMib(instance);
  judgeStorage(judge, node, plannedAfterSecondary(node, instance, 1), { isStrict: true, ignoresDisk: false });
  judge.refuseIf(needed >= free, 'memory', () => `failover needs ${needed} MiB memory, ${free} MiB are free`);
  return judge.broken;
}

function nowPrimaryRules(node: ReplicaNode, instance: Instance, isStrict: boolean): readonly BrokenRule[] {
  const judge = new Judge(node, instance, '');
  const after = nowAfterPrimary(node, instance, 1);
  judge.refuseIf(after.freeMemMib <= 0, 'memory', () => `${after.freeMemMib} MiB memory left`);
  if (usesNodeDisk(instance.diskTemplate)) {
    judgeStorage(judge, node, after, { isStrict, ignoresDisk: false });
  }
  if (isStrict) {
    judgeNPlusOne(judge, node, after.freeMemMib, reservedMib(node));
    judgeVcpus(judge, node, after);
    const shared = instance.exclusionTags.filter((tag) => node.exclusionTags.has(tag));
    judge.refuseIf(shared.length > 0, 'exclusion-tags', () => `tag ${shared.join(', ')} is there already`);
  }
  return judge.broken;
}

function nowSecondaryRules(
  node: ReplicaNode,
  instance: Instance,
  primary: number,
  severity: Severity,
): readonly BrokenRule[] {
  const judge = new Judge(node, instance, '');
  judge.refuseIf(
    !hasSecondary(instance.diskTemplate),
    'secondary',
    () => `template ${instance.diskTemplate} has no secondary`,
  );
  judgeStorage(judge, node, nowAfterSecondary(node, instance, 1), severity);
  if (severity.isStrict) {
    const needed = failoverMemMib(instance);
    const free = node.now.freeMemMib;
    judge.refuseIf(
      needed >= free,
      'failover-memory',
      () => `failover needs ${needed} MiB, ${free} MiB are free`,
    );
    const reserved = Math.max(reservedMib(node), (node.reservedMibByPeer.get(primary) ?? 0) + needed);
    judgeNPlusOne(judge, node, free, reserved);
  }
  return judge.broken;
}

/**
 * Rules that an instance breaks when it comes to a node as primary; empty = it may.
 * Those that count forthcoming instances too are named only when the others hold.
 */
export function primaryRules(
  node: ReplicaNode,
  instance: Instance,
  isStrict: boolean,
): readonly BrokenRule[] {
  const broken = instance.isForthcoming ? [] : nowPrimaryRules(node, instance, isStrict);
  return isStrict && broken.length === 0 ? plannedPrimaryRules(node, instance) : broken;
}

/** The same for an instance that comes as secondary; `primary` is the position of its primary then. */
export function secondaryRules(
  node: ReplicaNode,
  instance: Instance,
  primary: number,
  severity: Severity,
): readonly BrokenRule[] {
  const broken = instance.isForthcoming ? [] : nowSecondaryRules(node, instance, primary, severity);
  return severity.isStrict && broken.length === 0 ? plannedSecondaryRules(node, instance) : broken;
}

/** The rule of migration tags: the target has to take in each migration tag of the source. */
export function migrationRules(from: ReplicaNode, to: ReplicaNode): readonly BrokenRule[] {
  const refused = [...from.migrationTags].filter((tag) => !to.receivableMigrationTags.has(tag));
  if (refused.length === 0) return [];
  const message = `${from.record.alias} to ${to.record.alias}: ${refused.join(', ')} is not taken in`;
  return [{ rule: 'migration-tags', message }];
}
