/**
 * What a plan between groups promises for the groups it touches: at the end no offline node has instances,
 * every online node could take over from any one failed peer, and what runs on any of them could start again
 * elsewhere.
 */
import type { Instance } from '../../cluster/snapshot.ts';
import { describeStorage, type Storage } from '../../cluster/storage/storage.ts';
import { hasSecondary, usesNodeDisk } from '../../cluster/templates.ts';
import { type BrokenRule, broken, brokenOf } from './node-rules.ts';
import { countOn, diskSpindles, type Replica, type ReplicaNode, takesMemory } from './replica.ts';

/** The groups' health at the end of plans; one that plans from one start leave alone is judged once. */
export class HealthRules {
  private storage: Storage | undefined;
  private readonly members: readonly (readonly number[])[];
  private readonly untouched: (readonly BrokenRule[] | undefined)[] = [];

  /** @param replica as at the start */
  constructor(private readonly replica: Replica) {
    const members = replica.start.groups.map((): number[] => []);
    for (const { position, record } of replica.nodes) members[record.group]!.push(position);
    this.members = members;
  }

  /** @param groups those that must be healthy @param touched nodes with anything unlike the start */
  of(groups: readonly number[], touched: readonly ReplicaNode[]): readonly BrokenRule[] {
    const changed = new Set(touched.map(({ record }) => record.group));
    return groups.flatMap((group) => {
      if (changed.has(group)) return this.judge(group);
      this.untouched[group] ??= this.judge(group);
      return this.untouched[group];
    });
  }

  /** What comes next has another start. */
  forget(): void {
    this.untouched.length = 0;
  }

  /** @param groups those that must be without any instance */
  emptiness(groups: readonly number[]): readonly BrokenRule[] {
    return groups.flatMap((group) =>
      this.members[group]!.flatMap((n) => {
        const node = this.replica.nodes[n]!;
        const count = countOn(node) + node.forthcomingPrimaries.size + node.forthcomingSecondaries.size;
        return brokenOf(
          count > 0 && broken('empty-group', `${node.record.alias} still has ${count} instance(s)`),
        );
      }),
    );
  }

  private judge(group: number): readonly BrokenRule[] {
    const { replica } = this;
    this.storage ??= replica.storage ?? describeStorage(replica.start);
    const { storage } = this;
    const nodes = this.members[group]!.map((node) => replica.nodes[node]!);
    return nodes.flatMap((node) =>
      node.record.isOffline ? offlineRules(node) : onlineRules(replica, storage, node, nodes),
    );
  }
}

function offlineRules(node: ReplicaNode): readonly BrokenRule[] {
  const count = countOn(node);
  return brokenOf(
    count > 0 && broken('healthy-group', `offline node ${node.record.alias} still has ${count} instance(s)`),
  );
}

function onlineRules(
  replica: Replica,
  storage: Storage,
  node: ReplicaNode,
  members: readonly ReplicaNode[],
): readonly BrokenRule[] {
  const { alias } = node.record;
  return brokenOf(
    node.breaksNPlusOne && broken('healthy-group', `${alias} fails N+1 at the end`),
    restartVerdict(replica, storage, node, members) === 'impossible' &&
      broken('healthy-group', `what runs on ${alias} at the end could not all start again elsewhere`),
  );
}

/** What an instance needs to start, or what there is for it; MiB, and spindles where storage is exclusive. */
interface Amounts {
  mem: number;
  disk: number;
  spindles: number;
}

interface Item extends Readonly<Amounts> {
  readonly row: number;
}

interface Bin extends Amounts {
  readonly node: number;
}

/** Placements that are tried before the question is left open. */
const MOST_TRIES = 20_000;

/** `open`: neither a way was found nor all were tried. */
export type RestartVerdict = 'possible' | 'impossible' | 'open';

const fits = (item: Item, bin: Bin): boolean =>
  // Free memory and disk stay above zero, as everywhere; what is not needed is not asked for.
  (item.mem === 0 || bin.mem - item.mem > 0) &&
  (item.disk === 0 || bin.disk - item.disk > 0) &&
  (item.disk === 0 || item.spindles <= bin.spindles);

function take(item: Item, bin: Bin, direction: 1 | -1): void {
  bin.mem -= direction * item.mem;
  bin.disk -= direction * item.disk;
  if (Number.isFinite(bin.spindles)) bin.spindles -= direction * item.spindles;
}

const memNeed = (instance: Instance): number => (takesMemory(instance) ? instance.memMib : 0);

function itemOf(replica: Replica, storage: Storage, position: number): Item {
  const instance = replica.start.instances[position]!;
  const row = storage.rows[position]!;
  // Disks on the failed node are lost, and have to be made anew.
  const isLost = storage.poolAt(row)?.type === 'internal' && usesNodeDisk(instance.diskTemplate);
  return {
    row,
    mem: memNeed(instance),
    disk: isLost ? instance.diskMib : 0,
    spindles: isLost ? (diskSpindles(instance) ?? Number.POSITIVE_INFINITY) : 0,
  };
}

const binOf = ({ position, record, now, takenSpindles }: ReplicaNode): Bin => ({
  node: position,
  mem: now.freeMemMib,
  disk: now.freeDiskMib,
  spindles: record.hasExclusiveStorage
    ? Math.max(0, record.freeSpindles - takenSpindles)
    : Number.POSITIVE_INFINITY,
});

/**
 * Whether everything that runs on a node could start again elsewhere, should the node fail: the checker's own
 * answer, by trying. Source: docs/why/storage.md, "N+1".
 *
 * DRBD instances start on their secondary. The others are placed one by one, the largest first, on any online
 * node of the group that reaches their pool, each in the fullest node that takes it; where that ends without
 * a place, other nodes are tried, up to a limit.
 * @param members nodes of its group @param storage of the start, stated or not
 */
export function restartVerdict(
  replica: Replica,
  storage: Storage,
  node: ReplicaNode,
  members: readonly ReplicaNode[],
): RestartVerdict {
  const bins = new Map<number, Bin>();
  for (const one of members) if (!one.record.isOffline && one !== node) bins.set(one.position, binOf(one));
  const refuges = [...bins.values()];
  const items: Item[] = [];
  for (const position of node.primaries) {
    const instance = replica.start.instances[position]!;
    const secondary = replica.nodes[replica.secondaryOf[position]!];
    if (!hasSecondary(instance.diskTemplate) || secondary === undefined) {
      items.push(itemOf(replica, storage, position));
      continue;
    }
    if (secondary.record.isOffline) return 'impossible';
    // The secondary of an instance that is split over two groups is no refuge for others.
    const bin = bins.get(secondary.position) ?? binOf(secondary);
    bins.set(secondary.position, bin);
    const need = memNeed(instance);
    if (need > 0 && bin.mem - need <= 0) return 'impossible';
    bin.mem -= need;
  }
  items.sort((a, b) => b.mem - a.mem || b.disk - a.disk);
  return place(items, refuges, storage);
}

function place(items: readonly Item[], bins: readonly Bin[], storage: Storage): RestartVerdict {
  let tries = 0;
  const reaches = (item: Item, bin: Bin): boolean =>
    storage.access[item.row * storage.nodeCount + bin.node] === 1;
  const next = (k: number): RestartVerdict => {
    const item = items[k];
    if (item === undefined) return 'possible';
    const open = new Set(bins.filter((bin) => reaches(item, bin) && fits(item, bin)));
    for (let bin = tightest(open); bin; bin = tightest(open)) {
      if (++tries > MOST_TRIES) return 'open';
      open.delete(bin);
      take(item, bin, 1);
      const found = next(k + 1);
      take(item, bin, -1);
      if (found !== 'impossible') return found;
    }
    return 'impossible';
  };
  return next(0);
}

function tightest(bins: ReadonlySet<Bin>): Bin | undefined {
  let best: Bin | undefined;
  for (const bin of bins) if (best === undefined || bin.mem < best.mem) best = bin;
  return best;
}
