/** What a placement costs by the price of plans, and what is still wrong with it, in the same unit. */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { unitPrices } from '../../../plan/price.ts';
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

/** @param homes where every instance was at the start */
export function placementPrice(cluster: SuperCluster, aim: Aim, homes: readonly Home[]) {
  const { instances } = cluster.snapshot;
  const { groupOf, isOffline } = cluster.state;
  const prices = instances.map((one) => unitPrices(one, cluster.rates));
  const copied = aim.movable.filter((i) => cluster.isMirrored(i));
  /** Seconds of copying a disk of middling size; 1 where none is ever copied. The unit of everything here. */
  const unit = Math.max(1, mean(copied.map((i) => prices[i]!.copy)));
  const meanMem = Math.max(1, mean(aim.movable.map((i) => instances[i]!.memMib)));

  const ofMoves = (i: number, { primary, secondary }: Home): number => {
    const { primary: p, secondary: s } = homes[i]!;
    if (primary === p && secondary === s) return 0;
    const isNew = (n: number): boolean => n !== NO_NODE && n !== p && n !== s;
    const isMirrored = cluster.isMirrored(i);
    const copies = isMirrored ? Number(isNew(primary)) + Number(isNew(secondary)) : 0;
    // The old secondary carries it meanwhile where it stays.
    const changes = primary === p ? 0 : isMirrored && isNew(primary) && secondary === s ? 2 : 1;
    const { copy, change, job } = prices[i]!;
    return copies * copy + changes * change + Math.max(1, copies) * job;
  };
  return {
    unit,
    /** What having the instance there costs. */
    ofHome: (i: number, home: Home): number => {
      const { group } = home;
      const isWithin = group === homes[i]!.group;
      const leaving = isWithin ? 0 : LEAVING + (cluster.isLastResort(group) ? TO_LAST_RESORT : 0);
      return ofMoves(i, home) + unit * (leftOn(aim.leaves, home) * STAYING + leaving);
    },
    /** What a node costs that fails N+1 by its reservations. */
    ofNode: (node: number): number => {
      if (isOffline[node] || !aim.healed.has(groupOf[node]!)) return 0;
      const lack = cluster.shortfallOf(node);
      return lack === 0 ? 0 : unit * (FAILING + (LACKING * lack) / meanMem);
    },
    /** What nodes cost whose instances could not all start elsewhere, as only the whole state tells. */
    ofUnrestartable: (failing: number): number => failing * FAILING * unit,
  };
}
