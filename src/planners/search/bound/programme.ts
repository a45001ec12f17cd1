/**
 * The relaxation behind the lower bound: a linear programme that every legal placement satisfies, with the deviations
 * bounded from below by cuts.
 *
 * Instances may be split at will and per column, so that a column is a flow of its amounts to nodes: what is on a node beside
 * the movable instances, plus a share of what these add in all. A deviation is a norm, and so at least its slope in any
 * direction: each cut is such a slope. Where all movable instances add the same amount, only whole ones are counted.
 * Reserved memory is at least a node's reservations divided by the other nodes. What counts breaches (N+1, tags, locations,
 * instances on offline nodes) is at least 0.
 */
import { RESERVED_MEM_RTOTAL } from '../../../model/score/metrics.ts';
import type { SearchLayout } from '../kernel/layout.ts';

/** One deviation: values `fixed[k] + scale[k] * amount`, amounts of each sort going to the nodes that its sort reaches. */
export interface Flow {
  readonly weight: number;
  /** Nodes that count, as positions. */
  readonly nodes: readonly number[];
  /** Values without the movable instances, and worth of a unit, one a node. */
  readonly fixed: readonly number[];
  readonly scale: readonly number[];
  /** Amounts in all by sort (storage pool), what of them may stay off these nodes, and which nodes the sort reaches. */
  readonly sorts: readonly Sort[];
  /** The deviation is at least this, weight left out. */
  readonly least: number;
}

export interface Sort {
  readonly total: number;
  readonly mayStay: number;
  readonly reaches: readonly boolean[];
}

/** The reserved memory: like a flow, but a value is at least the share of a node's reservations, and adds to the score itself. */
export interface Bounded {
  readonly flows: readonly Flow[];
  readonly reserved: Flow | undefined;
  /** What the reserved memory itself weighs, beside its deviation. */
  readonly reservedTotalWeight: number;
}

const reaches = (layout: SearchLayout, i: number, n: number): boolean =>
  layout.access === undefined || layout.access[layout.storageRow[i]! * layout.nodeCount + n] === 1;

/** Whether an instance starts with a node offline, so that it may keep that. */
const mayStay = (layout: SearchLayout, i: number): boolean =>
  layout.isOffline[layout.primary[i]!] === 1 ||
  (layout.secondary[i]! >= 0 && layout.isOffline[layout.secondary[i]!] === 1);

function columnFlow(layout: SearchLayout, c: number): Flow {
  const { columnCount: k } = layout;
  const size = Math.round(1 / layout.perNode[c]!);
  const members = [...layout.targets].filter((n) => layout.scale[n * k + c] !== 0);
  // A node without scale changes by nothing, but counts all the same when the column has as many members as there are nodes.
  const nodes = size === layout.targets.length ? [...layout.targets] : members;
  const value = new Map(nodes.map((n) => [n, layout.x[n * k + c]!]));
  const sorts = new Map<number, { total: number; mayStay: number; reaches: boolean[] }>();
  const amounts = new Set<number>();
  let anyMayStay = false;
  for (const i of layout.movable) {
    const p = layout.primary[i]!;
    const s = layout.secondary[i]!;
    const asPrimary = layout.asPrimary[i * k + c]!;
    const asSecondary = s >= 0 ? layout.asSecondary[i * k + c]! : 0;
    if (value.has(p)) value.set(p, value.get(p)! - asPrimary * layout.scale[p * k + c]!);
    if (s >= 0 && value.has(s)) value.set(s, value.get(s)! - asSecondary * layout.scale[s * k + c]!);
    const total = asPrimary + asSecondary;
    if (total === 0) continue;
    for (const amount of [asPrimary, asSecondary]) if (amount !== 0) amounts.add(amount);
    const row = layout.access === undefined ? 0 : layout.storageRow[i]!;
    const sort = sorts.get(row) ?? { total: 0, mayStay: 0, reaches: nodes.map((n) => reaches(layout, i, n)) };
    sort.total += total;
    // A misplaced instance may stay where it is.
    nodes.forEach((n, place) => {
      if (n === p || n === s) sort.reaches[place] = true;
    });
    if (mayStay(layout, i)) {
      sort.mayStay += total;
      anyMayStay = true;
    }
    sorts.set(row, sort);
  }
  const fixed = nodes.map((n) => value.get(n)!);
  const scale = nodes.map((n) => layout.scale[n * k + c]!);
  const isWhole = amounts.size === 1 && !anyMayStay && scale.every((one) => one === scale[0]);
  const [amount = 0] = amounts;
  const units = [...sorts.values()].reduce((sum, { total }) => sum + total, 0) / (amount || 1);
  const least = isWhole && units > 0 ? leastDeviation(fixed, amount * scale[0]!, Math.round(units)) : 0;
  return { weight: layout.weights[c]!, nodes, fixed, scale, sorts: [...sorts.values()], least };
}

/** Least deviation of values to which a number of whole units is added: each goes where it is lowest (or highest, below 0). */
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

/** Reservations by node without the movable instances, and those of the movable ones. */
function reservedFlow(layout: SearchLayout): Flow | undefined {
  const nodes = [...layout.targets];
  const others = nodes.length - 1;
  if (others < 1) return undefined;
  let total = 0;
  for (const i of layout.movable) {
    if (layout.secondary[i]! >= 0 && !mayStay(layout, i)) total += layout.reservation[i]!;
  }
  return {
    weight: layout.weights[layout.columnCount]!,
    nodes,
    fixed: nodes.map(() => 0),
    // A node reserves for the worst of the others: at least the mean over them. Offline primaries only add.
    scale: nodes.map((n) => layout.perMem[n]! / others),
    sorts: [{ total, mayStay: 0, reaches: nodes.map(() => true) }],
    least: 0,
  };
}

/** What a lower bound is made of. */
export function boundedBy(layout: SearchLayout): Bounded {
  const flows: Flow[] = [];
  for (let c = 0; c < layout.columnCount; c++) {
    const flow = columnFlow(layout, c);
    // A column with members that nothing changes is left out: 0 is a bound of it, if a low one.
    const members = Math.round(1 / layout.perNode[c]!);
    if (flow.nodes.length > 1 && flow.nodes.length === members) flows.push(flow);
  }
  const reservedTotalWeight = layout.metricWeights[RESERVED_MEM_RTOTAL]!;
  return { flows, reserved: reservedFlow(layout), reservedTotalWeight };
}

/** A cut: the deviation of a flow is at least this direction times the values. */
export interface Cut {
  readonly flow: number;
  readonly direction: readonly number[];
}

const term = (coefficient: number, name: string): string =>
  `${coefficient < 0 ? '-' : '+'} ${Math.abs(coefficient).toPrecision(15)} ${name}`;

/** The programme as text in CPLEX's LP format, which HiGHS reads. Flow f: deviation d<f>, values v<f>_<k>, amounts a<f>_<sort>_<k>. */
export function programmeText(
  { flows, reserved, reservedTotalWeight }: Bounded,
  cuts: readonly Cut[],
): string {
  const all = reserved ? [...flows, reserved] : flows;
  const objective: string[] = [];
  const rows: string[] = [];
  const bounds: string[] = [];
  all.forEach((flow, f) => {
    objective.push(term(flow.weight, `d${f}`));
    bounds.push(`d${f} >= ${flow.least.toPrecision(15)}`);
    flow.nodes.forEach((_, k) => {
      bounds.push(`v${f}_${k} free`);
      const amounts = flow.sorts.flatMap((sort, s) =>
        sort.reaches[k] && flow.scale[k] !== 0 ? [term(-flow.scale[k]!, `a${f}_${s}_${k}`)] : [],
      );
      // The reserved memory may be more than the mean over the other nodes; every other value is what it is.
      const relation = flow === reserved ? '>=' : '=';
      rows.push(`+ 1 v${f}_${k} ${amounts.join(' ')} ${relation} ${flow.fixed[k]!.toPrecision(15)}`);
      if (flow === reserved) objective.push(term(reservedTotalWeight, `v${f}_${k}`));
    });
    flow.sorts.forEach((sort, s) => {
      const low = Math.min(0, sort.total);
      const high = Math.max(0, sort.total);
      const places = flow.nodes.flatMap((_, k) => (sort.reaches[k] ? [`a${f}_${s}_${k}`] : []));
      for (const name of places) bounds.push(`${low.toPrecision(15)} <= ${name} <= ${high.toPrecision(15)}`);
      if (places.length === 0) return;
      const stay = `s${f}_${s}`;
      bounds.push(
        `${Math.min(0, sort.mayStay).toPrecision(15)} <= ${stay} <= ${Math.max(0, sort.mayStay).toPrecision(15)}`,
      );
      rows.push(
        `${places.map((name) => `+ 1 ${name}`).join(' ')} + 1 ${stay} = ${sort.total.toPrecision(15)}`,
      );
    });
  });
  for (const { flow, direction } of cuts) {
    const terms = direction.flatMap((slope, k) => (slope === 0 ? [] : [term(-slope, `v${flow}_${k}`)]));
    rows.push(`+ 1 d${flow} ${terms.join(' ')} >= 0`);
  }
  return `Minimize\n obj: ${objective.join('\n ')}\nSubject To\n${rows.map((row, k) => ` r${k}: ${row}`).join('\n')}\nBounds\n${bounds.map((bound) => ` ${bound}`).join('\n')}\nEnd\n`;
}
