/**
 * Maximum flow from sources through edges to bins: how much of what is asked for can be placed when
 * everything may be split. Dinic's algorithm on three layers; capacities are whole numbers, so the sums are
 * exact.
 */

/** Builds the network edge by edge, then answers once. */
export class FlowNetwork {
  private readonly sourceCount: number;
  private readonly nodeCount: number;
  private readonly heads: Int32Array;
  private readonly next: number[] = [];
  private readonly to: number[] = [];
  private readonly room: number[] = [];
  private readonly levels: Int32Array;
  private readonly cursor: Int32Array;

  /** @param supplies what each source has to place @param rooms what each bin can take */
  constructor(supplies: readonly number[], rooms: ArrayLike<number>) {
    this.sourceCount = supplies.length;
    this.nodeCount = supplies.length + rooms.length + 2;
    this.heads = new Int32Array(this.nodeCount).fill(-1);
    this.levels = new Int32Array(this.nodeCount);
    this.cursor = new Int32Array(this.nodeCount);
    supplies.forEach((supply, s) => {
      this.addEdge(this.origin, s, supply);
    });
    for (let b = 0; b < rooms.length; b++) this.addEdge(this.sourceCount + b, this.sink, rooms[b]!);
  }

  connect(source: number, bin: number, most: number): void {
    this.addEdge(source, this.sourceCount + bin, most);
  }

  maximum(): number {
    let total = 0;
    while (this.findLevels()) {
      this.cursor.set(this.heads);
      for (let pushed = this.push(this.origin, Number.POSITIVE_INFINITY); pushed > 0; ) {
        total += pushed;
        pushed = this.push(this.origin, Number.POSITIVE_INFINITY);
      }
    }
    return total;
  }

  private get origin(): number {
    return this.nodeCount - 2;
  }

  private get sink(): number {
    return this.nodeCount - 1;
  }

  /** An edge and, behind it, its way back, so that `e ^ 1` is the other one. */
  private addEdge(from: number, to: number, room: number): void {
    const e = this.to.length;
    this.to.push(to, from);
    this.room.push(room, 0);
    this.next.push(this.heads[from]!, this.heads[to]!);
    this.heads[from] = e;
    this.heads[to] = e + 1;
  }

  /** Distances from the origin over edges with room; false when the sink is out of reach. */
  private findLevels(): boolean {
    const { levels, heads, next, to, room } = this;
    levels.fill(-1);
    levels[this.origin] = 0;
    const queue = [this.origin];
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at]!;
      for (let e = heads[node]!; e >= 0; e = next[e]!) {
        if (room[e]! <= 0 || levels[to[e]!]! >= 0) continue;
        levels[to[e]!] = levels[node]! + 1;
        queue.push(to[e]!);
      }
    }
    return levels[this.sink]! >= 0;
  }

  /** Sends up to `most` to the sink along one path of rising levels; as deep as the network is wide. */
  private push(node: number, most: number): number {
    if (node === this.sink) return most;
    const { levels, cursor, next, to, room } = this;
    for (; cursor[node]! >= 0; cursor[node] = next[cursor[node]!]!) {
      const e = cursor[node]!;
      if (room[e]! <= 0 || levels[to[e]!] !== levels[node]! + 1) continue;
      const pushed = this.push(to[e]!, Math.min(most, room[e]!));
      if (pushed > 0) {
        room[e]! -= pushed;
        room[e ^ 1]! += pushed;
        return pushed;
      }
    }
    return 0;
  }
}
