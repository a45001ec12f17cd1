/**
 * What a placement costs against the start, in MiB of disk, and what is still wrong with it in the same unit.
 */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import * as F from '../../../model/state/node-fields.ts';
import { HAS_SECONDARY } from '../../../model/state/state.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { LAST_RESORT, tierOf } from '../homes/targets.ts';
import type { Home } from '../relocate/home.ts';
import { type Aim, leftOn } from './aim.ts';

/** Prices in disks of middling size: an instance that has to go and has not, a node that fails N+1. */
const STAYING = 6;
const FAILING = 4;
/** What a node lacks of memory, in the memory of a middling instance. */
const LACKING = 2;
/**
 * Of plans that copy the same, the one with fewer moves to other groups counts, then the one with fewer
 * moves.
 */
const LEAVING = 0.01;
/** A move to a group of last resort. */
const TO_LAST_RESORT = 3;
const MOVING = 0.002;
const HARM = 1;

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;

export class PlacementPrice {
  /** A disk of middling size, in MiB; 1 where none is ever copied. The unit of everything here. */
  readonly unit: number;
  private readonly meanMem: number;
  /** By group: what it costs more to go there. */
  private readonly lastResort: readonly number[];

  constructor(
    private readonly cluster: SuperCluster,
    private readonly aim: Aim,
    private readonly homes: readonly Home[],
  ) {
    const { instances, groups } = cluster.snapshot;
    this.lastResort = groups.map((_, group) => (tierOf(cluster, group) === LAST_RESORT ? TO_LAST_RESORT : 0));
    const copied = aim.movable.filter((i) => (cluster.state.flags[i]! & HAS_SECONDARY) !== 0);
    this.unit = Math.max(1, mean(copied.map((i) => instances[i]!.diskMib)));
    this.meanMem = Math.max(1, mean(aim.movable.map((i) => instances[i]!.memMib)));
  }

  /** What having the instance there costs. */
  ofHome(i: number, { group, primary, secondary }: Home): number {
    const { flags } = this.cluster.state;
    const home = this.homes[i]!;
    const isNew = (n: number): boolean => n !== NO_NODE && n !== home.primary && n !== home.secondary;
    const staying = leftOn(this.aim.leaves, { primary, secondary });
    const copies = flags[i]! & HAS_SECONDARY ? (isNew(primary) ? 1 : 0) + (isNew(secondary) ? 1 : 0) : 0;
    const isMoved = primary !== home.primary || secondary !== home.secondary;
    const leaving = group === home.group ? 0 : LEAVING + this.lastResort[group]!;
    const small = (isMoved ? MOVING : 0) + leaving;
    return copies * this.cluster.snapshot.instances[i]!.diskMib + this.unit * (staying * STAYING + small);
  }

  /** Whether a node fails N+1 by its reservations. */
  isShort(node: number): boolean {
    return this.lackOf(node) > 0;
  }

  private lackOf(node: number): number {
    const { nodeFields: f, groupOf, isOffline } = this.cluster.state;
    if (isOffline[node] || !this.aim.healed.has(groupOf[node]!)) return 0;
    const at = node * F.NODE_STRIDE;
    return f[at + F.FAILS_N1] ? f[at + F.RESERVED_MEM]! - f[at + F.FREE_MEM]! + 1 : 0;
  }

  /** What the node costs by what it reserves. */
  ofNode(node: number): number {
    const lack = this.lackOf(node);
    return lack === 0 ? 0 : this.unit * (FAILING + (LACKING * lack) / this.meanMem);
  }

  /** What nodes cost whose instances could not all start elsewhere. */
  ofUnrestartable(count: number): number {
    return count * FAILING * this.unit;
  }

  /** What counts between plans that copy the same. */
  ofHarm(harm: number): number {
    return harm * HARM * this.unit;
  }
}
