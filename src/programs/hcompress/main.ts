/** hcompress: finds node groups that can be emptied and given back. */
import type { ProgramOptions } from '../../cli/options/command-options.ts';
import { printOut } from '../../cli/output.ts';
import { ExecutionError } from '../../cluster/faults.ts';
import { isReclaimable, judgeGroups, type Reclaimed, reclaim } from '../../planners/groups/empty/compress.ts';
import { jobSchedule, relocationCost } from '../../planners/groups/relocate/job-schedule.ts';
import type { RelocationLimits } from '../../planners/groups/relocate/relocation-plan.ts';
import { jsonText } from '../../report/json.ts';
import {
  assertRelocations,
  assertReplay,
  deliver,
  type GroupWork,
  loadGroupWork,
  nextSteps,
} from '../shared/groups/between-groups.ts';
import * as D from './data.ts';
import * as C from './text.ts';

const EXIT_RECLAIMABLE = 1;

/** @throws ExecutionError when the plan's commands or states are asked for and no plan is: nothing would be written */
function assertPlanIsAskedFor(
  { printCommands, save }: ProgramOptions<'hcompress'>,
  wantsPlan: boolean,
): void {
  if (wantsPlan || (printCommands ?? save) === undefined) return;
  throw new ExecutionError(
    '--print-commands and --save are about the plan of --evacuate',
    'add --evacuate (and leave --check out)',
  );
}

/** @returns the exit status: 0; with `--check` 1 when a group could be given back */
export async function main(options: ProgramOptions<'hcompress'>): Promise<number> {
  const wantsPlan = options.evacuate && !options.check;
  assertPlanIsAskedFor(options, wantsPlan);
  const work = await loadGroupWork(options);
  const { snapshot, cluster, say, progress } = work;
  const { bandwidth } = options;
  const watch = (group: number, done: number, of: number): void =>
    progress.at(() => `group ${done + 1} of ${of}: ${snapshot.groups[group]!.name}`);
  const healthy = cluster.groups.filter((group) => cluster.healthOf(group).state === 'healthy');
  const verdicts = judgeGroups(cluster, watch);
  const costs = new Map(
    verdicts.flatMap(({ group, outcome }) => {
      if (typeof outcome === 'string' || !outcome.isPossible) return [];
      assertReplay(snapshot, outcome.relocations, limitsOf(work, [group], healthy));
      return [[group, relocationCost(snapshot, outcome.relocations, bandwidth)] as const];
    }),
  );
  const together =
    options.all || wantsPlan
      ? reclaim(cluster, verdicts, options.all ? Number.POSITIVE_INFINITY : 1, watch)
      : undefined;
  progress.done();
  const plan = wantsPlan && together ? planFor(work, together) : undefined;
  const report = {
    start: snapshot,
    storage: cluster.storage,
    verdicts,
    costs,
    together,
    plan,
    isAll: options.all,
    bandwidth,
  };
  if (options.check) {
    say(C.checkText(report));
    if (options.json) printOut(jsonText(D.checkJson(report)));
    else if (options.machineReadable) printOut(D.compressionKeys(report));
    return verdicts.some(isReclaimable) ? EXIT_RECLAIMABLE : 0;
  }
  say(C.compressionText(report));
  if (plan && together && together.length > 0) {
    const emptied = together.map(({ group }) => group);
    const after = assertRelocations(work, plan.relocations, limitsOf(work, emptied, healthy));
    deliver(work, plan.relocations, after, 'compressed');
    if (plan.relocations.length > 0) say(nextSteps(options));
  } else say(C.hintText(report));
  if (options.json) printOut(jsonText(D.compressionJson(report)));
  else if (options.machineReadable) printOut(D.compressionKeys(report));
  return 0;
}

/** What a plan that empties groups may do, and which groups it leaves healthy. */
const limitsOf = (
  { cluster }: GroupWork,
  emptied: readonly number[],
  healthy: readonly number[],
): RelocationLimits => ({
  diskMoves: true,
  emptiedNodes: emptied.flatMap((group) => cluster.members[group]!),
  healthyGroups: [...new Set([...healthy, ...emptied])],
});

/** All moves of the groups in their turn, in the order in which they can be made. */
function planFor({ snapshot, options }: GroupWork, together: readonly Reclaimed[]): C.CompressionPlan {
  const relocations = together.flatMap((one) => one.relocations);
  return {
    relocations: jobSchedule(snapshot, relocations).flat(),
    cost: relocationCost(snapshot, relocations, options.bandwidth),
  };
}
