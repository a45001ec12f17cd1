/**
 * What the lower bound is made of: the deviation columns of a group as sums over instances, with nothing left
 * of a placement but which node has which share of an instance, in each of its two roles.
 *
 * A column's values are what is on the nodes beside the movable instances, plus what these add. Where all
 * movable instances add the same amount, the values are whole, and deviate at least by what does not divide.
 * Reserved memory is at least a node's reservations divided by the other nodes. What counts breaches (N+1,
 * tags, locations, instances on offline nodes) is at least 0.
 */
import { OFFLINE_ALL_CNT, RESERVED_MEM_RTOTAL } from '../../../model/score/metrics.ts';
import type { SearchLayout } from '../kernel/layout.ts';

/** A deviation: values `fixed[k] + scale[k] * amount`, amounts going to the online node at place k. */
export interface Flow {
  /** What the deviation weighs, and what the sum of all values does. */
  readonly weight: number;
  readonly totalWeight: number;
  /** Values without movable instances and worth of a unit, one an online node; 0 = does not count. */
  readonly fixed: Float64Array;
  readonly scale: Float64Array;
  readonly counts: Uint8Array;
  /** Amount of each movable instance as primary and as secondary. */
  readonly asPrimary: Float64Array;
  readonly asSecondary: Float64Array;
  /** The deviation is at least this, weight left out. */
  readonly least: number;
}

export interface Relaxation {
  /** Online nodes. */
  readonly nodeCount: number;
  /** How many instances each of the following figures stands for: one, unless like ones are merged. */
  readonly members: Float64Array;
  readonly flows: readonly Flow[];
  /** Reservation of each movable instance for the failure of its primary, MiB: 0 for those that may rest. */
  readonly reservations: Float64Array;
  readonly isMirrored: Uint8Array;
  /** Online nodes that an instance cannot go to, as places. */
  readonly closed: readonly (readonly number[])[];
  /** Instances that may stay on an offline node, where no flow sees them. */
  readonly mayRest: Uint8Array;
}

/** What rounding may make of sums of thousands of instances, with a good margin. */
export const ROUNDING = 1e-7;

const NONE: readonly number[] = [];

/** The nodes that an instance cannot reach; a misplaced one may stay where it is. */
function closedTo(layout: SearchLayout, i: number): readonly number[] {
  const { access, nodeCount, storageRow, targets } = layout;
  if (access === undefined) return NONE;
  const isClosed = (n: number): boolean =>
    access[storageRow[i]! * nodeCount + n] === 0 && n !== layout.primary[i] && n !== layout.secondary[i];
  return [...targets.keys()].filter((k) => isClosed(targets[k]!));
}

/** @param reached score of some placement: a dearer one with an instance on an offline node is not best */
function mayRest(layout: SearchLayout, i: number, reached: number): boolean {
  const s = layout.secondary[i]!;
  const startsOffline = layout.isOffline[layout.primary[i]!] === 1 || (s >= 0 && layout.isOffline[s] === 1);
  return startsOffline && layout.metricWeights[OFFLINE_ALL_CNT]! <= reached;
}

/** Least deviation after adding so many whole units, each where it is lowest (below 0: highest). */
export function leastDeviation(fixed: readonly number[], unit: number, units: number): number {
  const values = fixed.map((value) => value * Math.sign(unit));
  const step = Math.abs(unit);
  for (let k = 0; k < units; k++) {
    let lowest = 0;
    for (let n = 1; n < values.length; n++) if (values[n]! < values[lowest]!) lowest = n;
    values[lowest]! += step;
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** What whole units cannot even out; 0 where amounts differ or some may rest. */
function leastOf(flow: Omit<Flow, 'least'>, anyRests: boolean): number {
  const amounts = [...flow.asPrimary, ...flow.asSecondary].filter((amount) => amount !== 0);
  const [amount] = amounts;
  const places = [...flow.counts.keys()].filter((k) => flow.counts[k] === 1);
  const unit = flow.scale[places[0]!]!;
  if (amount === undefined || anyRests || unit === 0) return 0;
  if (amounts.some((one) => one !== amount) || places.some((k) => flow.scale[k] !== unit)) return 0;
  return leastDeviation(
    places.map((k) => flow.fixed[k]!),
    amount * unit,
    amounts.length,
  );
}

function columnFlow(layout: SearchLayout, c: number, anyRests: boolean): Flow | undefined {
  const { columnCount: k, targets, movable } = layout;
  const size = Math.round(1 / layout.perNode[c]!);
  const places = new Map(Array.from(targets, (n, place) => [n, place]));
  // A node without scale changes nothing, but counts when the column has as many members as nodes.
  const counts = Uint8Array.from(targets, (n) =>
    size === targets.length || layout.scale[n * k + c] !== 0 ? 1 : 0,
  );
  // Members that nothing changes are not known: then 0 is a bound of the column, if a low one.
  if (size < 2 || counts.reduce((sum, one) => sum + one, 0) !== size) return undefined;
  const fixed = Float64Array.from(targets, (n, place) => (counts[place] === 1 ? layout.x[n * k + c]! : 0));
  const asPrimary = Float64Array.from(movable, (i) => layout.asPrimary[i * k + c]!);
  const asSecondary = Float64Array.from(movable, (i) =>
    layout.secondary[i]! >= 0 ? layout.asSecondary[i * k + c]! : 0,
  );
  movable.forEach((i, at) => {
    for (const [n, amount] of [
      [layout.primary[i]!, asPrimary[at]!],
      [layout.secondary[i]!, asSecondary[at]!],
    ] as const) {
      const place = places.get(n);
      if (place !== undefined) fixed[place]! -= amount * layout.scale[n * k + c]!;
    }
  });
  const scale = Float64Array.from(targets, (n) => layout.scale[n * k + c]!);
  const flow = { weight: layout.weights[c]!, totalWeight: 0, fixed, scale, counts, asPrimary, asSecondary };
  return { ...flow, least: leastOf(flow, anyRests) };
}

/** Reserved memory: a node reserves for the worst of the others, so at least the mean over them. */
export function meanOverPeers(layout: SearchLayout, { reservations, nodeCount }: Relaxation): Flow {
  return {
    weight: layout.weights[layout.columnCount]!,
    totalWeight: layout.metricWeights[RESERVED_MEM_RTOTAL]!,
    // What other instances make a node reserve only adds.
    fixed: new Float64Array(nodeCount),
    scale: Float64Array.from(layout.targets, (n) => layout.perMem[n]! / (nodeCount - 1)),
    counts: new Uint8Array(nodeCount).fill(1),
    asPrimary: new Float64Array(reservations.length),
    asSecondary: reservations,
    least: 0,
  };
}

/** @param reached score of an allowed placement: what is proven holds for those that are no worse */
export function relaxationOf(layout: SearchLayout, reached: number): Relaxation {
  const movable = [...layout.movable];
  const closed = movable.map((i) => closedTo(layout, i));
  const rests = Uint8Array.from(movable, (i) => (mayRest(layout, i, reached) ? 1 : 0));
  const anyRests = rests.includes(1);
  const flows = Array.from({ length: layout.columnCount }, (_, c) => columnFlow(layout, c, anyRests));
  return {
    nodeCount: layout.targets.length,
    members: new Float64Array(movable.length).fill(1),
    flows: flows.filter((flow) => flow !== undefined),
    reservations: Float64Array.from(movable, (i, at) =>
      layout.secondary[i]! >= 0 && rests[at] === 0 ? layout.reservation[i]! : 0,
    ),
    isMirrored: Uint8Array.from(movable, (i) => (layout.secondary[i]! >= 0 ? 1 : 0)),
    closed,
    mayRest: rests,
  };
}
