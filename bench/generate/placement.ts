/** Who is where while a cluster is being made, with the figures that decide what still fits. */
import { usesNodeDisk } from '../../src/htools/cluster/templates.ts';
import type { MadeInstance, MadeNode } from './made-cluster.ts';

export const NO_NODE = -1;
/** Memory that the hypervisor loses per node beside what it states, at most. */
export const OVERHEAD_MIB = 200;

/** Figures kept while a group is aged. */
interface Account {
  usedMemMib: number;
  usedDiskMib: number;
  /** Memory of the instances that would fail over here, by primary. */
  readonly peers: Map<number, number>;
  readonly primaries: Set<MadeInstance>;
}

/** Memory that must stay free for the failover of any one other node. */
export const reservedMib = (account: Account): number => Math.max(0, ...account.peers.values());

/** Where instances are and what the nodes hold. */
export class Placement {
  readonly nodes: readonly MadeNode[];
  readonly accounts: readonly Account[];

  constructor(nodes: readonly MadeNode[]) {
    this.nodes = nodes;
    this.accounts = nodes.map(() => ({
      usedMemMib: 0,
      usedDiskMib: 0,
      peers: new Map(),
      primaries: new Set(),
    }));
  }

  /** Room for a failover or a primary: what is used, what is asked, and what must stay reserved. */
  fits(position: number, memMib: number, reserveMib: number): boolean {
    const node = this.nodes[position]!;
    const used = this.accounts[position]!.usedMemMib;
    return used + memMib + reserveMib + node.nodeMemMib + OVERHEAD_MIB < node.totalMemMib;
  }

  hasDisk(position: number, instance: MadeInstance): boolean {
    if (!usesNodeDisk(instance.template)) return true;
    return (
      this.accounts[position]!.usedDiskMib + instance.diskMib < this.nodes[position]!.totalDiskMib * 0.98
    );
  }

  put(instance: MadeInstance, primary: number, secondary: number): void {
    instance.primary = primary;
    instance.secondary = secondary;
    this.count(instance, 1);
  }

  lift(instance: MadeInstance): void {
    this.count(instance, -1);
  }

  private count(instance: MadeInstance, sign: 1 | -1): void {
    const disk = usesNodeDisk(instance.template) ? instance.diskMib : 0;
    const home = this.accounts[instance.primary]!;
    home.usedMemMib += sign * instance.memMib;
    home.usedDiskMib += sign * disk;
    if (sign === 1) home.primaries.add(instance);
    else home.primaries.delete(instance);
    if (instance.secondary === NO_NODE) return;
    const refuge = this.accounts[instance.secondary]!;
    refuge.usedDiskMib += sign * disk;
    refuge.peers.set(instance.primary, (refuge.peers.get(instance.primary) ?? 0) + sign * instance.memMib);
  }
}
