/**
 * A group as the deep search sees it: flat arrays, one number a node, an instance or a pair, and nothing to
 * look up.
 *
 * Made once from a state and never changed; each thread's kernel copies what it changes. Twin figures (real,
 * and with forthcoming instances) are folded into the tighter one, since the search moves no forthcoming
 * instance: both then change by the same amounts. All arrays lie in shared memory.
 */

import { float64Of, int32Of, uint8Of } from '../../../../kit/shared-arrays.ts';
import { isRunning } from '../../../cluster/instance-status.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { memNeedOf } from '../../../model/rules/memory.ts';
import { reservationOf } from '../../../model/rules/n-plus-one.ts';
import { roomsOf } from '../../../model/rules/rooms.ts';
import { Scorer } from '../../../model/score/scorer.ts';
import * as F from '../../../model/state/node-fields.ts';
import { peerSquares } from '../../../model/state/peer-rows.ts';
import { type ClusterState, MIRROR_INTERNAL, MIRROR_NONE } from '../../../model/state/state.ts';
import { type TagTables, tagTables } from '../../../model/state/tag-tables.ts';
import { migratesLive } from '../../../plan/commands.ts';
import { copyMibOf } from '../../../plan/cost.ts';
import { unitPrices } from '../../../plan/price.ts';
import type { BalanceOptions } from '../../balance/options.ts';
import { isCandidate } from '../../balance/possible-moves.ts';
import { coverage, findColumns } from '../../balance/scan/columns.ts';
import { NodeTables } from '../../balance/scan/tables.ts';

export interface Evacuees {
  readonly instances: readonly number[];
  /** By instance: its place among these. */
  readonly placeOf: Int32Array;
  /** 1 where it may go as primary, as secondary: `[place * nodes + node]`; not where it is to leave. */
  readonly primaries: Uint8Array;
  readonly secondaries: Uint8Array;
  /** By instance: where it is to leave. */
  readonly homePrimary: Int32Array;
  readonly homeSecondary: Int32Array;
  /** By instance: 1 where the moves that lead away leave out the soft rules. */
  readonly isForced: Uint8Array;
}

/** A change of primary of an instance that does not run; a migration; a failover that stops it. */
const COLD = 0;
export const LIVE = 1;
export const STOP = 2;

export interface SearchLayout extends TagTables {
  readonly nodeCount: number;
  readonly instanceCount: number;
  /** Deviation columns but the reserved memory's; those that a secondary changes, too, in front. */
  readonly columnCount: number;
  readonly secondaryColumns: number;
  /** Weight and one divided by the number of members, per column; the reserved memory's last. */
  readonly weights: Float64Array;
  /** Per metric: for those that no column carries. */
  readonly metricWeights: Float64Array;
  readonly perNode: Float64Array;
  /** What an instance adds, `[instance * columns + column]`; a unit's worth, `[node * columns + column]`. */
  readonly asPrimary: Float64Array;
  readonly asSecondary: Float64Array;
  readonly scale: Float64Array;
  /** Centred values at the start, laid out as `scale`; and those of the reserved memory. */
  readonly x: Float64Array;
  readonly reservedX: Float64Array;
  readonly perMem: Float64Array;
  /** Share of the starting score that no column carries. */
  readonly plain: number;

  /** Online nodes of the group, in order: where instances may go. */
  readonly targets: Int32Array;
  readonly isOffline: Uint8Array;
  readonly freeMem: Float64Array;
  /** Rooms of the nodes, and what instances need of them: see rules/rooms.ts. */
  readonly rooms: Float64Array;
  readonly amounts: Float64Array;
  /** Primaries and secondaries. */
  readonly counts: Float64Array;
  readonly n1: Float64Array;
  readonly fails: Uint8Array;
  readonly reserved: Float64Array;
  readonly peers: Float64Array;

  readonly mem: Float64Array;
  readonly usedMem: Float64Array;
  readonly reservation: Float64Array;
  /** Disk data that a new node gets, MiB. */
  readonly copyMib: Float64Array;
  readonly isMirrored: Uint8Array;
  readonly primary: Int32Array;
  readonly secondary: Int32Array;
  /** Instances that the search may place anew. */
  readonly movable: Int32Array;
  /** Instances that hbal may move and the search does not. */
  readonly uncovered: number;

  /** By instance, what each counts in the price: see `UnitPrices`. */
  readonly copySeconds: Float64Array;
  readonly changeSeconds: Float64Array;
  readonly jobSeconds: Float64Array;
  /** By instance: what a change of its primary is: `COLD`, `LIVE` or `STOP`. */
  readonly changeKind: Uint8Array;

  /** By instance: 1 where soft rules are left out. */
  readonly isForced: Uint8Array;
  /** Given where the search is about instances that have to leave their nodes. */
  readonly evacuees: Evacuees | undefined;
  readonly diskMoves: boolean;
  readonly instanceMoves: boolean;
  readonly restrictedMigration: boolean;
  readonly evacuationOnly: boolean;
  /** Instances whose disks cannot be copied from the start, as nobody can ask their primary. */
  readonly isStranded: Uint8Array;
}

/** Whether it is an instance of the group that hbal may move. */
function isBalanced(
  state: ClusterState,
  inGroup: ReadonlySet<number>,
  i: number,
  options: BalanceOptions,
): boolean {
  if (state.mirroring[i] === MIRROR_NONE) return false;
  if (!inGroup.has(state.primary[i]!) || !isCandidate(state, i, options)) return false;
  return state.secondary[i] === NO_NODE || inGroup.has(state.secondary[i]!);
}

/** Instances that the search places: what may move, but for those that its arithmetic does not cover. */
function movableOf(
  state: ClusterState,
  nodes: readonly number[],
  options: BalanceOptions,
  evacuees: Evacuees | undefined,
): { movable: number[]; uncovered: number } {
  const isCovered = coverage(state, nodes, false);
  const inGroup = new Set(nodes);
  const movable: number[] = [];
  let uncovered = 0;
  const wanted =
    evacuees?.instances ??
    Array.from(state.primary.keys()).filter((i) => isBalanced(state, inGroup, i, options));
  for (const i of wanted) {
    if (isCovered(i) && !state.placement.hasMates(i) && !state.keepsSecondary(i)) movable.push(i);
    else uncovered++;
  }
  return { movable, uncovered };
}

/** Of one group: what counts primaries is the layout's own. */
function groupTags(state: ClusterState, nodes: readonly number[]): TagTables {
  const { tags } = state;
  const pairs = tags.locationCount * tags.tagCount;
  const group = nodes.length > 0 ? state.groupOf[nodes[0]!]! : 0;
  return {
    ...tagTables(state),
    tagCounts: int32Of(tags.counts),
    pairCounts: int32Of(tags.pairCounts.subarray(group * pairs, (group + 1) * pairs)),
  };
}

/** @param nodes positions of the group's nodes @param evacuees what the search is about, if not balance */
export function makeLayout(
  state: ClusterState,
  nodes: readonly number[],
  options: BalanceOptions,
  evacuees?: Evacuees,
): SearchLayout {
  const scorer = new Scorer(state, nodes);
  const { movable, uncovered } = movableOf(state, nodes, options, evacuees);
  const columns = findColumns(state, nodes);
  const tables = new NodeTables(state, scorer, columns);
  const t = tables.arrays;
  const all = Array.from({ length: state.instanceCount }, (_, i) => i);
  const records = all.map((i) => state.instanceRecord(i));
  const units = records.map((one) => unitPrices(one, options.rates));
  const field = (n: number, k: number): number => state.nodeFields[n * F.NODE_STRIDE + k]!;
  const ofNodes = (figure: (n: number) => number): Float64Array =>
    float64Of(Array.from({ length: state.nodeCount }, (_, n) => figure(n)));
  const ofInstances = (figure: (i: number) => number): Float64Array => float64Of(all.map(figure));
  return {
    ...groupTags(state, nodes),
    nodeCount: state.nodeCount,
    instanceCount: state.instanceCount,
    columnCount: columns.list.length,
    secondaryColumns: columns.secondaryCount,
    weights: tables.weights,
    metricWeights: float64Of(state.weights),
    perNode: t.perNode,
    asPrimary: tables.asPrimary,
    asSecondary: tables.asSecondary,
    scale: t.scale,
    x: t.x,
    reservedX: t.reservedX,
    perMem: t.perMem,
    plain: t.base[0]!,
    targets: tables.targets,
    isOffline: state.isOffline,
    freeMem: ofNodes((n) => field(n, F.FREE_MEM)),
    rooms: roomsOf(state, t.amounts),
    amounts: t.amounts,
    counts: ofNodes((n) => field(n, F.PRIMARY_COUNT) + field(n, F.SECONDARY_COUNT)),
    n1: t.n1,
    fails: uint8Of(ofNodes((n) => field(n, F.FAILS_N1))),
    reserved: ofNodes((n) => field(n, F.RESERVED_MEM)),
    peers: peerSquares(state, [...state.snapshot.nodes.keys()]).peers,
    mem: ofInstances((i) => state.mem[i]!),
    usedMem: ofInstances((i) => memNeedOf(state, i)),
    reservation: ofInstances((i) => reservationOf(state, i)),
    copyMib: float64Of(records.map(copyMibOf)),
    isMirrored: uint8Of(all.map((i) => (state.mirroring[i] === MIRROR_INTERNAL ? 1 : 0))),
    primary: int32Of(all.map((i) => state.primary[i]!)),
    secondary: int32Of(all.map((i) => state.secondary[i]!)),
    movable: int32Of(movable),
    uncovered,
    copySeconds: float64Of(units.map(({ copy }) => copy)),
    changeSeconds: float64Of(units.map(({ change }) => change)),
    jobSeconds: float64Of(units.map(({ job }) => job)),
    changeKind: uint8Of(records.map((one) => (migratesLive(one) ? LIVE : isRunning(one) ? STOP : COLD))),
    isForced: evacuees?.isForced ?? uint8Of(all.map(() => (options.ignoreSoftErrors ? 1 : 0))),
    evacuees,
    diskMoves: options.diskMoves,
    instanceMoves: options.instanceMoves,
    restrictedMigration: options.restrictedMigration,
    evacuationOnly: options.evacuationOnly,
    isStranded: uint8Of(
      all.map((i) => (options.isForExecution && !state.isReachable[state.primary[i]!] ? 1 : 0)),
    ),
  };
}
