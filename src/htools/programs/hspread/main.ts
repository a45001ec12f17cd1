/** hspread: evens out load over the node groups of a cluster. */
import type { ProgramOptions } from '../../options/command-options.ts';
import { planOf } from '../../planners/groups/relocate/relocation-plan.ts';
import type { SpreadStep } from '../../planners/groups/spread/deep-spread.ts';
import { Spreading } from '../../planners/groups/spread/spread.ts';
import { pictureOf, spreadFacts } from '../../planners/groups/spread/spread-facts.ts';
import { cutShortText } from '../shared/balance/search-limits.ts';
import { beginGroupWork } from '../shared/groups/begin.ts';
import { finishGroupWork } from '../shared/groups/finish.ts';
import { deepOptionsOf } from '../shared/groups/group-search.ts';
import type { GroupWork } from '../shared/groups/group-work.ts';
import { assertPlan } from '../shared/steps/assert-plan.ts';
import { spreadJson, spreadKeys } from './data.ts';
import { spreadText } from './text.ts';

export const main = (options: ProgramOptions<'hspread'>): Promise<number> =>
  beginGroupWork('hspread', options, plan);

/** @returns the exit status: 0, also when nothing improves */
async function plan(work: GroupWork<ProgramOptions<'hspread'>>): Promise<number> {
  const { options, snapshot, cluster, selection, progress } = work;
  const { diskMoves, outlier } = options;
  const spreading = new Spreading(cluster, {
    diskMoves,
    maxSteps: options.maxLength,
    minScore: options.minScore,
    minGain: options.minGain,
    minGainLimit: options.minGainLimit,
    only: selection.only,
  });
  const before = pictureOf(cluster, spreading.loads, outlier);
  const start = cluster.mark();
  const greedy: SpreadStep[] = [];
  for (const step of spreading.steps()) {
    greedy.push(step);
    progress.at(() => `move ${greedy.length}, spread ${step.score.toFixed(4)}`);
  }
  const deep = deepOptionsOf(options, snapshot.instances.length, progress);
  if (deep) cluster.rollback(start);
  const steps = deep ? spreading.searchDeep(greedy, deep) : greedy;
  progress.done();

  const facts = spreadFacts(cluster, spreading, before, steps, outlier, deep && greedy);
  const relocations = steps.map(({ relocation }) => relocation);
  assertPlan(
    planOf(snapshot, relocations, { diskMoves, emptiedNodes: [], healthyGroups: [...spreading.healthy] }),
  );
  const isSilent = options.verbosity < 1 && steps.length === 0;
  const workShare = deep?.budget.workShare ?? 1;
  const document = () => spreadJson(snapshot, facts, options, workShare);
  await finishGroupWork(work, {
    plan: facts.plan,
    diskMoves,
    suffix: 'spread',
    text: isSilent ? '' : spreadText(snapshot, facts, options) + cutShortText(workShare),
    document: (more) => ({ ...document(), ...more }),
    keys: () => spreadKeys(facts),
    page: 'a plan that evens out load',
    sections: async (why, tables) =>
      (await import('../shared/page/groups-page.ts')).hspreadSections({ ...document(), ...why }, tables),
  });
  return 0;
}
