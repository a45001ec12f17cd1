/**
 * Proofs that nodes can be left, kept for as long as they hold: as long as the node stays as it is, and the
 * nodes that the proof counts on keep more room than it needs of them.
 */
import { kept } from '../../../../kit/kept.ts';
import * as F from '../../state/node-fields.ts';
import type { ClusterState } from '../../state/state.ts';

/** A node that a proof counts on, and what it must have more of than that (MiB). */
export interface Ground {
  readonly node: number;
  readonly mem: number;
  readonly disk: number;
}

/** Numbers of a claim: the node whose proof it is, memory, disk. */
const WIDTH = 3;

export class Proofs {
  /** By node, the nodes that its proof counts on. */
  private readonly grounds = new Map<number, readonly number[]>();
  /** By node, the claims of the proofs that count on it, one after the other. */
  private readonly claims = new Map<number, number[]>();
  /** By group, nodes of which no proof is known. */
  private readonly unproven = new Map<number, Set<number>>();

  /** @param nodes those that must be evacuable */
  constructor(
    private readonly state: ClusterState,
    nodes: readonly number[],
  ) {
    for (const n of nodes) this.unprovenWith(n).add(n);
  }

  /** Nodes of the group of which no proof is known. */
  unprovenOf(group: number): ReadonlySet<number> {
    return this.unproven.get(group) ?? new Set();
  }

  /** Keeps a proof about one of the nodes. */
  note(node: number, grounds: readonly Ground[]): void {
    this.drop(node);
    this.unprovenWith(node).delete(node);
    this.grounds.set(
      node,
      grounds.map((ground) => ground.node),
    );
    for (const ground of grounds)
      kept(this.claims, ground.node, (): number[] => []).push(node, ground.mem, ground.disk);
  }

  /** Nodes whose proofs need more room on that node than it has as the state stands, refreshed or not. */
  brokenBy(ground: number): number[] {
    const broken: number[] = [];
    const claims = this.claims.get(ground) ?? [];
    const at = ground * F.NODE_STRIDE;
    const mem = this.state.nodeFields[at + F.FREE_MEM]!;
    const disk = this.state.nodeFields[at + F.FREE_DISK]!;
    for (let k = 0; k < claims.length; k += WIDTH)
      if (!(mem > claims[k + 1]! && disk > claims[k + 2]!)) broken.push(claims[k]!);
    return broken;
  }

  /** Drops the proofs that do not hold any more after these nodes changed. */
  refresh(changed: readonly number[]): void {
    for (const n of changed) for (const k of [n, ...this.brokenBy(n)]) this.drop(k);
  }

  private drop(node: number): void {
    const grounds = this.grounds.get(node);
    if (!grounds) return;
    for (const ground of grounds) {
      const claims = this.claims.get(ground)!;
      let k = claims.length - WIDTH;
      while (k > 0 && claims[k] !== node) k -= WIDTH;
      // One for each time that the proof names this ground; `copyWithin` took longer than all the rest.
      for (let last = claims.length - WIDTH; last < claims.length; last++) claims[k++] = claims[last]!;
      claims.length -= WIDTH;
    }
    this.grounds.delete(node);
    this.unprovenWith(node).add(node);
  }

  private unprovenWith(node: number): Set<number> {
    return kept(this.unproven, this.state.groupOf[node]!, () => new Set());
  }
}
