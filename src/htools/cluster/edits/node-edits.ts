/** Edits of nodes and groups: add, remove, drain, resize. */
import { nameFault } from '../../../kit/name-faults.ts';
import * as W from '../../../kit/text/words.ts';
import type { RawInstance, RawNode } from '../snapshot.ts';
import type { Draft } from './draft.ts';
import { count, type EditLine, size } from './edit-line.ts';

/** More nodes at a time are a slip of the finger. */
const MOST_NODES = 1000;
const NAME_REMEDY = 'a name has no blank, comma or |, and starts with no dash or dot';

/** How many; undefined after a complaint. @param text empty: one */
function nodeCount(text: string, edit: EditLine): number | undefined {
  const nodes = text === '' ? 1 : Number(text);
  if (Number.isInteger(nodes) && nodes >= 1 && nodes <= MOST_NODES) return nodes;
  const remedy = `write a whole number from 1 to ${MOST_NODES}`;
  return edit.complain('count', text, 'is not a number of nodes', remedy);
}

/** Empty nodes of the same make. */
export function addNodes(draft: Draft, edit: EditLine): undefined {
  const words = edit.names.filter((word) => word !== 'like');
  const likeName = edit.settings.get('like') ?? words.pop();
  const many = nodeCount(words.join(' '), edit);
  if (many === undefined) return;
  if (likeName === undefined)
    return edit.complain('like', undefined, 'says no node to copy', 'write: add nodes 3 like node1');
  const like = draft.node(likeName, 'like', edit);
  const groupName = edit.settings.get('group');
  const group = groupName === undefined ? undefined : draft.group(groupName, 'group', edit);
  if (like === undefined || (groupName !== undefined && group === undefined)) return;
  const model = draft.nodes[like]!;
  const base = edit.settings.get('name');
  const fault = base === undefined ? undefined : nameFault(base);
  if (fault || base?.includes(','))
    return edit.complain('name', base, fault?.problem ?? 'holds a comma', NAME_REMEDY);
  for (let k = 0; k < many; k++) {
    const name = base !== undefined && many === 1 ? base : freeName(draft, base ?? model.name);
    if (draft.hasNode(name)) return edit.complain('name', name, 'is a node already', 'choose another name');
    draft.nodes.push(emptyLike(model, name, group ?? model.group));
  }
}

const emptyLike = (model: RawNode, name: string, group: number): RawNode => ({
  ...model,
  name,
  group,
  freeMemMib: Math.trunc(model.totalMemMib) - model.nodeMemMib,
  freeDiskMib: Math.trunc(model.totalDiskMib),
  freeSpindles: model.hasExclusiveStorage ? model.spindles : model.freeSpindles,
  isOffline: false,
  isMaster: false,
});

/** `node7-new1.example.com` for a node like `node7.example.com`: the first that is free. */
function freeName(draft: Draft, like: string): string {
  const dot = like.indexOf('.');
  const [host, domain] = dot < 0 ? [like, ''] : [like.slice(0, dot), like.slice(dot)];
  for (let k = 1; ; k++) {
    const name = `${host}-new${k}${domain}`;
    if (!draft.hasNode(name)) return name;
  }
}

/** Says that instances go with their nodes. */
const WITH_INSTANCES = 'with-instances';

const isOn = (instance: RawInstance, nodes: ReadonlySet<number>): boolean =>
  nodes.has(instance.primary) || nodes.has(instance.secondary);

/** Takes nodes out, with their instances where that is said; else they must be empty. */
function removeNodes(draft: Draft, nodes: ReadonlySet<number>, edit: EditLine): boolean {
  const [, word] = edit.names;
  if (word !== undefined && word !== WITH_INSTANCES) {
    edit.complain('change', edit.text, `has the word ${word} too many`, 'remove one after the other');
    return false;
  }
  const held = draft.instances.filter((instance) => isOn(instance, nodes));
  if (held.length > 0 && word === undefined) {
    edit.complain(
      'name',
      edit.names[0],
      `still has ${W.count(held.length, 'instance')}, ${held[0]!.name} the first`,
      `drain it to see where they would go, or add the word ${WITH_INSTANCES} to take them away as well`,
    );
    return false;
  }
  draft.dropInstances((instance) => isOn(instance, nodes));
  draft.dropNodes(nodes);
  return true;
}

export function removeNode(draft: Draft, at: number, edit: EditLine): undefined {
  if (draft.nodes.length === 1)
    return edit.complain('name', edit.names[0], 'is the last node', 'add another one first');
  removeNodes(draft, new Set([at]), edit);
}

const nodesOf = (draft: Draft, group: number): Set<number> =>
  new Set(draft.nodes.flatMap((node, n) => (node.group === group ? [n] : [])));

/** With all its nodes. */
export function removeGroup(draft: Draft, at: number, edit: EditLine): undefined {
  if (draft.groups.length === 1) return edit.complain('name', edit.names[0], 'is the last group', 'leave it');
  if (removeNodes(draft, nodesOf(draft, at), edit)) draft.dropGroup(at);
}

const drained = (node: RawNode, isOffline: boolean): RawNode => ({
  ...node,
  isOffline,
  isReachable: node.isOffline ? node.isReachable : true,
});

/** It takes nothing new, and what it has is to go (or comes back). */
export const drainNode =
  (isOffline: boolean) =>
  (draft: Draft, edit: EditLine): undefined => {
    for (const name of edit.names) {
      const at = draft.node(name, 'name', edit);
      if (at !== undefined) draft.nodes[at] = drained(draft.nodes[at]!, isOffline);
    }
  };

/** The same for all nodes of a group. */
export const drainGroup =
  (isOffline: boolean) =>
  (draft: Draft, at: number): undefined => {
    for (const n of nodesOf(draft, at)) draft.nodes[n] = drained(draft.nodes[n]!, isOffline);
  };

/** Sizes of a node by the words of the edits. */
const SIZES = { memory: size(), disk: size(), cpus: count(), spindles: count() };

/** New hardware; what is free changes with it. */
export function resizeNode(draft: Draft, at: number, edit: EditLine): undefined {
  const node = draft.nodes[at]!;
  const { totalMemMib, totalDiskMib, totalCpus, spindles, freeSpindles } = node;
  const after = edit.amounts({ memory: totalMemMib, disk: totalDiskMib, cpus: totalCpus, spindles }, SIZES);
  if (!after) return;
  draft.nodes[at] = {
    ...node,
    totalMemMib: after.memory,
    freeMemMib: node.freeMemMib + (after.memory - totalMemMib),
    totalDiskMib: after.disk,
    freeDiskMib: node.freeDiskMib + (after.disk - totalDiskMib),
    totalCpus: after.cpus,
    spindles: after.spindles,
    freeSpindles: node.hasExclusiveStorage ? freeSpindles + (after.spindles - spindles) : freeSpindles,
  };
}
