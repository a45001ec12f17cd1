/**
 * Figures that do not add up, as real clusters report them: memory or disk that nothing accounts for, more of
 * it than there can be, instances that are down on nodes which then have too little for them, and records
 * that contradict each other.
 */
import { usesMemory } from '../../src/htools/cluster/instance-status.ts';
import type { MadeCluster, MadeInstance, MadeNode } from './made-cluster.ts';
import { NO_NODE } from './placement.ts';
import type { Random } from './random.ts';

/** What the instances on a node need, in MiB. */
interface Needs {
  readonly usedMib: number;
  readonly stoppedMib: number;
  /** The most that one other node's instances would need here after its failure. */
  readonly reservedMib: number;
}

type Oddity = (node: MadeNode, needs: Needs, random: Random) => void;

/** What the records leave free on a node. */
const recordedMib = (node: MadeNode, { usedMib }: Needs): number =>
  node.totalMemMib - node.nodeMemMib - usedMib;

const ODDITIES: readonly Oddity[] = [
  function memoryIsMissing(node, _, random) {
    node.freeMemMib = Math.round(node.freeMemMib * random.real(0, 0.9));
  },
  function memoryIsLeftOver(node, needs, random) {
    node.freeMemMib = recordedMib(node, needs) + random.between(1, Math.round(node.totalMemMib / 3) + 1);
  },
  function justWhatIsReservedIsFree(node, { reservedMib }, random) {
    node.freeMemMib = reservedMib + random.between(-1, 1);
  },
  function recordsLeaveJustWhatIsReserved(node, needs, random) {
    const left = needs.reservedMib + random.between(-1, 1);
    node.nodeMemMib = Math.max(0, node.totalMemMib - needs.usedMib - left);
    node.freeMemMib = recordedMib(node, needs) + random.between(0, 300);
  },
  // Ganeti takes it off the free memory of its messages, below 0 if need be.
  function whatStoppedInstancesNeedIsGone(node, { stoppedMib }) {
    node.freeMemMib -= stoppedMib;
  },
  function nothingIsFree(node, _, random) {
    node.freeMemMib = random.between(-200, 0);
  },
  function instancesUseMoreThanThereIs(node, { usedMib }, random) {
    node.totalMemMib = Math.max(1, Math.round(usedMib * random.real(0.5, 1)));
  },
  function moreIsFreeThanThereIs(node, _, random) {
    node.freeMemMib = node.totalMemMib + random.between(1, 5000);
  },
  function nodeItselfUsesMoreThanThereIs(node, _, random) {
    node.nodeMemMib = node.totalMemMib + random.between(0, 5000);
  },
  // Shares of 0 in 0 would make stock contradict itself (docs/reference/differences.md).
  function thereIsNoMemory(node, { reservedMib }) {
    if (reservedMib > 0) node.totalMemMib = 0;
  },
  function diskIsMissing(node, _, random) {
    node.freeDiskMib = Math.round(node.freeDiskMib * random.real(0, 0.9));
  },
  function diskIsLeftOver(node, _, random) {
    const usedMib = node.totalDiskMib - node.freeDiskMib;
    node.freeDiskMib += Math.round(usedMib * random.real(0.2, 1.4));
  },
  function noDiskIsFree(node, _, random) {
    node.freeDiskMib = random.between(-300, 0);
  },
  function thereIsNoDisk(node) {
    node.totalDiskMib = 0;
  },
  function cpusAreTheNodesOwn(node, _, random) {
    node.nodeCpus = node.cpuCount + random.between(0, 3);
  },
  function thereAreNoCpus(node) {
    if (node.nodeCpus > 0) node.cpuCount = 0;
  },
  function moreSpindlesAreFreeThanThereAre(node, _, random) {
    node.freeSpindles = node.spindles + random.between(1, 4);
  },
  function thereAreNoSpindles(node) {
    node.spindles = 0;
  },
];

const STOPPED = ['ADMIN_down', 'ERROR_down', 'USER_down', 'ADMIN_offline'] as const;

function needsOf(position: number, instances: readonly MadeInstance[]): Needs {
  let usedMib = 0;
  let stoppedMib = 0;
  const byPeer = new Map<number, number>();
  for (const instance of instances) {
    const { memMib, primary, secondary } = instance;
    if (primary === position && usesMemory(instance)) usedMib += memMib;
    if (primary === position && !usesMemory(instance) && !instance.isForthcoming) stoppedMib += memMib;
    if (
      secondary === position &&
      instance.isAutoBalanced &&
      instance.status !== 'ADMIN_offline' &&
      !instance.isForthcoming
    )
      byPeer.set(primary, (byPeer.get(primary) ?? 0) + memMib);
  }
  return { usedMib, stoppedMib, reservedMib: Math.max(0, ...byPeer.values()) };
}

/** A record that contradicts itself, or says that the instance needs nothing. */
function makeInstanceOdd(instance: MadeInstance, nodeCount: number, random: Random): void {
  const other = (instance.primary + 1) % nodeCount;
  const change = random.pick<() => void>([
    () => {
      instance.secondary = instance.secondary === NO_NODE && nodeCount > 1 ? other : NO_NODE;
    },
    () => {
      instance.memMib = 0;
    },
    () => {
      instance.diskMib = 0;
    },
    () => {
      instance.vcpus = 0;
    },
  ]);
  change();
}

/** Changes some nodes of the cluster in one to three ways, and in some clusters instances as well. */
export function makeOdd(cluster: MadeCluster, random: Random): void {
  const { nodes, instances } = cluster;
  const kinds = random.sample(ODDITIES, random.between(1, 3));
  const share = random.real(0.1, 0.8);
  const stoppedShare = random.chance(0.5) ? random.real(0.2, 0.8) : 0;
  const oddInstanceShare = random.chance(0.2) ? random.real(0.05, 0.3) : 0;
  nodes.forEach((node, position) => {
    if (!random.chance(share)) return;
    for (const instance of instances) {
      if (instance.primary !== position) continue;
      if (random.chance(stoppedShare)) instance.status = random.pick(STOPPED);
      if (random.chance(oddInstanceShare)) makeInstanceOdd(instance, nodes.length, random);
    }
    for (const change of kinds) if (random.chance(0.7)) change(node, needsOf(position, instances), random);
  });
}
