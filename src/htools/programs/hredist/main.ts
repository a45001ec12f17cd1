/** hredist: heals node groups, within themselves and by moving instances to healthy ones. */

import { printOut } from '../../../kit/report/output.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { redistributionFacts } from '../../planners/groups/heal/healing-facts.ts';
import { redistribute } from '../../planners/groups/heal/redistribute.ts';
import { survey } from '../../planners/groups/heal/survey.ts';
import { assertSearchLimits } from '../shared/balance/search-limits.ts';
import { documentText } from '../shared/document/document-text.ts';
import { beginGroupWork } from '../shared/groups/begin.ts';
import {
  assertReplay,
  deliver,
  executeMoves,
  explanationOf,
  type GroupWork,
  nextSteps,
  nodesAround,
  wholeDocument,
} from '../shared/groups/between-groups.ts';
import { deepOptionsOf } from '../shared/groups/group-search.ts';
import { redistributionJson, redistributionKeys } from './data.ts';
import { redistributionText } from './text.ts';

export const main = (options: ProgramOptions<'hredist'>): Promise<number> =>
  beginGroupWork(
    'hredist',
    options,
    (work) => plan(work, options),
    () => assertSearchLimits(options),
  );

/** @returns the exit status: 0, also when nothing can be done */
async function plan(work: GroupWork, options: ProgramOptions<'hredist'>): Promise<number> {
  const { snapshot, cluster, selection, say, progress } = work;
  const found = survey(cluster, selection.only);
  const deep = deepOptionsOf(options, snapshot.instances.length, progress);
  const watch = (group: number): void => {
    progress.at(() => `healing ${snapshot.groups[group]!.name}`);
  };
  const result = redistribute(cluster, found, watch, deep);
  progress.done();

  const facts = redistributionFacts(cluster, found, result, options.bandwidth);
  assertReplay(snapshot, result.relocations, {
    diskMoves: true,
    emptiedNodes: found.sick.flatMap(({ deadNodes }) => deadNodes),
    healthyGroups: [
      ...found.healthy,
      ...result.healings.filter(({ isHealed }) => isHealed).map(({ group }) => group),
    ],
  });
  const isSilent = options.verbosity < 1 && facts.counts.sick === 0;
  if (!isSilent) say(redistributionText(snapshot, facts, options.verbosity > 1));
  const explained = await explanationOf(work, facts.plan);
  say(explained.text);
  deliver(work, facts.plan, 'redistributed');
  if (facts.plan.moves.length > 0) say(nextSteps(options));
  if (options.html !== undefined) {
    const { writePage } = await import('../shared/page/write-page.ts');
    const { hredistSections } = await import('../shared/page/groups-page.ts');
    const document = { ...redistributionJson(snapshot, facts, options), ...explained.page };
    writePage(
      options.html,
      'hredist',
      'a plan that heals',
      hredistSections(document, nodesAround(work, facts.plan)),
    );
  }
  const executed = await executeMoves('hredist', work, facts.plan, true);
  if (options.json)
    printOut(
      await documentText(
        options,
        wholeDocument(
          work,
          { ...redistributionJson(snapshot, facts, options), ...explained.document },
          executed,
        ),
      ),
    );
  else if (options.machineReadable) printOut(redistributionKeys(snapshot, facts));
  if (executed.fault) throw executed.fault;
  return 0;
}
