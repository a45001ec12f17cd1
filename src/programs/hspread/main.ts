/** hspread: evens out load over the node groups of a cluster. */
import type { ProgramOptions } from '../../cli/options/command-options.ts';
import { printOut } from '../../cli/output.ts';
import { forbidsInterGroup } from '../../planners/groups/homes/targets.ts';
import { relocationCost } from '../../planners/groups/relocate/job-schedule.ts';
import { Spreading, type SpreadStep } from '../../planners/groups/spread/spread.ts';
import { jsonText } from '../../report/json.ts';
import { assertRelocations, deliver, loadGroupWork, nextSteps } from '../shared/groups/between-groups.ts';
import * as R from './report.ts';

/** @returns the exit status: 0, also when nothing improves */
export async function main(options: ProgramOptions<'hspread'>): Promise<number> {
  const work = await loadGroupWork(options);
  const { snapshot, cluster, say, progress } = work;
  const { bandwidth, diskMoves } = options;
  const spreading = new Spreading(cluster, {
    diskMoves,
    maxSteps: options.maxLength,
    minScore: options.minScore,
    minGain: options.minGain,
    minGainLimit: options.minGainLimit,
  });
  const before = R.pictureOf(spreading.loads, options.outlier);
  say(R.startText(snapshot, before));
  const steps: SpreadStep[] = [];
  for (const step of spreading.steps()) {
    steps.push(step);
    progress.at(() => `move ${steps.length}, spread ${step.score.toFixed(4)}`);
  }
  progress.done();

  const relocations = steps.map(({ relocation }) => relocation);
  const after = assertRelocations(work, relocations, {
    diskMoves,
    emptiedNodes: [],
    healthyGroups: [...spreading.healthy],
  });
  const report = {
    start: snapshot,
    before,
    after: R.pictureOf(spreading.loads, options.outlier),
    steps,
    cost: relocationCost(snapshot, relocations, bandwidth),
    bandwidth,
    movable: spreading.movable.length,
    isForbidden: forbidsInterGroup(cluster),
    diskMoves,
  };
  say(R.spreadText(report));
  deliver(work, relocations, after, 'spread');
  if (steps.length > 0) say(nextSteps(options));
  if (options.json) printOut(jsonText(R.spreadJson(report)));
  else if (options.machineReadable) printOut(R.spreadKeys(report));
  return 0;
}
