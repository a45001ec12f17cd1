/** A cluster that is being edited: lists found by name, and what instances take of their nodes. */
import { usesMemory } from '../instance-status.ts';
import type { ChangedWeights } from '../metric-table.ts';
import { isFound, lookupName } from '../names.ts';
import {
  type Group,
  type InstancePolicy,
  NO_NODE,
  type RawInstance,
  type RawNode,
  type RawSnapshot,
} from '../snapshot.ts';
import { hasSecondary, usesNodeDisk } from '../templates.ts';
import type { EditLine } from './edit-line.ts';

/** As they stand, from the number on that the first one had. */
const renumbered = <T extends { readonly index: number }>(now: readonly T[], before: readonly T[]): T[] =>
  now.map((one, at) => ({ ...one, index: (before[0]?.index ?? 0) + at }));

export class Draft {
  groups: Group[];
  nodes: RawNode[];
  instances: RawInstance[];
  tags: readonly string[];
  policy: InstancePolicy;
  weights: ChangedWeights;
  private readonly original: RawSnapshot;

  constructor(snapshot: RawSnapshot) {
    this.original = snapshot;
    this.groups = [...snapshot.groups];
    this.nodes = [...snapshot.nodes];
    this.instances = [...snapshot.instances];
    this.tags = snapshot.tags;
    this.policy = snapshot.policy;
    this.weights = snapshot.weights ?? {};
  }

  /** The edited cluster. Numbers that the stock programs show follow the places, as in a file. */
  snapshot(): RawSnapshot {
    return {
      ...this.original,
      groups: renumbered(this.groups, this.original.groups),
      nodes: renumbered(this.nodes, this.original.nodes),
      instances: renumbered(this.instances, this.original.instances),
      tags: this.tags,
      policy: this.policy,
      ...(Object.keys(this.weights).length > 0 && { weights: this.weights }),
    };
  }

  group(name: string, field: string, edit: EditLine): number | undefined {
    const byUuid = this.groups.findIndex((group) => group.uuid === name);
    return byUuid >= 0 ? byUuid : this.find(this.groups, 'group', name, field, edit);
  }

  node(name: string, field: string, edit: EditLine): number | undefined {
    return this.find(this.nodes, 'node', name, field, edit);
  }

  instance(name: string, field: string, edit: EditLine): number | undefined {
    return this.find(this.instances, 'instance', name, field, edit);
  }

  private find(
    list: readonly { readonly name: string }[],
    what: string,
    name: string,
    field: string,
    edit: EditLine,
  ): number | undefined {
    const names = list.map((one) => one.name);
    const match = lookupName(names, name);
    if (isFound(match)) return names.indexOf(match.name);
    if (match.kind === 'several')
      return edit.complain(field, name, `is the beginning of several ${what}s`, 'write its whole name');
    const example = names[0] === undefined ? '' : `, such as ${names[0]}`;
    const remedy = `name one of its ${what}s${example}`;
    return edit.complain(field, name, `is no ${what} of the cluster`, remedy);
  }

  hasNode(name: string): boolean {
    return this.nodes.some((node) => node.name === name);
  }

  hasInstance(name: string): boolean {
    return this.instances.some((instance) => instance.name === name);
  }

  /** Takes what an instance needs from its nodes' free figures (1), or gives it back (-1). */
  book(instance: RawInstance, change: 1 | -1): void {
    const { primary, secondary, diskTemplate } = instance;
    const memMib = usesMemory(instance) ? instance.memMib : 0;
    if (primary !== NO_NODE) {
      const node = this.nodes[primary]!;
      this.nodes[primary] = { ...node, freeMemMib: node.freeMemMib - change * memMib };
    }
    if (instance.isForthcoming || !usesNodeDisk(diskTemplate)) return;
    const spindles = instance.disks.reduce((sum, disk) => sum + (disk.spindles ?? 0), 0);
    for (const n of [primary, hasSecondary(diskTemplate) ? secondary : NO_NODE]) {
      if (n === NO_NODE) continue;
      const node = this.nodes[n]!;
      this.nodes[n] = {
        ...node,
        freeDiskMib: node.freeDiskMib - change * instance.diskMib,
        freeSpindles: node.hasExclusiveStorage ? node.freeSpindles - change * spindles : node.freeSpindles,
      };
    }
  }

  /** Puts another record in an instance's place, and the difference on its nodes' books. */
  replaceInstance(at: number, instance: RawInstance): void {
    this.book(this.instances[at]!, -1);
    this.instances[at] = instance;
    this.book(instance, 1);
  }

  dropInstances(isDropped: (instance: RawInstance) => boolean): void {
    for (const instance of this.instances) if (isDropped(instance)) this.book(instance, -1);
    this.instances = this.instances.filter((instance) => !isDropped(instance));
  }

  /** Takes nodes out; no instance may be left on them. */
  dropNodes(dropped: ReadonlySet<number>): void {
    const places = new Map<number, number>();
    this.nodes = this.nodes.filter((_, n) => {
      if (dropped.has(n)) return false;
      places.set(n, places.size);
      return true;
    });
    const placeOf = (n: number): number => places.get(n) ?? NO_NODE;
    this.instances = this.instances.map((instance) => ({
      ...instance,
      primary: placeOf(instance.primary),
      secondary: placeOf(instance.secondary),
    }));
  }

  /** Takes a group without nodes out. */
  dropGroup(at: number): void {
    this.groups.splice(at, 1);
    this.nodes = this.nodes.map((node) => (node.group > at ? { ...node, group: node.group - 1 } : node));
  }
}
