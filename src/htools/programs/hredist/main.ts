/** hredist: heals node groups, within themselves and by moving instances to healthy ones. */
import type { ProgramOptions } from '../../options/command-options.ts';
import { redistribute } from '../../planners/groups/heal/redistribute.ts';
import { survey } from '../../planners/groups/heal/survey.ts';
import { planFacts } from '../../planners/groups/relocate/plan-facts.ts';
import { planOf } from '../../planners/groups/relocate/relocation-plan.ts';
import { beginGroupWork } from '../shared/groups/begin.ts';
import { finishGroupWork } from '../shared/groups/finish.ts';
import { cutShortOf, deepOptionsOf, GROUP_CANDIDATES_AN_INSTANCE } from '../shared/groups/group-search.ts';
import type { GroupWork } from '../shared/groups/group-work.ts';
import { assertPlan } from '../shared/steps/assert-plan.ts';
import { redistributionDocument, redistributionKeys } from './document.ts';
import { redistributionText } from './text.ts';

export { notBegun } from '../shared/execute/begin.ts';

export const main = (options: ProgramOptions<'hredist'>): Promise<number> =>
  beginGroupWork('hredist', options, plan);

/** @returns the exit status: 0, also when nothing can be done */
async function plan(work: GroupWork<ProgramOptions<'hredist'>>): Promise<number> {
  const { options, snapshot, cluster, selection, progress } = work;
  const found = survey(cluster, selection.only);
  const deep = deepOptionsOf(options, snapshot.instances.length, progress, GROUP_CANDIDATES_AN_INSTANCE);
  const watch = (group: number): void => {
    progress.at(() => `healing ${snapshot.groups[group]!.name}`);
  };
  const result = redistribute(cluster, found, watch, deep);
  progress.done();

  const { healings, relocations } = result;
  const facts = planFacts(snapshot, relocations, cluster.rates);
  const document = redistributionDocument(work, found, result, facts, deep);
  assertPlan(
    planOf(snapshot, relocations, {
      diskMoves: true,
      emptiedNodes: found.sick.flatMap(({ deadNodes }) => deadNodes),
      healthyGroups: [
        ...found.healthy,
        ...healings.filter(({ isHealed }) => isHealed).map(({ group }) => group),
      ],
    }),
  );
  const isSilent = options.verbosity < 1 && healings.length === 0;
  await finishGroupWork(work, {
    plan: facts,
    diskMoves: true,
    suffix: 'redistributed',
    text: isSilent ? '' : redistributionText(snapshot, document, options.verbosity > 1) + cutShortOf(deep),
    document,
    keys: () => redistributionKeys(document),
    page: 'a plan that heals',
    sections: async (why, tables) =>
      (await import('../shared/page/groups-page.ts')).hredistSections({ ...document, ...why }, tables),
  });
  return 0;
}
