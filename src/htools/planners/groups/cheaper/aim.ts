/** What a search for a cheaper plan between groups has to reach, what it may touch, and its best plan. */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { type Home, isWithin, type Relocation } from '../relocate/relocation.ts';

export interface Aim {
  /** Instances that may get other homes. */
  readonly movable: readonly number[];
  /** By node: 1 where no instance may be left. */
  readonly leaves: Uint8Array;
  /** Groups in which no node may fail N+1 in the end; the others that take instances must not get worse. */
  readonly healed: ReadonlySet<number>;
  /** Whether instances may get other nodes in their own group. */
  readonly staysWithin: boolean;
  /** Other groups that may take an instance. */
  readonly targetsOf: (instance: number) => readonly number[];
  /** What counts between plans of one price, as a share of the start, as the state stands; lower is good. */
  readonly harm?: (() => number) | undefined;
}

/** On how many nodes a home is where no instance may be left. */
export const leftOn = (leaves: Aim['leaves'], { primary, secondary }: Omit<Home, 'group'>): number =>
  leaves[primary]! + (secondary === NO_NODE ? 0 : leaves[secondary]!);

/** Whether an instance is, as the state stands, where none may be left. */
export const isLeft = (leaves: Aim['leaves'], { primary, secondary }: ClusterState, i: number): boolean =>
  leftOn(leaves, { primary: primary[i]!, secondary: secondary[i]! }) > 0;

export const lastResorts = (cluster: SuperCluster, relocations: readonly Relocation[]): number =>
  relocations.filter((one) => !isWithin(one) && cluster.isLastResort(one.to.group)).length;

/** How good something is, number by number, lower is better; undefined: not good enough. */
export type Merit = readonly number[] | undefined;

const isBetter = (a: readonly number[], b: Merit): boolean => {
  if (!b) return true;
  const at = a.findIndex((value, k) => value !== b[k]);
  return at >= 0 && a[at]! < b[at]!;
};

/** The best of what is offered, of equals the first. */
export class Best<T> {
  private merit: Merit;

  /** @param found what there is until something is good enough */
  constructor(public found: T) {}

  offer(found: T, merit: Merit): void {
    if (!merit || !isBetter(merit, this.merit)) return;
    this.found = found;
    this.merit = merit;
  }
}
