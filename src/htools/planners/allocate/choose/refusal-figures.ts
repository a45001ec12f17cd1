/**
 * A refusal of a node with its figures, for people: which rule it was, what was needed and what there was.
 *
 * The search only hands on codes; here the rules are gone through once more, in words. The first that says no
 * with the same code is the one. Rule names are those of docs/reference/rules.md.
 */
import {
  ALLOWED,
  FAIL_CPU,
  FAIL_MEM,
  FAIL_MODES,
  FAIL_SPINDLES,
  type FailCode,
  type FailModeName,
} from '../../../cluster/refusal.ts';
import { type Refusal, RULES, type RuleName } from '../../../cluster/rules.ts';
import { type Instance, type PoolId, totalSpindles } from '../../../cluster/snapshot.ts';
import { type DiskBooks, REAL, WITH_FORTHCOMING } from '../../../model/rules/admission.ts';
import { barOf } from '../../../model/rules/bars.ts';
import { memNeedOf } from '../../../model/rules/memory.ts';
import { reservationOf } from '../../../model/rules/n-plus-one.ts';
import { policyRefusal } from '../../../model/rules/policy.ts';
import { explainPoolSpace, poolSpaceRefusal } from '../../../model/rules/pool-space.ts';
import { setRefusal } from '../../../model/rules/sets.ts';
import * as F from '../../../model/state/node-fields.ts';
import {
  type ClusterState,
  HAS_SECONDARY,
  IS_FORTHCOMING,
  USES_CPU,
  USES_NODE_DISK,
} from '../../../model/state/state.ts';

interface Check {
  readonly rule: RuleName;
  /** Where the rule's failures are of several kinds. */
  readonly code?: FailCode;
  readonly fails: boolean;
  readonly needed?: number | undefined;
  readonly available?: number | undefined;
  readonly unit?: string | undefined;
  readonly pool?: PoolId | undefined;
}

/** A refusal, and the storage pool where it is about one. */
export interface ExplainedRefusal extends Refusal {
  readonly pool?: PoolId | undefined;
}

/** Whether the node was to be primary, or secondary of an instance with that primary. */
export type Role = { readonly kind: 'primary' } | { readonly kind: 'secondary'; readonly primary: number };

/**
 * Explains why a node refused an instance with that code. The state must be as it was then.
 * @param isNew whether the instance comes from outside its group, so that policies and the room in its pool
 *   are asked as well
 */
export function explainRefusal(
  state: ClusterState,
  i: number,
  node: number,
  role: Role,
  code: FailCode,
  isNew = true,
): ExplainedRefusal {
  const mode = FAIL_MODES[code] as FailModeName;
  const checks =
    role.kind === 'primary' ? primaryChecks(state, i, node) : secondaryChecks(state, i, node, role.primary);
  const asked = isNew ? checks : checks.filter(({ rule }) => rule !== 'policy' && rule !== 'pool-space');
  const found = asked.find((check) => check.fails && (check.code ?? RULES[check.rule].code) === code);
  if (!found) return { mode, rule: 'policy', node, ...policyFigures(state, i, node, code) };
  const { rule, needed, available, unit, pool } = found;
  return { mode, rule, node, needed, available, unit, pool };
}

function primaryChecks(state: ClusterState, i: number, node: number): Check[] {
  const policy = policyCheck(state, i, node);
  const f = state.nodeFields;
  const at = node * F.NODE_STRIDE;
  const vcpus = state.flags[i]! & USES_CPU ? state.vcpus[i]! : 0;
  const cpuRoom = state.vcpuRatio[node]! * state.totalCpu[node]!;
  const limitsCpu = state.vcpuRatio[node]! >= 0;
  const cpu = (field: number): Check => ({
    rule: 'vcpu-ratio',
    fails: limitsCpu && state.vcpuRatio[node]! < (f[at + field]! + vcpus) / state.totalCpu[node]!,
    needed: vcpus,
    available: Math.max(0, cpuRoom - f[at + field]!),
    unit: 'vcpus',
  });
  const mem = (needed: number, available: number, rule: RuleName): Check => ({
    rule,
    fails: available - needed <= 0,
    needed,
    available,
    unit: 'MiB',
  });
  const used = memNeedOf(state, i);
  const free = f[at + F.FREE_MEM]!;
  const ofSet = setRefusal(state, i, node);
  const now: Check[] = [
    mem(used, free, 'memory'),
    ...diskChecks(state, i, node, REAL),
    mem(used, free - f[at + F.RESERVED_MEM]!, 'n-plus-one'),
    cpu(F.USED_CPU),
    { rule: 'exclusion-tags', fails: state.tags.conflicts(i, node) },
    ...(ofSet ? [{ rule: ofSet, fails: true }] : []),
  ];
  return [
    ...policy,
    ...poolSpaceCheck(state, i),
    poolCheck(state, i, node),
    barCheck(state, i, node),
    ...(state.flags[i]! & IS_FORTHCOMING ? [] : now),
    mem(state.mem[i]!, f[at + F.FREE_MEM_FORTHCOMING]!, 'memory'),
    ...diskChecks(state, i, node, WITH_FORTHCOMING),
    cpu(F.USED_CPU_FORTHCOMING),
  ];
}

function secondaryChecks(state: ClusterState, i: number, node: number, primary: number): Check[] {
  const f = state.nodeFields;
  const at = node * F.NODE_STRIDE;
  const reserved = reservationOf(state, i);
  const free = f[at + F.FREE_MEM]!;
  const peer = state.peers.get(node, primary);
  const hasSecondary = (state.flags[i]! & HAS_SECONDARY) !== 0;
  const memory = (available: number, rule: RuleName): Check => ({
    rule,
    fails: reserved >= available,
    needed: reserved,
    available: Math.max(0, available),
    unit: 'MiB',
  });
  return [
    poolCheck(state, i, node),
    barCheck(state, i, node),
    { rule: 'secondary', fails: !hasSecondary },
    ...diskChecks(state, i, node, REAL),
    memory(free, 'failover-memory'),
    memory(free - Math.max(peer, f[at + F.RESERVED_MEM]! - reserved), 'n-plus-one'),
    ...diskChecks(state, i, node, WITH_FORTHCOMING),
    memory(f[at + F.FREE_MEM_FORTHCOMING]!, 'failover-memory'),
  ];
}

function diskChecks(state: ClusterState, i: number, node: number, books: DiskBooks): Check[] {
  if (!(state.flags[i]! & USES_NODE_DISK)) return [];
  const f = state.nodeFields;
  const at = node * F.NODE_STRIDE;
  const needed = state.disk[i]!;
  const free = f[at + books.freeDisk]!;
  const keep = state.lowDisk[node]!;
  const spindles = state.diskSpindles[i]!;
  const isExclusive = state.isExclusive[node] === 1;
  const freeSpindles = f[at + books.freeSpindles]!;
  const spindleRoom = state.highSpindles[node]! - f[at + books.usedSpindles]!;
  return [
    { rule: 'disk', fails: free - needed <= 0, needed, available: free, unit: 'MiB' },
    {
      rule: 'disk-reserve',
      fails: free - needed < keep,
      needed,
      available: Math.max(0, free - keep),
      unit: 'MiB',
    },
    {
      rule: 'spindles',
      fails: isExclusive && !(freeSpindles - spindles >= 0),
      ...(Number.isNaN(spindles) ? {} : { needed: spindles }),
      available: freeSpindles,
      unit: 'spindles',
    },
    {
      rule: 'spindle-ratio',
      fails: !isExclusive && state.spindleUse[i]! > spindleRoom,
      needed: state.spindleUse[i]!,
      available: Math.max(0, spindleRoom),
      unit: 'spindles',
    },
  ];
}

/** Tags that pin the instance elsewhere, or keep it off the node. */
function barCheck(state: ClusterState, i: number, node: number): Check {
  const bar = barOf(state, i, node);
  return { rule: bar?.rule ?? 'pinned', fails: bar !== undefined };
}

const poolCheck = (state: ClusterState, i: number, node: number): Check => ({
  rule: 'pool-access',
  fails: !state.reaches(i, node),
  pool: state.storage?.poolAt(state.storageRow[i]!)?.id,
});

/** The pool of a new instance, which has no room for it anywhere. */
const poolSpaceCheck = (state: ClusterState, i: number): Check[] =>
  poolSpaceRefusal(state, i) === ALLOWED ? [] : [{ ...explainPoolSpace(state, i), fails: true }];

function policyCheck(state: ClusterState, i: number, node: number): Check[] {
  const { group, hasExclusiveStorage } = state.snapshot.nodes[node]!;
  const { policy } = state.snapshot.groups[group]!;
  const code = policyRefusal(state.instanceRecord(i), policy, hasExclusiveStorage);
  return [{ code, rule: 'policy', fails: code !== 0, ...policyFigures(state, i, node, code) }];
}

/** The figure that the policy looks at, and the bound of its first range on the side that was missed. */
function policyFigures(
  state: ClusterState,
  i: number,
  node: number,
  code: FailCode,
): { needed?: number; available?: number; unit?: string } {
  const instance = state.instanceRecord(i);
  const { group, hasExclusiveStorage } = state.snapshot.nodes[node]!;
  const range = state.snapshot.groups[group]!.policy.ranges[0];
  const figure = policyFigure(instance, code, hasExclusiveStorage);
  if (!range || !figure) return {};
  const { needed, unit, bound } = figure;
  return { needed, available: needed < range.min[bound] ? range.min[bound] : range.max[bound], unit };
}

function policyFigure(instance: Instance, code: FailCode, isExclusive: boolean) {
  switch (code) {
    case FAIL_MEM:
      return { needed: instance.memMib, unit: 'MiB', bound: 'memoryMib' as const };
    case FAIL_CPU:
      return { needed: instance.vcpus, unit: 'vcpus', bound: 'cpuCount' as const };
    case FAIL_SPINDLES: {
      const needed = isExclusive ? totalSpindles(instance) : instance.spindleUse;
      return needed === undefined ? undefined : { needed, unit: 'spindles', bound: 'spindleUse' as const };
    }
    default:
      return undefined;
  }
}
