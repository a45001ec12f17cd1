/** What `--explain` finds out: it fills variants of the cluster under the rules of the run. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import { liftFacts, obstacleFacts } from '../../explain/capacity.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { iterate } from '../../planners/allocate/fill/fill-standard.ts';
import { filledSnapshot } from '../../planners/allocate/fill/filled-snapshot.ts';
import { isWeightless, type Size } from '../../planners/allocate/fill/sized-instance.ts';
import { obstaclesTo } from '../../planners/allocate/obstacles/next-obstacle.ts';
import { findLifts, MOST_COUNTED } from '../../planners/allocate/obstacles/what-would-lift.ts';
import type { hspace } from '../../results/hspace.ts';
import { type Allocated, sizeJson } from './allocations.ts';
import { fillerOn, type Ground } from './ground.ts';

/** The chart shows the standard size and its doubles; each row is an allocation of its own. */
const CHART_ROWS = 6;

export type Explanation = NonNullable<DocumentOf<typeof hspace>['explanation']>;

/** Explains why the standard allocation stopped. */
export function explain(
  ground: Ground,
  { allocation, size, filler }: Allocated,
  options: ProgramOptions<'hspace'>,
  onPlaced: (count: number) => void,
): Explanation {
  const checksCapacity = !options.noCapacityChecks;
  const instance = ground.instanceOf(size);
  const usable = filler.nodes;
  const shared = { size: sizeJson(size), usableNodes: usable.length };
  if (ground.isStopped) {
    const stoppedBy = ground.badNodes.map((n) => ground.snapshot.nodes[n]!.name);
    return { ...shared, stoppedBy, obstacles: [], lifts: [], chart: [] };
  }
  // In the end DRBD instances are placed without asking for global redundancy; see iterate.ts.
  const needsRedundancy = checksCapacity && ground.diskTemplate !== 'drbd';
  const obstacles = obstaclesTo(filler, instance, needsRedundancy);
  const trial = {
    full: filledSnapshot(filler.state),
    start: ground.snapshot,
    count: allocation.instanceCount,
    instance,
    checksCapacity,
    needsRedundancy,
    fillerOn: (snapshot: Ground['snapshot']) => fillerOn(ground, snapshot, { onPlaced }),
  };
  return {
    ...shared,
    stoppedBy: [],
    obstacles: obstacleFacts(ground.snapshot, obstacles),
    lifts: obstacles.length > 0 ? liftFacts(ground.snapshot, findLifts(trial, obstacles, usable)) : [],
    chart: isWeightless(instance) ? [] : chartOf(ground, size, allocation.instanceCount, options, onPlaced),
  };
}

const times = (size: Size, factor: number): Size => ({
  memMib: size.memMib * factor,
  diskMib: size.diskMib * factor,
  cpuCount: size.cpuCount * factor,
  spindles: size.spindles,
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
  const chart = isWhole ? [{ ...sizeJson(size), count: standardCount, isAtLeast: false }] : [];
  while (chart.length < CHART_ROWS && chart.at(-1)?.count !== 0) {
    const rowSize = times(size, 2 ** chart.length);
    const filler = fillerOn(ground, ground.snapshot, { onPlaced });
    const limit = isWhole ? undefined : MOST_COUNTED;
    iterate(filler, ground.instanceOf(rowSize), limit, !options.noCapacityChecks);
    chart.push({
      ...sizeJson(rowSize),
      count: filler.count,
      isAtLeast: limit !== undefined && filler.count >= limit,
    });
  }
  return chart;
}
