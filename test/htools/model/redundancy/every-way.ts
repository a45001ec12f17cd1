/**
 * The N+1 question answered by trying everything, and a check of witnesses: from the records alone, with none
 * of the code under test, so that a mistake would have to be made twice.
 */
import type { Instance, Snapshot } from '../../../../src/htools/cluster/snapshot.ts';

const RUNNING = new Set(['running', 'ERROR_up', 'ERROR_nodedown', 'ERROR_nodeoffline', 'ERROR_wrongnode']);
const TEMPLATE_POOLS: Record<string, string> = {
  file: 'internal/file',
  plain: 'internal/lvm',
  drbd: 'internal/lvm',
  sharedfile: 'external/sharedfile',
  gluster: 'external/gluster',
  rbd: 'external/rbd',
  ext: 'external/ext',
  blockdev: 'external/blockdev',
};

const memNeed = (instance: Instance): number =>
  RUNNING.has(instance.status) && !instance.isForthcoming ? instance.memMib : 0;

export class EveryWay {
  private readonly snapshot: Snapshot;
  private readonly freeMem: number[];

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.freeMem = snapshot.nodes.map((node, n) => {
      const used = snapshot.instances
        .filter((instance) => instance.primary === n)
        .reduce((sum, instance) => sum + memNeed(instance), 0);
      return Math.min(node.freeMemMib, node.totalMemMib - node.nodeMemMib - used);
    });
  }

  /** Positions of the instances that have to start again. */
  needing(failed: number): number[] {
    return this.snapshot.instances.flatMap((instance, i) =>
      instance.primary === failed && !instance.isForthcoming ? [i] : [],
    );
  }

  /** Nodes that an instance may start on at all, room left aside. */
  choices(i: number, failed: number): number[] {
    const { nodes, instances } = this.snapshot;
    const instance = instances[i]!;
    if (instance.diskTemplate === 'drbd') {
      return nodes[instance.secondary]!.isOffline ? [] : [instance.secondary];
    }
    return nodes.flatMap((node, n) =>
      n !== failed && !node.isOffline && node.group === nodes[failed]!.group && this.reaches(n, instance)
        ? [n]
        : [],
    );
  }

  /** Whether these starts are possible all at once: memory and disk of no node used up. */
  isPossible(starts: readonly (readonly [number, number])[]): boolean {
    return this.snapshot.nodes.every((node, n) => {
      const here = starts.filter(([, target]) => target === n).map(([i]) => this.snapshot.instances[i]!);
      const mem = here.reduce((sum, instance) => sum + memNeed(instance), 0);
      const disk = here.reduce((sum, instance) => sum + this.diskNeed(instance), 0);
      const spindles = here.reduce((sum, instance) => sum + this.spindleNeed(instance), 0);
      return (
        (mem === 0 || mem < this.freeMem[n]!) &&
        (disk === 0 || disk < node.freeDiskMib) &&
        (spindles === 0 || !node.hasExclusiveStorage || spindles <= node.freeSpindles)
      );
    });
  }

  /** Whether there is any way. */
  exists(failed: number): boolean {
    const instances = this.needing(failed);
    const starts: [number, number][] = [];
    const place = (k: number): boolean => {
      // What is too much already does not become less.
      if (!this.isPossible(starts)) return false;
      if (k === instances.length) return true;
      return this.choices(instances[k]!, failed).some((target) => {
        starts.push([instances[k]!, target]);
        const isGood = place(k + 1);
        starts.pop();
        return isGood;
      });
    };
    return place(0);
  }

  /** Whole spindles for disks that are made anew; an instance that does not say how many fits nowhere. */
  private spindleNeed(instance: Instance): number {
    if (this.diskNeed(instance) === 0) return 0;
    return instance.disks.reduce((sum, { spindles }) => sum + (spindles ?? Number.POSITIVE_INFINITY), 0);
  }

  private diskNeed(instance: Instance): number {
    const isLost = this.poolOf(instance)?.startsWith('internal/') && instance.diskTemplate !== 'drbd';
    return isLost && instance.diskTemplate === 'plain' ? instance.diskMib : 0;
  }

  private poolOf(instance: Instance): string | undefined {
    return instance.storagePool ?? TEMPLATE_POOLS[instance.diskTemplate];
  }

  private reaches(n: number, instance: Instance): boolean {
    const pool = this.poolOf(instance);
    const { nodes } = this.snapshot;
    if (pool === undefined || nodes.every((node) => node.storagePools === undefined)) return true;
    return (nodes[n]!.storagePools ?? ['internal/lvm', 'internal/file']).includes(pool);
  }
}
