/** hspread: evens out load over the node groups of a cluster. */
import type { ProgramOptions } from '../../options/command-options.ts';
import { planFacts } from '../../planners/groups/relocate/plan-facts.ts';
import { planOf } from '../../planners/groups/relocate/relocation-plan.ts';
import type { SpreadStep } from '../../planners/groups/spread/deep-spread.ts';
import { Spreading } from '../../planners/groups/spread/spread.ts';
import { beginGroupWork } from '../shared/groups/begin.ts';
import { finishGroupWork } from '../shared/groups/finish.ts';
import { cutShortOf, deepOptionsOf } from '../shared/groups/group-search.ts';
import type { GroupWork } from '../shared/groups/group-work.ts';
import { assertPlan } from '../shared/steps/assert-plan.ts';
import { pictureOf, spreadDocument, spreadKeys } from './document.ts';
import { spreadText } from './text.ts';

export { notBegun } from '../shared/execute/begin.ts';

export const main = (options: ProgramOptions<'hspread'>): Promise<number> =>
  beginGroupWork('hspread', options, plan);

/** @returns the exit status: 0, also when nothing improves */
async function plan(work: GroupWork<ProgramOptions<'hspread'>>): Promise<number> {
  const { options, snapshot, cluster, selection, progress } = work;
  const { diskMoves, maxLength: maxSteps } = options;
  const spreading = new Spreading(cluster, { ...options, maxSteps, only: selection.only });
  const before = pictureOf(cluster, spreading.loads, options.outlier);
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

  const relocations = steps.map(({ relocation }) => relocation);
  const { moves, ...plan } = planFacts(snapshot, relocations, cluster.rates);
  const moveOf = new Map(moves.map((move) => [move.relocation, move]));
  // In the order in which they were found, which the spreads after them are about, and not by job sets.
  const facts = { ...plan, moves: relocations.map((one) => moveOf.get(one)!) };
  const document = spreadDocument(work, spreading, before, steps, facts, deep, greedy);
  assertPlan(
    planOf(snapshot, relocations, { diskMoves, emptiedNodes: [], healthyGroups: [...spreading.healthy] }),
  );
  const isSilent = options.verbosity < 1 && steps.length === 0;
  await finishGroupWork(work, {
    plan: facts,
    diskMoves,
    suffix: 'spread',
    text: isSilent ? '' : spreadText(snapshot, document, options) + cutShortOf(deep),
    document,
    keys: () => spreadKeys(document),
    page: 'a plan that evens out load',
    sections: async (why, tables) =>
      (await import('../shared/page/groups-page.ts')).hspreadSections({ ...document, ...why }, tables),
  });
  return 0;
}
