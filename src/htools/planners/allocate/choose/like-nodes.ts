/**
 * Nodes alike to the last bit: pairs that are made of them have the same score, so that one of each kind is
 * enough. An empty cluster of equal nodes has tens of thousands of equal pairs.
 */
import { kept } from '../../../../kit/kept.ts';
import { METRIC_COUNT } from '../../../model/score/metrics.ts';
import * as F from '../../../model/state/node-fields.ts';
import type { PairScan } from './pair-scan.ts';

/** With fewer secondaries than this, telling the classes takes longer than scoring. */
const WORTH_CLASSES = 64;
/** Classes by the number of nodes, as nodes that change leave theirs behind. */
const MOST_CLASSES = 2;

/**
 * Which nodes are alike to the last bit in all that a pair is judged by, for the instance whose rows the scan
 * has.
 */
export class LikeNodes {
  private readonly tables: readonly { readonly values: Float64Array | Int32Array; readonly width: number }[];
  private readonly figures: Float64Array;
  private readonly bits: Buffer;
  private readonly classWith = new Map<string, number>();
  /** By node, counted from 1; 0: not known. */
  private readonly classes: Int32Array;

  constructor({ scorer, asPrimary, asSecondary, crowdingWith }: PairScan) {
    const { nodeFields, tags, totalMem } = scorer.state;
    this.tables = [
      { values: scorer.rows, width: METRIC_COUNT },
      { values: asPrimary, width: METRIC_COUNT },
      { values: asSecondary, width: METRIC_COUNT },
      { values: crowdingWith, width: 1 },
      { values: nodeFields, width: F.NODE_STRIDE },
      { values: totalMem, width: 1 },
      { values: tags.locationClassOf, width: 1 },
    ];
    this.classes = new Int32Array(scorer.state.nodeCount);
    this.figures = new Float64Array(this.tables.reduce((sum, { width }) => sum + width, 0));
    this.bits = Buffer.from(this.figures.buffer);
  }

  /** These nodes changed. */
  forget(changed: readonly number[]): void {
    const { classes, classWith } = this;
    if (classWith.size > MOST_CLASSES * classes.length) this.forgetAll();
    for (const n of changed) classes[n] = 0;
  }

  /** The rows are about another instance. */
  forgetAll(): void {
    this.classWith.clear();
    this.classes.fill(0);
  }

  classOf(node: number): number {
    return this.classes[node] || this.find(node);
  }

  private find(node: number): number {
    const { classes, classWith, figures } = this;
    let at = 0;
    for (const { values, width } of this.tables) {
      figures.set(values.subarray(node * width, (node + 1) * width), at);
      at += width;
    }
    const found = kept(classWith, this.bits.toString('latin1'), () => classWith.size + 1);
    classes[node] = found;
    return found;
  }

  /**
   * The last of a primary's secondaries of each class, in their order. Those that reserve memory for it
   * already stand for themselves.
   * @param peers what each node reserves for it
   */
  lastOfEach(primary: number, secondaries: readonly number[], peers: Float64Array): readonly number[] {
    if (secondaries.length < WORTH_CLASSES) return secondaries;
    const met = new Set<number>();
    const found: number[] = [];
    for (let k = secondaries.length - 1; k >= 0; k--) {
      const s = secondaries[k]!;
      const kind = peers[s] === 0 ? this.classOf(s) : -1 - s;
      if (s === primary || met.has(kind)) continue;
      met.add(kind);
      found.push(s);
    }
    return found.reverse();
  }
}
