/** hspread: evens out load over the node groups of a cluster. */

import { printOut } from '../../../kit/report/output.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { Spreading } from '../../planners/groups/spread/spread.ts';
import { pictureOf, spreadFacts } from '../../planners/groups/spread/spread-facts.ts';
import type { SpreadStep } from '../../planners/groups/spread/spread-step.ts';
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
import { spreadJson, spreadKeys } from './data.ts';
import { spreadText } from './text.ts';

export const main = (options: ProgramOptions<'hspread'>): Promise<number> =>
  beginGroupWork(
    'hspread',
    options,
    (work) => plan(work, options),
    () => assertSearchLimits(options),
  );

/** @returns the exit status: 0, also when nothing improves */
async function plan(work: GroupWork, options: ProgramOptions<'hspread'>): Promise<number> {
  const { snapshot, cluster, selection, say, progress } = work;
  const { bandwidth, diskMoves, outlier } = options;
  const spreading = new Spreading(cluster, {
    diskMoves,
    maxSteps: options.maxLength,
    minScore: options.minScore,
    minGain: options.minGain,
    minGainLimit: options.minGainLimit,
    only: selection.only,
  });
  const before = pictureOf(spreading.loads, outlier);
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

  const facts = spreadFacts(cluster, spreading, before, steps, {
    outlier,
    bandwidthMibPerSecond: bandwidth,
    greedy: deep && greedy,
  });
  assertReplay(
    snapshot,
    steps.map(({ relocation }) => relocation),
    { diskMoves, emptiedNodes: [], healthyGroups: [...spreading.healthy] },
  );
  const isSilent = options.verbosity < 1 && steps.length === 0;
  if (!isSilent) say(spreadText(snapshot, facts, options));
  const explained = await explanationOf(work, facts.plan);
  say(explained.text);
  deliver(work, facts.plan, 'spread');
  if (steps.length > 0) say(nextSteps(options));
  if (options.html !== undefined) {
    const { writePage } = await import('../shared/page/write-page.ts');
    const { hspreadSections } = await import('../shared/page/groups-page.ts');
    const document = { ...spreadJson(snapshot, facts, options), ...explained.page };
    writePage(
      options.html,
      'hspread',
      'a plan that evens out load',
      hspreadSections(document, nodesAround(work, facts.plan)),
    );
  }
  const executed = await executeMoves('hspread', work, facts.plan, diskMoves);
  if (options.json)
    printOut(
      await documentText(
        options,
        wholeDocument(work, { ...spreadJson(snapshot, facts, options), ...explained.document }, executed),
      ),
    );
  else if (options.machineReadable) printOut(spreadKeys(snapshot, facts));
  if (executed.fault) throw executed.fault;
  return 0;
}
