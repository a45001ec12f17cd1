/** Memory (MiB) that nodes reserve for the primaries of others; few pairs of nodes have any. */
export class PeerTable {
  /** By primary, and by the node that reserves. */
  private readonly reserved: readonly Map<number, number>[];
  /** When each was written, in the same way; undefined where nobody asks. */
  private readonly stamps: readonly Map<number, number>[] | undefined;
  private clock = 1;

  /** @param tracksOrder of writing, which only the `peermap` column shows */
  constructor(nodeCount: number, tracksOrder: boolean) {
    const tables = (): Map<number, number>[] => Array.from({ length: nodeCount }, () => new Map());
    this.reserved = tables();
    this.stamps = tracksOrder ? tables() : undefined;
  }

  /** What a node reserves for the primaries of another; 0 for most pairs. */
  get(node: number, primary: number): number {
    return this.reserved[primary]!.get(node) ?? 0;
  }

  /** By node, all that is reserved for the primaries of one. */
  of(primary: number): ReadonlyMap<number, number> {
    return this.reserved[primary]!;
  }

  /** When the entry was written; 0 where there is none. */
  stampOf(node: number, primary: number): number {
    return this.stamps?.[primary]?.get(node) ?? 0;
  }

  /** Writes a reservation; it is the latest entry now. */
  set(node: number, primary: number, reserved: number): void {
    this.restore(node, primary, reserved, this.clock++);
  }

  /** Puts an entry back as it was, its place in the order included. */
  restore(node: number, primary: number, reserved: number, stamp: number): void {
    const own = this.reserved[primary]!;
    if (reserved === 0) own.delete(node);
    else own.set(node, reserved);
    this.stamps?.[primary]?.set(node, stamp);
  }

  /** Takes an entry off the order; what it reserves stays. */
  forgetStamp(node: number, primary: number): void {
    this.stamps?.[primary]?.delete(node);
  }
}
