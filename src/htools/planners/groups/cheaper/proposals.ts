/** What is drawn at random: instances to try next, and homes for them, with new nodes or in other groups. */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import {
  ANY_PRIMARY,
  primaryRefusal,
  primaryRoomRefusal,
  secondaryRefusal,
} from '../../../model/rules/admission.ts';
import { policyRefusalOn } from '../../../model/rules/policy.ts';
import type { RandomStream } from '../../anneal/random.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import type { Home } from '../relocate/relocation.ts';
import type { Aim } from './aim.ts';

const WRONG_SHARE = 0.45;
const MOVED_SHARE = 0.35;

/** A set of small numbers from which one can be drawn. */
class DrawSet {
  readonly all: number[] = [];
  private readonly places = new Map<number, number>();

  has(value: number): boolean {
    return this.places.has(value);
  }

  set(value: number, isMember: boolean): void {
    if (isMember === this.places.has(value)) return;
    if (isMember) {
      this.places.set(value, this.all.length);
      this.all.push(value);
      return;
    }
    const at = this.places.get(value)!;
    const last = this.all.pop()!;
    this.places.delete(value);
    if (last === value) return;
    this.all[at] = last;
    this.places.set(last, at);
  }

  draw(random: RandomStream): number {
    return this.all[random.below(this.all.length)]!;
  }
}

export class Residents {
  private readonly mayMove: Uint8Array;
  /** Nodes with something wrong, and instances that are not where they were. */
  readonly wrong = new DrawSet();
  readonly moved = new DrawSet();

  constructor(
    private readonly cluster: SuperCluster,
    private readonly movable: readonly number[],
    private readonly random: RandomStream,
  ) {
    this.mayMove = new Uint8Array(cluster.state.instanceCount);
    for (const i of movable) this.mayMove[i] = 1;
  }

  /** An instance that may move. */
  draw(): number {
    const { random, wrong, moved, movable } = this;
    const chance = random.unit();
    if (chance < WRONG_SHARE && wrong.all.length > 0) {
      const found = this.on(wrong.draw(random));
      if (found !== undefined) return found;
    } else if (chance < WRONG_SHARE + MOVED_SHARE && moved.all.length > 0) return moved.draw(random);
    return movable[random.below(movable.length)]!;
  }

  /** An instance on a node that may move; undefined where none was drawn. */
  on(node: number): number | undefined {
    const { primaries, secondaries } = this.cluster.state;
    const all = primaries[node]!.length + secondaries[node]!.length;
    if (all === 0) return undefined;
    const at = this.random.below(all);
    const first = primaries[node]!.length;
    const i = at < first ? primaries[node]![at]! : secondaries[node]![at - first]!;
    return this.mayMove[i] ? i : undefined;
  }
}

/** How often a moved instance is drawn back home, and one that may leave its group elsewhere. */
const BACK_SHARE = 0.25;
const ACROSS_SHARE = 0.3;
/** How often two new nodes are drawn in the group though one would do, and nodes change roles. */
const APART_SHARE = 0.1;
const SWAP_SHARE = 0.2;
/** Nodes of which the one with the most free memory is taken, half of the time. */
const NODES_COMPARED = 3;

export class Proposals {
  constructor(
    private readonly cluster: SuperCluster,
    private readonly aim: Aim,
    private readonly random: RandomStream,
    /** Where every instance was at the start. */
    private readonly homes: readonly Home[],
  ) {}

  /** A home for the instance, which no rule has been asked about; undefined where the draw leads nowhere. */
  draw(i: number, isMoved: boolean): Home | undefined {
    const { random, aim } = this;
    const home = this.homes[i]!;
    if (isMoved && random.unit() < BACK_SHARE) return home;
    const targets = aim.targetsOf(i);
    const leaves = targets.length > 0 && (!aim.staysWithin || random.unit() < ACROSS_SHARE);
    if (leaves) return this.into(i, targets[random.below(targets.length)]!);
    return aim.staysWithin ? this.into(i, home.group) : undefined;
  }

  /** A home in a group, mostly with those of its nodes that may be kept. */
  private into(i: number, group: number): Home | undefined {
    const { cluster, aim, random } = this;
    const { state } = cluster;
    const { primary: p, secondary: s } = this.homes[i]!;
    const kept = [p, s].filter(
      (n) => n !== NO_NODE && state.groupOf[n] === group && !aim.leaves[n] && !state.isOffline[n],
    );
    if (!cluster.isMirrored(i) || kept.length === 0 || random.unit() < APART_SHARE)
      return this.apart(i, group);
    if (kept.length === 2 && random.unit() < SWAP_SHARE) return { group, primary: s, secondary: p };
    const old = kept[random.below(kept.length)]!;
    const fresh = this.newNode(i, group);
    if (fresh === undefined) return undefined;
    return random.unit() < 0.5
      ? { group, primary: old, secondary: fresh }
      : { group, primary: fresh, secondary: old };
  }

  /** Two new nodes, or one where one is enough. */
  private apart(i: number, group: number): Home | undefined {
    const primary = this.newNode(i, group);
    if (primary === undefined) return undefined;
    if (!this.cluster.isMirrored(i)) return { group, primary, secondary: NO_NODE };
    const secondary = this.newNode(i, group);
    return secondary === undefined || secondary === primary ? undefined : { group, primary, secondary };
  }

  /** A node that the instance has not had and may have at all. */
  private newNode(i: number, group: number): number | undefined {
    const { cluster, random } = this;
    const nodes = cluster.open[group]!;
    if (nodes.length === 0) return undefined;
    let best = nodes[random.below(nodes.length)]!;
    if (random.unit() < 0.5) {
      for (let k = 1; k < NODES_COMPARED; k++) {
        const other = nodes[random.below(nodes.length)]!;
        if (cluster.freeMem(other) > cluster.freeMem(best)) best = other;
      }
    }
    return this.isOpen(i, best, group) ? best : undefined;
  }

  private isOpen(i: number, node: number, group: number): boolean {
    const { state, storageKinds } = this.cluster;
    const home = this.homes[i]!;
    if (this.aim.leaves[node] || node === home.primary || node === home.secondary) return false;
    if (!this.cluster.admits(i, node)) return false;
    if (group === home.group || storageKinds[group]!.length === 1) return true;
    return policyRefusalOn(state, i, node) === ALLOWED;
  }

  /**
   * Whether the rules of nodes admit an instance that is on no node now, N+1 of a secondary left out: what it
   * keeps, and what takes over from an offline node, is asked the hard rules only.
   */
  admitsPrimary(i: number, { primary }: Home): boolean {
    const { state } = this.cluster;
    const home = this.homes[i]!;
    if (primary === home.primary)
      return state.isOffline[primary] === 1 || primaryRoomRefusal(state, i, primary, true) === ALLOWED;
    const isLenient = primary === home.secondary && state.isOffline[home.primary] === 1;
    return primaryRefusal(state, i, primary, isLenient) === ALLOWED;
  }

  /** The same for the secondary, once the primary is there. */
  admitsSecondary(i: number, { secondary }: Home): boolean {
    if (secondary === NO_NODE) return true;
    const { state } = this.cluster;
    const home = this.homes[i]!;
    const isKept = secondary === home.secondary;
    if (isKept && state.isOffline[secondary]) return true;
    return secondaryRefusal(state, i, secondary, ANY_PRIMARY, false, isKept) === ALLOWED;
  }
}
