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

/** Draws instances to try next. */
export function residents({ state }: SuperCluster, movable: readonly number[], random: RandomStream) {
  const { primaries, secondaries } = state;
  const mayMove = new Uint8Array(state.instanceCount);
  for (const i of movable) mayMove[i] = 1;
  /** Nodes with something wrong, and instances that are not where they were. */
  const wrong = new DrawSet();
  const moved = new DrawSet();

  /** An instance on a node that may move; undefined where none was drawn. */
  const on = (node: number): number | undefined => {
    const first = primaries[node]!.length;
    const all = first + secondaries[node]!.length;
    if (all === 0) return undefined;
    const at = random.below(all);
    const i = at < first ? primaries[node]![at]! : secondaries[node]![at - first]!;
    return mayMove[i] ? i : undefined;
  };
  /** An instance that may move. */
  const draw = (): number => {
    const chance = random.unit();
    if (chance < WRONG_SHARE && wrong.all.length > 0) {
      const found = on(wrong.draw(random));
      if (found !== undefined) return found;
    } else if (chance < WRONG_SHARE + MOVED_SHARE && moved.all.length > 0) return moved.draw(random);
    return movable[random.below(movable.length)]!;
  };
  return { wrong, moved, on, draw };
}

/** How often a moved instance is drawn back home, and one that may leave its group elsewhere. */
const BACK_SHARE = 0.25;
const ACROSS_SHARE = 0.3;
/** How often two new nodes are drawn in the group though one would do, and nodes change roles. */
const APART_SHARE = 0.1;
const SWAP_SHARE = 0.2;
/** Nodes of which the one with the most free memory is taken, half of the time. */
const NODES_COMPARED = 3;

/** Draws homes. @param homes where every instance was at the start */
export function proposals(cluster: SuperCluster, aim: Aim, random: RandomStream, homes: readonly Home[]) {
  const { state, storageKinds } = cluster;

  const isOpen = (i: number, node: number, group: number): boolean => {
    const home = homes[i]!;
    if (aim.leaves[node] || node === home.primary || node === home.secondary) return false;
    if (!cluster.admits(i, node)) return false;
    if (group === home.group || storageKinds[group]!.length === 1) return true;
    return policyRefusalOn(state, i, node) === ALLOWED;
  };
  /** A node that the instance has not had and may have at all. */
  const newNode = (i: number, group: number): number | undefined => {
    const nodes = cluster.open[group]!;
    if (nodes.length === 0) return undefined;
    let best = nodes[random.below(nodes.length)]!;
    if (random.unit() < 0.5) {
      for (let k = 1; k < NODES_COMPARED; k++) {
        const other = nodes[random.below(nodes.length)]!;
        if (cluster.freeMem(other) > cluster.freeMem(best)) best = other;
      }
    }
    return isOpen(i, best, group) ? best : undefined;
  };
  /** Two new nodes, or one where one is enough. */
  const apart = (i: number, group: number): Home | undefined => {
    const primary = newNode(i, group);
    if (primary === undefined) return undefined;
    if (!cluster.isMirrored(i)) return { group, primary, secondary: NO_NODE };
    const secondary = newNode(i, group);
    return secondary === undefined || secondary === primary ? undefined : { group, primary, secondary };
  };
  /** A home in a group, mostly with those of its nodes that may be kept. */
  const into = (i: number, group: number): Home | undefined => {
    const { primary: p, secondary: s } = homes[i]!;
    const kept = [p, s].filter(
      (n) => n !== NO_NODE && state.groupOf[n] === group && !aim.leaves[n] && !state.isOffline[n],
    );
    if (!cluster.isMirrored(i) || kept.length === 0 || random.unit() < APART_SHARE) return apart(i, group);
    if (kept.length === 2 && random.unit() < SWAP_SHARE) return { group, primary: s, secondary: p };
    const old = kept[random.below(kept.length)]!;
    const fresh = newNode(i, group);
    if (fresh === undefined) return undefined;
    return random.unit() < 0.5
      ? { group, primary: old, secondary: fresh }
      : { group, primary: fresh, secondary: old };
  };

  return {
    /** A home for the instance, asked of no rule; undefined where the draw leads nowhere. */
    draw: (i: number, isMoved: boolean): Home | undefined => {
      const home = homes[i]!;
      if (isMoved && random.unit() < BACK_SHARE) return home;
      const targets = aim.targetsOf(i);
      const leaves = targets.length > 0 && (!aim.staysWithin || random.unit() < ACROSS_SHARE);
      if (leaves) return into(i, targets[random.below(targets.length)]!);
      return aim.staysWithin ? into(i, home.group) : undefined;
    },
    /**
     * Whether the rules of nodes admit an instance that is on no node now, N+1 of a secondary left out: what
     * it keeps, and what takes over from an offline node, is asked the hard rules only.
     */
    admitsPrimary: (i: number, { primary }: Home): boolean => {
      const home = homes[i]!;
      if (primary === home.primary)
        return state.isOffline[primary] === 1 || primaryRoomRefusal(state, i, primary, true) === ALLOWED;
      const isLenient = primary === home.secondary && state.isOffline[home.primary] === 1;
      return primaryRefusal(state, i, primary, isLenient) === ALLOWED;
    },
    /** The same for the secondary, once the primary is there. */
    admitsSecondary: (i: number, { secondary }: Home): boolean => {
      if (secondary === NO_NODE) return true;
      const isKept = secondary === homes[i]!.secondary;
      if (isKept && state.isOffline[secondary]) return true;
      return secondaryRefusal(state, i, secondary, ANY_PRIMARY, false, isKept) === ALLOWED;
    },
  };
}
