/** Edits of what nodes, instances and groups are told: tags, policies; and of what the score goes by. */
import { itemFault } from '../../../kit/name-faults.ts';
import { METRIC_NAMES, METRIC_TABLE } from '../metric-table.ts';
import { ALLOC_POLICIES, type InstancePolicy } from '../snapshot.ts';
import { DISK_TEMPLATES, isDiskTemplate } from '../templates.ts';
import type { Draft } from './draft.ts';
import type { EditLine } from './edit-line.ts';

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

const RATIOS = { 'vcpu-ratio': 'vcpuRatio', 'spindle-ratio': 'spindleRatio' } as const;

/** The policy after the line's settings; undefined after a complaint. */
function changedPolicy(policy: InstancePolicy, edit: EditLine): InstancePolicy | undefined {
  let after = policy;
  for (const [field, text] of edit.settings) {
    if (field === 'templates') {
      const templates = text.split(',');
      const unknown = templates.find((one) => !isDiskTemplate(one));
      if (unknown !== undefined)
        return edit.complain(
          field,
          unknown,
          'is not a disk template',
          `write some of ${DISK_TEMPLATES.join(',')}`,
        );
      after = { ...after, diskTemplates: templates.filter(isDiskTemplate) };
    } else if (field in RATIOS) {
      const key = RATIOS[field as keyof typeof RATIOS];
      const amount = edit.amount(text, field, 'number');
      if (amount === undefined) return undefined;
      const value = amount(policy[key]);
      if (!(value > 0)) return edit.complain(field, text, `leaves ${value}`, 'leave more than 0');
      after = { ...after, [key]: value };
    }
  }
  return after;
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

/** What a metric of the score weighs; 0 for nothing. */
export function weighMetrics(draft: Draft, edit: EditLine): undefined {
  for (const name of METRIC_NAMES) {
    const text = edit.settings.get(name);
    if (text === undefined) continue;
    const amount = edit.amount(text, name, 'number');
    if (amount === undefined) continue;
    const before = draft.weights[name] ?? METRIC_TABLE[name].weight;
    const weight = amount(before);
    if (weight < 0) edit.complain(name, text, `leaves ${weight}`, `take off ${before} at most`);
    else draft.weights = { ...draft.weights, [name]: weight };
  }
}
