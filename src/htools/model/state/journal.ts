/**
 * What was changed since a mark, so that trials can be taken back.
 *
 * A transition saves a node's figures before it changes them and records each other change it makes;
 * `rollback(mark)` restores all of it in reverse order. The journal is what makes trying a sequence of moves
 * (evacuation, N+1 simulation, exact scoring of one candidate) cheap: no copy of the cluster, and plain
 * numbers, since closures kept the garbage collector busy for a fifth of a run.
 */
import { NODE_STRIDE } from './node-fields.ts';
import type { PeerTable } from './peer-table.ts';
import type { TagIndex } from './tag-index.ts';

/** What the journal restores: the part of a ClusterState that transitions change. */
interface Restorable {
  readonly nodeFields: Float64Array;
  readonly peers: PeerTable;
  readonly primary: Int32Array;
  readonly secondary: Int32Array;
  readonly locationScore: Float64Array;
  readonly tags: TagIndex;
}

const NODE_SAVED = 0;
const LIST_GREW = 1;
const LIST_SHRANK = 2;
const PEER_CHANGED = 3;
const TAGS_CHANGED = 4;
const LOCATIONS_CHANGED = 5;
const PLACED = 6;

/** To start with; typed stacks, doubled when full: plain arrays of doubles were five times slower. */
const INITIAL_ENTRIES = 256;

export class Journal {
  /** What happened, four numbers an entry: kind and up to three positions. */
  private entries = new Int32Array(4 * INITIAL_ENTRIES);
  private entryEnd = 0;
  /** Figures to restore, as many as the kinds need. */
  private figures = new Float64Array(NODE_STRIDE * INITIAL_ENTRIES);
  private figureEnd = 0;
  private readonly lists: number[][] = [];

  constructor(private readonly state: Restorable) {}

  mark(): number {
    return this.entryEnd;
  }

  saveNode(node: number): void {
    const { nodeFields } = this.state;
    const from = node * NODE_STRIDE;
    this.reserveFigures(NODE_STRIDE);
    for (let k = 0; k < NODE_STRIDE; k++) this.figures[this.figureEnd + k] = nodeFields[from + k]!;
    this.figureEnd += NODE_STRIDE;
    this.record(NODE_SAVED, node, 0, 0);
  }

  listGrew(list: number[]): void {
    this.lists.push(list);
    this.record(LIST_GREW, 0, 0, 0);
  }

  listShrank(list: number[], at: number, instance: number): void {
    this.lists.push(list);
    this.record(LIST_SHRANK, at, instance, 0);
  }

  savePeer(node: number, primary: number): void {
    const { peers } = this.state;
    this.reserveFigures(2);
    this.figures[this.figureEnd++] = peers.get(node, primary);
    this.figures[this.figureEnd++] = peers.stampOf(node, primary);
    this.record(PEER_CHANGED, node, primary, 0);
  }

  /** The tags of a primary were added to a node (1), or taken from it (-1). */
  tagsChanged(instance: number, node: number, change: 1 | -1): void {
    this.record(TAGS_CHANGED, instance, node, change);
  }

  /** The same of the node's locations. */
  locationsChanged(instance: number, node: number, change: 1 | -1): void {
    this.record(LOCATIONS_CHANGED, instance, node, change);
  }

  savePlacement(instance: number): void {
    const { primary, secondary, locationScore } = this.state;
    this.reserveFigures(1);
    this.figures[this.figureEnd++] = locationScore[instance]!;
    this.record(PLACED, instance, primary[instance]!, secondary[instance]!);
  }

  rollback(mark: number): void {
    while (this.entryEnd > mark) {
      this.entryEnd -= 4;
      const k = this.entryEnd;
      this.undo(this.entries[k]!, this.entries[k + 1]!, this.entries[k + 2]!, this.entries[k + 3]!);
    }
  }

  /** What `work` finds; all that it changes is taken back. */
  tentatively<T>(work: () => T): T {
    const mark = this.mark();
    const found = work();
    this.rollback(mark);
    return found;
  }

  /** What `work` finds; where that is nothing, all that it changed is taken back. */
  attempt<T>(work: () => T): T {
    const mark = this.mark();
    const found = work();
    if (!found) this.rollback(mark);
    return found;
  }

  commit(): void {
    this.entryEnd = 0;
    this.figureEnd = 0;
    this.lists.length = 0;
  }

  private record(kind: number, a: number, b: number, c: number): void {
    if (this.entryEnd === this.entries.length) {
      const wider = new Int32Array(2 * this.entries.length);
      wider.set(this.entries);
      this.entries = wider;
    }
    const { entries, entryEnd } = this;
    entries[entryEnd] = kind;
    entries[entryEnd + 1] = a;
    entries[entryEnd + 2] = b;
    entries[entryEnd + 3] = c;
    this.entryEnd = entryEnd + 4;
  }

  private reserveFigures(count: number): void {
    if (this.figureEnd + count <= this.figures.length) return;
    const wider = new Float64Array(2 * this.figures.length + count);
    wider.set(this.figures);
    this.figures = wider;
  }

  private undo(kind: number, a: number, b: number, c: number): void {
    const { state } = this;
    switch (kind) {
      case NODE_SAVED: {
        this.figureEnd -= NODE_STRIDE;
        const { nodeFields } = state;
        for (let k = 0; k < NODE_STRIDE; k++)
          nodeFields[a * NODE_STRIDE + k] = this.figures[this.figureEnd + k]!;
        break;
      }
      case LIST_GREW:
        this.lists.pop()!.pop();
        break;
      case LIST_SHRANK:
        this.lists.pop()!.splice(a, 0, b);
        break;
      case PEER_CHANGED:
        this.figureEnd -= 2;
        state.peers.restore(a, b, this.figures[this.figureEnd]!, this.figures[this.figureEnd + 1]!);
        break;
      case TAGS_CHANGED:
        state.tags.countPrimary(a, b, c === 1 ? -1 : 1);
        break;
      case LOCATIONS_CHANGED:
        state.tags.countInLocations(a, b, c === 1 ? -1 : 1);
        break;
      default:
        state.primary[a] = b;
        state.secondary[a] = c;
        state.locationScore[a] = this.figures[--this.figureEnd]!;
    }
  }
}
