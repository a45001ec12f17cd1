/** hredist: heals node groups by moving instances to healthy ones. */
import type { ProgramOptions } from '../../cli/options/command-options.ts';
import { printOut } from '../../cli/output.ts';
import { redistribute, survey } from '../../planners/groups/heal/redistribute.ts';
import { jobSchedule, relocationCost } from '../../planners/groups/relocate/job-schedule.ts';
import { jsonText } from '../../report/json.ts';
import { assertRelocations, deliver, loadGroupWork, nextSteps } from '../shared/groups/between-groups.ts';
import * as R from './report.ts';

/** @returns the exit status: 0, also when nothing can be done */
export async function main(options: ProgramOptions<'hredist'>): Promise<number> {
  const work = await loadGroupWork(options);
  const { snapshot, cluster, say, progress } = work;
  const found = survey(cluster);
  say(R.surveyText(snapshot, found));
  const result = redistribute(cluster, found, (group) => {
    progress.at(() => `healing ${snapshot.groups[group]!.name}`);
  });
  progress.done();

  const relocations = jobSchedule(snapshot, result.relocations).flat();
  const after = assertRelocations(work, relocations, {
    diskMoves: true,
    emptiedNodes: found.sick.flatMap(({ deadNodes }) => deadNodes),
    healthyGroups: [
      ...found.healthy,
      ...result.healings.filter(({ isHealed }) => isHealed).map(({ group }) => group),
    ],
  });
  const { bandwidth } = options;
  const cost = relocationCost(snapshot, result.relocations, bandwidth);
  const freed = R.freedNodes(cluster, result.healings, found);
  const report = { start: snapshot, survey: found, result, relocations, cost, bandwidth, freed };
  say(R.redistributionText(report));
  deliver(work, relocations, after, 'redistributed');
  if (relocations.length > 0) say(nextSteps(options));
  if (options.json) printOut(jsonText(R.redistributionJson(report)));
  else if (options.machineReadable) printOut(R.redistributionKeys(report));
  return 0;
}
