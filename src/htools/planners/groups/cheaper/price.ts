/** What a placement costs by the price of plans, and what is still wrong with it, in the same unit. */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { type UnitPrices, unitPrices } from '../../../plan/price.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import type { Home } from '../relocate/relocation.ts';
import { type Aim, leftOn } from './aim.ts';

/** Prices in disks of middling size: an instance that has to go and has not, a node that fails N+1. */
const STAYING = 6;
const FAILING = 4;
/** What a node lacks of memory, in the memory of a middling instance. */
const LACKING = 2;
/** Of plans of the same price the one with fewer moves to other groups counts. */
const LEAVING = 0.01;
const TO_LAST_RESORT = 3;

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;

export class PlacementPrice {
  /** Seconds of copying a disk of middling size; 1 where none is ever copied. The unit of everything here. */
  readonly unit: number;
  private readonly meanMem: number;
  private readonly prices: readonly UnitPrices[];

  constructor(
    private readonly cluster: SuperCluster,
    private readonly aim: Aim,
    private readonly homes: readonly Home[],
  ) {
    const { instances } = cluster.snapshot;
    this.prices = instances.map((one) => unitPrices(one, cluster.rates));
    const copied = aim.movable.filter((i) => cluster.isMirrored(i));
    this.unit = Math.max(1, mean(copied.map((i) => this.prices[i]!.copy)));
    this.meanMem = Math.max(1, mean(aim.movable.map((i) => instances[i]!.memMib)));
  }

  /** What having the instance there costs. */
  ofHome(i: number, home: Home): number {
    const { group } = home;
    const isWithin = group === this.homes[i]!.group;
    const leaving = isWithin ? 0 : LEAVING + (this.cluster.isLastResort(group) ? TO_LAST_RESORT : 0);
    return this.ofMoves(i, home) + this.unit * (leftOn(this.aim.leaves, home) * STAYING + leaving);
  }

  private ofMoves(i: number, { primary, secondary }: Home): number {
    const { primary: p, secondary: s } = this.homes[i]!;
    if (primary === p && secondary === s) return 0;
    const isNew = (n: number): boolean => n !== NO_NODE && n !== p && n !== s;
    const isMirrored = this.cluster.isMirrored(i);
    const copies = isMirrored ? Number(isNew(primary)) + Number(isNew(secondary)) : 0;
    // The old secondary carries it meanwhile where it stays.
    const changes = primary === p ? 0 : isMirrored && isNew(primary) && secondary === s ? 2 : 1;
    const { copy, change, job } = this.prices[i]!;
    return copies * copy + changes * change + Math.max(1, copies) * job;
  }

  /** What a node costs that fails N+1 by its reservations. */
  ofNode(node: number): number {
    const { groupOf, isOffline } = this.cluster.state;
    if (isOffline[node] || !this.aim.healed.has(groupOf[node]!)) return 0;
    const lack = this.cluster.shortfallOf(node);
    return lack === 0 ? 0 : this.unit * (FAILING + (LACKING * lack) / this.meanMem);
  }

  /** What nodes cost whose instances could not all start elsewhere, as only the whole state tells. */
  ofUnrestartable(failing: number): number {
    return failing * FAILING * this.unit;
  }
}
