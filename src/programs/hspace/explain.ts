/** What `--explain` finds out: it fills variants of the cluster under the rules of the run. */

import type { ProgramOptions } from '../../cli/options/command-options.ts';
import { obstaclesTo } from '../../planners/allocate/explain/next-obstacle.ts';
import { findLifts } from '../../planners/allocate/explain/what-would-lift.ts';
import { iterate } from '../../planners/allocate/fill/fill-standard.ts';
import { filledSnapshot } from '../../planners/allocate/fill/filled-snapshot.ts';
import { isWeightless, type Size, type SizeCount } from '../../planners/allocate/fill/sized-instance.ts';
import type { AllocatedPhase } from './allocations.ts';
import type { Explanation } from './explanation.ts';
import { fillerOn, type Ground } from './ground.ts';

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
    instance,
    checksCapacity,
    needsRedundancy,
    fillerOn: (snapshot: Ground['snapshot']) => fillerOn(ground, snapshot, { onPlaced }),
  };
  return {
    ...shared,
    stoppedBy: [],
    obstacles,
    lifts: obstacles.length > 0 ? findLifts(trial, obstacles, usable) : [],
    chart: isWeightless(instance) ? [] : chartOf(ground, size, checksCapacity, onPlaced),
  };
}

const times = (size: Size, factor: number): Size => ({
  memMib: size.memMib * factor,
  diskMib: size.diskMib * factor,
  cpuCount: size.cpuCount * factor,
  spindles: size.spindles,
});

/** How many instances of the size and of its doubles fit, each filled in alone; ends at the first that does not fit. */
function chartOf(
  ground: Ground,
  size: Size,
  checksCapacity: boolean,
  onPlaced: (count: number) => void,
): SizeCount[] {
  const chart: SizeCount[] = [];
  for (let row = 0; row < CHART_ROWS; row++) {
    const rowSize = times(size, 2 ** row);
    const filler = fillerOn(ground, ground.snapshot, { onPlaced });
    const instance = ground.instanceOf(rowSize);
    iterate(filler, instance, undefined, checksCapacity);
    chart.push({ size: rowSize, count: filler.count });
    if (filler.count === 0) break;
  }
  return chart;
}
