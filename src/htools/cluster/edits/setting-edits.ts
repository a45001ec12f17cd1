/** Edits of what nodes, instances and groups are told: tags, policies; and of what the score goes by. */
import { itemFault } from '../../../kit/name-faults.ts';
import { RATIO } from '../../../kit/ranges.ts';
import { METRIC_NAMES, METRIC_TABLE, type MetricName } from '../metric-table.ts';
import { ALLOC_POLICIES, type InstancePolicy } from '../snapshot.ts';
import { DISK_TEMPLATES, isDiskTemplate } from '../templates.ts';
import type { Draft } from './draft.ts';
import { type EditLine, number } from './edit-line.ts';

/** The tags after the line; undefined after a complaint. */
function retagged(tags: readonly string[], edit: EditLine): string[] | undefined {
  const after = [...tags];
  if (edit.tags.length === 0)
    return edit.complain('tag', undefined, 'is not said', 'write +TAG to add one, -TAG to take one off');
  for (const { isAdded, tag } of edit.tags) {
    const fault = itemFault(tag);
    if (fault) return edit.complain('tag', tag, fault.problem, fault.remedy);
    const at = after.indexOf(tag);
    if (isAdded && at < 0) after.push(tag);
    else if (!isAdded && at >= 0) after.splice(at, 1);
    else {
      const problem = isAdded ? 'is there already' : 'is not there';
      const remedy = after.length > 0 ? `the tags are ${after.join(', ')}` : 'there is no tag';
      return edit.complain('tag', tag, problem, remedy);
    }
  }
  return after;
}

export function tagCluster(draft: Draft, edit: EditLine): undefined {
  draft.tags = retagged(draft.tags, edit) ?? draft.tags;
}

export const tagOf =
  (what: 'group' | 'node' | 'instance') =>
  (draft: Draft, at: number, edit: EditLine): undefined => {
    const list: { tags: readonly string[] }[] = draft[`${what}s`];
    const tags = retagged(list[at]!.tags, edit);
    if (tags) list[at] = { ...list[at]!, tags };
  };

const A_RATIO = number({ ...RATIO, min: Number.MIN_VALUE });
const RATIOS = { 'vcpu-ratio': A_RATIO, 'spindle-ratio': A_RATIO };

/** The policy after the line's settings; undefined after a complaint. */
function changedPolicy(policy: InstancePolicy, edit: EditLine): InstancePolicy | undefined {
  const { vcpuRatio, spindleRatio } = policy;
  const after = edit.amounts({ 'vcpu-ratio': vcpuRatio, 'spindle-ratio': spindleRatio }, RATIOS);
  const templates = edit.settings.get('templates')?.split(',') ?? policy.diskTemplates;
  const unknown = templates.find((one) => !isDiskTemplate(one));
  if (unknown !== undefined)
    return edit.complain(
      'templates',
      unknown,
      'is not a disk template',
      `write some of ${DISK_TEMPLATES.join(',')}`,
    );
  return (
    after && {
      ...policy,
      vcpuRatio: after['vcpu-ratio'],
      spindleRatio: after['spindle-ratio'],
      diskTemplates: templates.filter(isDiskTemplate),
    }
  );
}

export function policyOfGroup(draft: Draft, at: number, edit: EditLine): undefined {
  const group = draft.groups[at]!;
  const policy = changedPolicy(group.policy, edit);
  const allocationWord = edit.settings.get('allocation') ?? group.allocPolicy;
  const allocPolicy = edit.oneOf(ALLOC_POLICIES, allocationWord, 'allocation', 'allocation policy');
  if (policy && allocPolicy) draft.groups[at] = { ...group, policy, allocPolicy };
}

/** For hspace; groups have their own. */
export function policyOfCluster(draft: Draft, edit: EditLine): undefined {
  draft.policy = changedPolicy(draft.policy, edit) ?? draft.policy;
}

/** Far more than any metric needs to be all that counts. */
const MOST_WEIGHT = 1e9;
const A_WEIGHT = number({ min: 0, max: MOST_WEIGHT, unit: 'a weight' });

const ofMetrics = <T>(of: (name: MetricName) => T) =>
  Object.fromEntries(METRIC_NAMES.map((name) => [name, of(name)])) as Record<MetricName, T>;

/** What a metric of the score weighs; 0 for nothing. */
export function weighMetrics(draft: Draft, edit: EditLine): undefined {
  const before = ofMetrics((name) => draft.weights[name] ?? METRIC_TABLE[name].weight);
  const after = edit.amounts(
    before,
    ofMetrics(() => A_WEIGHT),
  );
  if (!after) return;
  const changed = METRIC_NAMES.filter((name) => edit.settings.has(name));
  draft.weights = { ...draft.weights, ...Object.fromEntries(changed.map((name) => [name, after[name]])) };
}
