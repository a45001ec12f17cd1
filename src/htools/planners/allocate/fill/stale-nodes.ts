/** Which nodes something that was computed per node and instance size must be computed for again. */
import type { Instance } from '../../../cluster/snapshot.ts';
import { usesNodeDisk } from '../../../cluster/templates.ts';
import { kindKey } from '../choose/sized-answers.ts';

/** What of an instance decides about the nodes' scores: disks that are on no node do not. */
export const sizeKey = (instance: Instance): string => {
  const { memMib, diskMib, diskTemplate, vcpus, disks } = instance;
  const spindles = disks.map((disk) => disk.spindles).join('+');
  return `${memMib},${usesNodeDisk(diskTemplate) ? diskMib : 0},${vcpus},${spindles},${kindKey(instance)}`;
};

export class StaleNodes {
  private readonly counts: ReadonlySet<number>;
  private readonly stale: Set<number>;
  private key: string | undefined;

  /** @param all every node that counts */
  constructor(all: readonly number[]) {
    this.counts = new Set(all);
    this.stale = new Set(all);
  }

  touch(nodes: readonly number[]): void {
    for (const n of nodes) if (this.counts.has(n)) this.stale.add(n);
  }

  /** Whether what is kept is about an instance of that key. */
  isAbout(key: string): boolean {
    return key === this.key;
  }

  /** Nodes that changed, and whether all are to be computed, as the last instance had another key. */
  take(key: string): { readonly changed: readonly number[]; readonly isAll: boolean } {
    const isAll = !this.isAbout(key);
    const changed = [...this.stale];
    this.key = key;
    this.stale.clear();
    return { changed, isAll };
  }
}
