/**
 * Pairs of nodes alike to the last bit have the same score, so that one of each kind is enough: an empty
 * cluster of equal nodes has tens of thousands of equal pairs.
 */
import { kept } from '../../../../kit/kept.ts';
import { METRIC_COUNT } from '../../../model/score/metrics.ts';
import * as F from '../../../model/state/node-fields.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { Placement } from '../solution.ts';
import type { PairScan } from './pair-scan.ts';

/** With fewer pairs than this, telling the kinds takes longer than scoring. */
const WORTH_CLASSES = 64;

/**
 * The class of each of the nodes, for the instance that the scan has prepared: those of one are alike to the
 * last bit in all that a pair is judged by.
 */
export function classesOf(scan: PairScan, nodes: Iterable<number>): Int32Array {
  const { scorer, asPrimary, asSecondary, crowdingWith } = scan;
  const { nodeCount, nodeFields, tags, totalMem } = scorer.state;
  const tables = [
    { values: scorer.rows, width: METRIC_COUNT },
    { values: asPrimary, width: METRIC_COUNT },
    { values: asSecondary, width: METRIC_COUNT },
    { values: crowdingWith, width: 1 },
    { values: nodeFields, width: F.NODE_STRIDE },
    { values: totalMem, width: 1 },
    { values: tags.locationClassOf, width: 1 },
  ];
  const figures = new Float64Array(tables.reduce((sum, { width }) => sum + width, 0));
  const bits = Buffer.from(figures.buffer);
  const firstWith = new Map<string, number>();
  const classOf = new Int32Array(nodeCount);
  for (const node of nodes) {
    let at = 0;
    for (const { values, width } of tables) {
      figures.set(values.subarray(node * width, (node + 1) * width), at);
      at += width;
    }
    classOf[node] = kept(firstWith, bits.toString('latin1'), () => node);
  }
  return classOf;
}

/**
 * The last of all pairs that are alike, in the order of the pairs. Pairs whose secondary reserves memory for
 * the primary already stand for themselves.
 * @param classes of their nodes; asked where there are enough pairs
 */
export function oneOfEach(
  { nodeCount, peers }: ClusterState,
  homes: readonly Placement[],
  classes: () => Int32Array,
): readonly Placement[] {
  if (homes.length < WORTH_CLASSES) return homes;
  const classOf = classes();
  const seen = new Set<number>();
  const found: Placement[] = [];
  for (const home of homes.toReversed()) {
    const { primary, secondary } = home;
    const kind =
      peers.get(secondary, primary) === 0
        ? classOf[primary]! * nodeCount + classOf[secondary]!
        : (nodeCount + primary) * nodeCount + secondary;
    if (seen.has(kind)) continue;
    seen.add(kind);
    found.push(home);
  }
  return found.reverse();
}
