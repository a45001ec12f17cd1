/** Reservations laid out for loops over nodes: for one primary, and for all pairs of some nodes. */
import { ExecutionError } from '../../../kit/faults.ts';
import { float64, int32 } from '../../../kit/shared-arrays.ts';
import type { ClusterState } from './state.ts';

/** What every node reserves for one primary at a time. */
export class PeerRow {
  private readonly row: Float64Array;
  /** Nodes of which the row says more than nothing. */
  private readonly filled: Int32Array;
  private filledCount = 0;

  constructor(private readonly state: ClusterState) {
    this.row = new Float64Array(state.nodeCount);
    this.filled = new Int32Array(state.nodeCount);
  }

  /** MiB by node position. Valid until the next primary is opened or the state changes. */
  open(primary: number): Float64Array {
    const { state, row, filled } = this;
    for (let k = 0; k < this.filledCount; k++) row[filled[k]!] = 0;
    this.filledCount = 0;
    for (const [node, reserved] of state.peers.of(primary)) {
      row[node] = reserved;
      filled[this.filledCount++] = node;
    }
    return row;
  }

  /** The nodes that reserve something for the primary that is open. Valid as long as its row. */
  get reserving(): Int32Array {
    return this.filled.subarray(0, this.filledCount);
  }
}

/** Reservations of some nodes for each other, as two squares over shared memory. */
export interface PeerSquares {
  /** Nodes along an edge. */
  readonly size: number;
  /** Place of a node along the edges; -1 for the others. */
  readonly placeOf: Int32Array;
  /** `[place of node * size + place of primary]`. */
  readonly peers: Float64Array;
  /** The same the other way round, `[place of primary * size + place of node]`. */
  readonly byPrimary: Float64Array;
}

/**
 * @param nodes positions, each once
 * @throws ExecutionError where the squares are larger than memory
 */
export function peerSquares(state: ClusterState, nodes: readonly number[]): PeerSquares {
  const size = nodes.length;
  const placeOf = int32(state.nodeCount).fill(-1);
  nodes.forEach((node, place) => {
    placeOf[node] = place;
  });
  const squares = { size, placeOf, peers: squareOf(size), byPrimary: squareOf(size) };
  for (const node of nodes) {
    for (const i of state.secondaries[node]!) refreshPair(state, squares, node, state.reservedFor(i));
  }
  return squares;
}

function squareOf(size: number): Float64Array {
  try {
    return float64(size * size);
  } catch {
    throw new ExecutionError(
      `${size} nodes are too many to be balanced together: there is no memory for all their pairs`,
      'part them into smaller groups',
    );
  }
}

/** Takes over what changed between these nodes. */
export function refreshSquares(state: ClusterState, squares: PeerSquares, changed: readonly number[]): void {
  for (const node of changed) for (const primary of changed) refreshPair(state, squares, node, primary);
}

function refreshPair(state: ClusterState, squares: PeerSquares, node: number, primary: number): void {
  const { size, placeOf, peers, byPrimary } = squares;
  const row = placeOf[node]!;
  const column = placeOf[primary]!;
  if (row < 0 || column < 0) return;
  const reserved = state.peers.get(node, primary);
  peers[row * size + column] = reserved;
  byPrimary[column * size + row] = reserved;
}
