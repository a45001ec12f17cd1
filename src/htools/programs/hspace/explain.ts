/** What `--explain` finds out: it fills variants of the cluster under the rules of the run. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { withLargerPool } from '../../cluster/tags/tags.ts';
import { type Change, editWords } from '../../explain/lifts.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { iterate } from '../../planners/allocate/fill/fill-standard.ts';
import { filledSnapshot, type Upgrade } from '../../planners/allocate/fill/filled-snapshot.ts';
import { type Obstacle, obstaclesTo } from '../../planners/allocate/obstacles/next-obstacle.ts';
import { findLifts, type Lift, MOST_COUNTED } from '../../planners/allocate/obstacles/what-would-lift.ts';
import { isSameSize, type Size } from '../../planners/allocate/sized-instance.ts';
import type { ProgramDocument } from '../../results/all.ts';
import type { CapacityLift, CapacityObstacle } from '../../results/hspace.ts';
import type { Allocated } from './allocations.ts';
import { fillerOn, type Ground } from './ground.ts';

/** The chart shows the standard size and its doubles; each row is an allocation of its own. */
const CHART_ROWS = 6;

export type Explanation = NonNullable<ProgramDocument<'hspace'>['explanation']>;

const obstacleFacts = ({ nodes }: Snapshot, obstacles: readonly Obstacle[]): CapacityObstacle[] =>
  obstacles.map(({ rule, role, nodes: refusing, least, pool }) => ({
    rule,
    role,
    ...(pool !== undefined && { detail: pool }),
    nodes: refusing.map((n) => nodes[n]!.name),
    least: least ? { ...least, node: nodes[least.node]!.name } : null,
  }));

function wordsOf({ nodes, tags }: Snapshot, upgrades: readonly Upgrade[]): string[] {
  let after: readonly string[] = tags;
  const changes: Change[] = [];
  for (const { node, resource, amount, pool } of upgrades)
    if (pool !== undefined) after = withLargerPool(after, pool, amount);
    else if (resource !== 'pool') changes.push({ node: nodes[node]!.name, resource, amount });
  const gone = tags.filter((tag) => !after.includes(tag)).map((tag) => `-${tag}`);
  const come = after.filter((tag) => !tags.includes(tag)).map((tag) => `+${tag}`);
  return [...editWords(changes), ...(come.length > 0 ? [`tag cluster ${[...gone, ...come].join(' ')}`] : [])];
}

const liftFacts = (snapshot: Snapshot, lifts: readonly Lift[]): CapacityLift[] =>
  lifts.map(({ upgrades, nodeLike, gain, isAtLeast }) => ({
    lift:
      nodeLike === undefined
        ? wordsOf(snapshot, upgrades)
        : [`add node like ${snapshot.nodes[nodeLike]!.name}`],
    gain,
    isAtLeast,
  }));

export function explain(
  ground: Ground,
  { allocation, filler }: Allocated,
  options: ProgramOptions<'hspace'>,
  onPlaced: (count: number) => void,
): Explanation {
  const checksCapacity = !options.noCapacityChecks;
  const { size, instanceCount } = allocation;
  const instance = ground.instanceOf(size);
  const usable = filler.nodes;
  const shared = { size, usableNodes: usable.length };
  if (ground.isStopped) {
    const stoppedBy = ground.badNodes.map((n) => ground.snapshot.nodes[n]!.name);
    return { ...shared, stoppedBy, obstacles: [], lifts: [], chart: [] };
  }
  const obstacles = obstaclesTo(filler, instance, checksCapacity);
  const trial = {
    full: filledSnapshot(filler.state),
    start: ground.snapshot,
    count: instanceCount,
    instance,
    checksCapacity,
    fillerOn: (snapshot: Snapshot) => fillerOn(ground, snapshot, onPlaced),
  };
  return {
    ...shared,
    stoppedBy: [],
    obstacles: obstacleFacts(ground.snapshot, obstacles),
    lifts: obstacles.length > 0 ? liftFacts(ground.snapshot, findLifts(trial, obstacles, usable)) : [],
    chart:
      isSameSize(times(size, 2), size) || filler.takesAnyNumber(instance)
        ? []
        : chartOf(ground, size, instanceCount, options, onPlaced),
  };
}

const times = (size: Size, factor: number): Size => ({
  ...size,
  memMib: size.memMib * factor,
  diskMib: size.diskMib * factor,
  vcpus: size.vcpus * factor,
});

/**
 * How many instances of the size and of its doubles fit, each filled in alone; ends at the first that does
 * not fit. The size itself was filled in already, and its doubles take no longer; only where that was cut
 * short are the counts cut short, too.
 */
function chartOf(
  ground: Ground,
  size: Size,
  standardCount: number,
  options: ProgramOptions<'hspace'>,
  onPlaced: (count: number) => void,
): Explanation['chart'] {
  const isWhole = options.maxLength === -1;
  const chart = isWhole ? [{ ...size, count: standardCount, isAtLeast: false }] : [];
  while (chart.length < CHART_ROWS && chart.at(-1)?.count !== 0) {
    const rowSize = times(size, 2 ** chart.length);
    const filler = fillerOn(ground, ground.snapshot, onPlaced);
    const limit = isWhole ? undefined : MOST_COUNTED;
    iterate(filler, ground.instanceOf(rowSize), limit, !options.noCapacityChecks);
    chart.push({ ...rowSize, count: filler.count, isAtLeast: limit !== undefined && filler.count >= limit });
  }
  return chart;
}
