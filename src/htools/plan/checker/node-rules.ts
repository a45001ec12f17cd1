/**
 * The rules that a node holds against an instance that comes to it, judged on the checker's model.
 *
 * Hard rules hold always. Soft rules hold unless soft errors are ignored or the instance has to get off
 * an offline node. Source: htools(1) "restrictions", hbal(1) `--ignore-soft-errors`.
 */
import type { Instance } from '../../cluster/snapshot.ts';
import { hasSecondary, usesNodeDisk } from '../../cluster/templates.ts';
import { afterPrimary, afterSecondary } from './bookings.ts';
import { type Books, failoverMemMib, type ReplicaNode, reservedMib } from './replica.ts';

/** A rule that is not kept: its name and a sentence with the values. */
export interface BrokenRule {
  readonly rule: string;
  readonly message: string;
}

export const broken = (rule: string, message: string): BrokenRule => ({ rule, message });

const NONE: readonly BrokenRule[] = [];

/** Of rules that may be broken those that are: nearly always none, for which no list is made. */
export const brokenOf = (...rules: readonly (BrokenRule | false)[]): readonly BrokenRule[] =>
  rules.every((one) => one === false) ? NONE : rules.filter((one) => one !== false);

interface Severity {
  /** Soft rules count too. */
  readonly isStrict: boolean;
  /** The disk is there already, on the offline node that becomes secondary. */
  readonly ignoresDisk: boolean;
}

const STRICT: Severity = { isStrict: true, ignoresDisk: false };

type Say = (rule: string, detail: string) => BrokenRule;

const sayOn =
  (node: ReplicaNode, instance: Instance, prefix = ''): Say =>
  (rule, detail) =>
    broken(prefix + rule, `${instance.alias} on ${node.record.alias}: ${detail}`);

function storageRules(
  say: Say,
  { record, reserveDiskMib, spindleLimit }: ReplicaNode,
  { freeDiskMib, freeSpindles, instanceSpindles }: Books,
  { isStrict, ignoresDisk }: Severity,
): readonly BrokenRule[] {
  return brokenOf(
    !ignoresDisk && freeDiskMib <= 0 && say('disk', `${freeDiskMib} MiB disk left`),
    isStrict &&
      freeDiskMib < reserveDiskMib &&
      say('disk-reserve', `${freeDiskMib} MiB disk left, ${reserveDiskMib} MiB have to stay free`),
    record.hasExclusiveStorage &&
      freeSpindles < 0 &&
      say('spindles', `${freeSpindles} spindles left with exclusive storage`),
    isStrict &&
      instanceSpindles > spindleLimit &&
      say('spindle-ratio', `${instanceSpindles} instance spindles, ${spindleLimit} allowed`),
  );
}

function vcpuRule(say: Say, { record, vcpuRatioLimit }: ReplicaNode, { vcpus }: Books): BrokenRule | false {
  const ratio = vcpus / record.totalCpus;
  return (
    vcpuRatioLimit >= 0 &&
    ratio > vcpuRatioLimit &&
    say('vcpu-ratio', `${ratio} virtual cpus a cpu, ${vcpuRatioLimit} allowed`)
  );
}

const nPlusOneRule = (say: Say, node: ReplicaNode, freeMib: number, reserved: number): BrokenRule | false =>
  !node.breaksNPlusOne &&
  freeMib <= reserved &&
  say('n-plus-one', `${freeMib} MiB memory left, ${reserved} MiB to keep for a failover`);

const memoryRule = (say: Say, { freeMemMib }: Books): BrokenRule | false =>
  freeMemMib <= 0 && say('memory', `${freeMemMib} MiB memory left`);

function plannedPrimaryRules(node: ReplicaNode, instance: Instance): readonly BrokenRule[] {
  const say = sayOn(node, instance, 'forthcoming-');
  const after = afterPrimary(node, 'planned', instance, 1);
  return brokenOf(
    memoryRule(say, after),
    ...(usesNodeDisk(instance.diskTemplate) ? storageRules(say, node, after, STRICT) : []),
    vcpuRule(say, node, after),
  );
}

function plannedSecondaryRules(node: ReplicaNode, instance: Instance): readonly BrokenRule[] {
  const say = sayOn(node, instance, 'forthcoming-');
  const free = node.planned.freeMemMib;
  const needed = failoverMemMib(instance);
  return brokenOf(
    ...storageRules(say, node, afterSecondary(node, 'planned', instance, 1), STRICT),
    needed >= free && say('memory', `failover needs ${needed} MiB memory, ${free} MiB are free`),
  );
}

function nowPrimaryRules(node: ReplicaNode, instance: Instance, isStrict: boolean): readonly BrokenRule[] {
  const say = sayOn(node, instance);
  const after = afterPrimary(node, 'now', instance, 1);
  const hard = brokenOf(
    memoryRule(say, after),
    ...(usesNodeDisk(instance.diskTemplate)
      ? storageRules(say, node, after, { isStrict, ignoresDisk: false })
      : []),
  );
  if (!isStrict) return hard;
  const shared = instance.exclusionTags.filter((tag) => node.exclusionTags.has(tag));
  return brokenOf(
    ...hard,
    nPlusOneRule(say, node, after.freeMemMib, reservedMib(node)),
    vcpuRule(say, node, after),
    shared.length > 0 && say('exclusion-tags', `tag ${shared.join(', ')} is there already`),
  );
}

function nowSecondaryRules(
  node: ReplicaNode,
  instance: Instance,
  primary: number,
  severity: Severity,
): readonly BrokenRule[] {
  const { diskTemplate } = instance;
  const say = sayOn(node, instance);
  const hard = brokenOf(
    !hasSecondary(diskTemplate) && say('secondary', `template ${diskTemplate} has no secondary`),
    ...storageRules(say, node, afterSecondary(node, 'now', instance, 1), severity),
  );
  if (!severity.isStrict) return hard;
  const needed = failoverMemMib(instance);
  const free = node.now.freeMemMib;
  const reserved = Math.max(reservedMib(node), (node.reservedMibByPeer.get(primary) ?? 0) + needed);
  return brokenOf(
    ...hard,
    needed >= free && say('failover-memory', `failover needs ${needed} MiB, ${free} MiB are free`),
    nPlusOneRule(say, node, free, reserved),
  );
}

/** Rules that it breaks as primary of a node; those with forthcoming instances if the others hold. */
export function primaryRules(
  node: ReplicaNode,
  instance: Instance,
  isStrict: boolean,
): readonly BrokenRule[] {
  const now = instance.isForthcoming ? [] : nowPrimaryRules(node, instance, isStrict);
  return isStrict && now.length === 0 ? plannedPrimaryRules(node, instance) : now;
}

/** The same for an instance that comes as secondary; `primary` is the position of its primary then. */
export function secondaryRules(
  node: ReplicaNode,
  instance: Instance,
  primary: number,
  severity: Severity,
): readonly BrokenRule[] {
  const now = instance.isForthcoming ? [] : nowSecondaryRules(node, instance, primary, severity);
  return severity.isStrict && now.length === 0 ? plannedSecondaryRules(node, instance) : now;
}

/** The rule of migration tags: the target has to take in each migration tag of the source. */
export function migrationRules(from: ReplicaNode, to: ReplicaNode): readonly BrokenRule[] {
  const refused = [...from.migrationTags].filter((tag) => !to.receivableMigrationTags.has(tag));
  const way = `${from.record.alias} to ${to.record.alias}`;
  return brokenOf(
    refused.length > 0 && broken('migration-tags', `${way}: ${refused.join(', ')} is not taken in`),
  );
}
