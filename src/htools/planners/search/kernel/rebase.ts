/** The layout of a cluster after some steps: the same, with figures as a kernel's books have them. */
import type { Kernel } from './kernel.ts';
import type { SearchLayout } from './layout.ts';

/** Prices, open placements and ways are seen from the new start then. */
export function rebased({ layout, books }: Kernel): SearchLayout {
  return {
    ...layout,
    primary: books.primary.slice(),
    secondary: books.secondary.slice(),
    x: books.x.slice(),
    reservedX: books.reservedX.slice(),
    plain: books.plain[0]!,
    freeMem: books.freeMem.slice(),
    rooms: books.rooms.values.slice(),
    counts: books.counts.slice(),
    n1: books.n1.slice(),
    fails: books.fails.slice(),
    reserved: books.reserved.slice(),
    peers: books.peers.slice(),
    tagCounts: books.tagCounts.slice(),
    pairCounts: books.locations.pairCounts.slice(),
  };
}
