/**
 * A refusal of a node with its figures, for people: which rule it was, what was needed and what there was.
 *
 * The search only hands on codes; here the rules are asked once more. The first that says no with the same
 * code is the one. Rule names are those of docs/reference/rules.md.
 */
import {
  FAIL_CPU,
  FAIL_MEM,
  FAIL_MODES,
  FAIL_SPINDLES,
  type FailCode,
  type FailModeName,
} from '../../../cluster/refusal.ts';
import { type Refusal, RULES, type RuleName } from '../../../cluster/rules.ts';
import { type Instance, type PoolId, totalSpindles } from '../../../cluster/snapshot.ts';
import { policyRefusalOn } from '../../../model/rules/policy.ts';
import { explainPoolSpace, poolSpaceRefusal } from '../../../model/rules/pool-space.ts';
import { primaryReason, secondaryReason } from '../../../model/rules/refusals.ts';
import { type ClusterState, HAS_SECONDARY } from '../../../model/state/state.ts';

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
  const policy = (): ExplainedRefusal => ({
    mode,
    rule: 'policy',
    node,
    ...policyFigures(state, i, node, code),
  });
  if (isNew && role.kind === 'primary') {
    if (policyRefusalOn(state, i, node) === code) return policy();
    if (poolSpaceRefusal(state, i) === code) return { ...explainPoolSpace(state, i), node };
  }
  if (code === RULES['pool-access'].code && !state.reaches(i, node))
    return { mode, rule: 'pool-access', node, pool: state.storage?.poolAt(state.storageRow[i]!)?.id };
  if (code === RULES.secondary.code && role.kind === 'secondary' && !(state.flags[i]! & HAS_SECONDARY))
    return { mode, rule: 'secondary', node };
  const isAsked = (rule: RuleName): boolean => RULES[rule].code === code;
  const reason =
    role.kind === 'primary'
      ? primaryReason(state, i, node, isAsked)
      : secondaryReason(state, i, node, role.primary, isAsked);
  if (!reason) return policy();
  const { rule, needed, available, unit } = reason;
  return { mode, rule, node, needed, available: available && Math.max(0, available), unit };
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
