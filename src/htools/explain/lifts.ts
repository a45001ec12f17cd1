/**
 * What would lift a refusal, in the words of `--what-if`: changes are made one after the other until the
 * rules allow the move, so that what is said is true of the changed cluster.
 */
import { InputError } from '../../kit/faults.ts';
import { applyEdits } from '../cluster/edits/apply-edits.ts';
import { type Resource, ruleOf } from '../cluster/rules.ts';
import type { Instance, Snapshot } from '../cluster/snapshot.ts';
import { ClusterState } from '../model/state/state.ts';
import type { RuleRefusal } from '../results/parts/explanation.ts';

/** More changes are not proposed for one move: nobody would make them. */
const MOST_CHANGES = 8;

/** A refused move, rule by rule, and the changes that let it through. */
export interface Lifted {
  readonly refusals: readonly RuleRefusal[];
  readonly lift: readonly string[] | null;
}

/** A change of a node's hardware, or other words. */
export type Change =
  | { readonly node: string; readonly resource: Resource; readonly amount: number }
  | { readonly words: string };

/** In the words of `--what-if`. Several of one node are one change, since a node is resized once. */
export function editWords(changes: readonly Change[]): string[] {
  const sums = new Map<string, number>();
  for (const change of changes) {
    const key = 'words' in change ? change.words : `resize node ${change.node} ${change.resource}=`;
    sums.set(key, (sums.get(key) ?? 0) + ('words' in change ? 0 : change.amount));
  }
  return [...sums].map(([key, amount]) => (amount > 0 ? `${key}+${amount}` : key));
}

/** The changes that do away with one refusal; undefined where no change of the cluster does. */
function changesFor(snapshot: Snapshot, instance: Instance, refusal: RuleRefusal): Change[] | undefined {
  const { node, needed, available, detail } = refusal;
  const lift = ruleOf(refusal.rule)?.lift;
  if (lift === undefined) return undefined;
  if ('more' in lift) {
    if (needed === undefined || available === undefined || lift.more === 'pool') return undefined;
    const missing = Math.max(1, Math.ceil(needed - available + (lift.mustLeaveSome ? 1 : 0)));
    const record = snapshot.nodes.find(({ name }) => name === node)!;
    const amount = Math.ceil(missing / lift.perUnit(record, snapshot.groups[record.group]!.policy));
    return Number.isFinite(amount) ? [{ node, resource: lift.more, amount }] : undefined;
  }
  const tags = detail?.split(', ') ?? [];
  if (tags.length === 0) return undefined;
  switch (lift.tag) {
    case 'migration of node':
      return tags.map((tag) => ({ words: `tag node ${node} +${tag}` }));
    case 'pool of node':
      return [{ words: `tag node ${node} +htools:storagepool:${detail}` }];
    case 'instance':
      return tags.map((tag) => ({ words: `tag instance ${instance.name} -${tag}` }));
  }
}

/** The cluster with changes after its preparation. @param words that add or remove no nodes or instances */
export function withChanges(snapshot: Snapshot, words: readonly string[]): Snapshot {
  const changed = applyEdits(snapshot, [{ source: 'lift', text: words.join('\n') }]);
  const nodes = changed.nodes.map((node, n) => {
    const was = snapshot.nodes[n]!;
    return { ...was, ...node, minFreeDiskRatio: node.minFreeDiskRatio ?? was.minFreeDiskRatio };
  });
  const instances = changed.instances.map((one, i) => {
    const was = snapshot.instances[i]!;
    const exclusionTags = was.exclusionTags.filter((tag) => one.tags.includes(tag));
    return { ...was, ...one, utilisation: one.utilisation ?? was.utilisation, exclusionTags };
  });
  return { ...snapshot, ...changed, nodes, instances };
}

/** As above; undefined where no node can have so much, or the words cannot name what they are about. */
function stateWith(snapshot: Snapshot, words: readonly string[]): ClusterState | undefined {
  try {
    return new ClusterState(withChanges(snapshot, words));
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/**
 * Why a move is refused, and what would let it through. @param refusalOn what refuses it on a changed cluster
 * @param first what refuses it on this one, where the instance is where it is now
 */
export function liftsOf(
  snapshot: Snapshot,
  instance: number,
  refusalOn: (changed: ClusterState) => RuleRefusal | undefined,
  first: RuleRefusal,
): Lifted {
  const record = snapshot.instances[instance]!;
  const refusals = [first];
  const changes: Change[] = [];
  for (let refusal: RuleRefusal | undefined = first; refusal !== undefined; ) {
    const next = changesFor(snapshot, record, refusal);
    if (!next || changes.length >= MOST_CHANGES) return { refusals, lift: null };
    changes.push(...next);
    const changed = stateWith(snapshot, editWords(changes));
    if (!changed) return { refusals, lift: null };
    refusal = refusalOn(changed);
    if (refusal && !refusals.some((one) => one.rule === refusal!.rule && one.node === refusal!.node))
      refusals.push(refusal);
  }
  return { refusals, lift: editWords(changes) };
}
