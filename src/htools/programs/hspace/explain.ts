/** What `--explain` finds out: it fills variants of the cluster under the rules of the run. */
import { liftFacts, obstacleFacts } from '../../explain/capacity.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { iterate } from '../../planners/allocate/fill/fill-standard.ts';
import { filledSnapshot } from '../../planners/allocate/fill/filled-snapshot.ts';
import { isWeightless, type Size } from '../../planners/allocate/fill/sized-instance.ts';
import { obstaclesTo } from '../../planners/allocate/obstacles/next-obstacle.ts';
import { findLifts, MOST_COUNTED } from '../../planners/allocate/obstacles/what-would-lift.ts';
import type { AllocatedPhase } from './allocations.ts';
import type { ChartRow, Explanation } from './explanation.ts';
import { fillerOn, type Ground } from './ground.ts';
import type { Phase } from './phase.ts';

/** The chart shows the standard size and its doubles; each row is an allocation of its own. */
const CHART_ROWS = 6;

/** Explains why the standard allocation stopped. */
export function explain(
  ground: Ground,
  { phase, filler }: AllocatedPhase,
  options: ProgramOptions<'hspace'>,
  onPlaced: (count: number) => void,
): Explanation {
  const { size } = phase;
  const checksCapacity = !options.noCapacityChecks;
  const instance = ground.instanceOf(size);
  const usable = filler.nodes;
  const shared = { size, usableNodes: usable.length };
  if (ground.isStopped) return { ...shared, stoppedBy: ground.badNodes, obstacles: [], lifts: [], chart: [] };
  // In the end DRBD instances are placed without asking for global redundancy; see iterate.ts.
  const needsRedundancy = checksCapacity && ground.diskTemplate !== 'drbd';
  const obstacles = obstaclesTo(filler, instance, needsRedundancy);
  const trial = {
    full: filledSnapshot(filler.state),
    start: ground.snapshot,
    count: phase.instances.length,
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
    chart: isWeightless(instance) ? [] : chartOf(ground, phase, options, onPlaced),
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
  { size, instances }: Phase,
  options: ProgramOptions<'hspace'>,
  onPlaced: (count: number) => void,
): ChartRow[] {
  const isWhole = options.maxLength === -1;
  const chart: ChartRow[] = isWhole ? [{ size, count: instances.length, isAtLeast: false }] : [];
  while (chart.length < CHART_ROWS && chart.at(-1)?.count !== 0) {
    const rowSize = times(size, 2 ** chart.length);
    const filler = fillerOn(ground, ground.snapshot, { onPlaced });
    const limit = isWhole ? undefined : MOST_COUNTED;
    iterate(filler, ground.instanceOf(rowSize), limit, !options.noCapacityChecks);
    chart.push({
      size: rowSize,
      count: filler.count,
      isAtLeast: limit !== undefined && filler.count >= limit,
    });
  }
  return chart;
}
