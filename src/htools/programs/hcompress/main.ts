/** hcompress: finds node groups that can be emptied and given back. */
import { EXIT } from '../../../kit/exit-status.ts';
import { ExecutionError } from '../../../kit/faults.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { PlanChecker } from '../../plan/checker/check.ts';
import type { DeepOptions } from '../../planners/anneal/budget.ts';
import {
  type GroupVerdict,
  isReclaimable,
  isWorthwhile,
  judgeGroups,
} from '../../planners/groups/empty/compress.ts';
import {
  type CompressionFacts,
  compressionFacts,
  type Wanted,
} from '../../planners/groups/empty/compression-facts.ts';
import { findTogether } from '../../planners/groups/empty/together.ts';
import type { Relocation } from '../../planners/groups/relocate/relocation.ts';
import { planOf, type RelocationLimits } from '../../planners/groups/relocate/relocation-plan.ts';
import { cutShortText } from '../shared/balance/search-limits.ts';
import { beginGroupWork } from '../shared/groups/begin.ts';
import { finishGroupWork, type GroupResult } from '../shared/groups/finish.ts';
import { deepOptionsOf, GROUP_CANDIDATES_A_SECOND } from '../shared/groups/group-search.ts';
import type { GroupWork } from '../shared/groups/group-work.ts';
import { assertNoFaults } from '../shared/steps/assert-plan.ts';
import { checkJson, compressionJson, compressionKeys } from './data.ts';
import { checkText, compressionText, hintText } from './text.ts';

export { configure } from '../shared/config/configure.ts';

type Options = ProgramOptions<'hcompress'>;
type Work = GroupWork<Options>;

/** @throws ExecutionError when a plan's commands or states are asked for, and no plan is */
function assertPlanIsAskedFor(
  { printCommands, save, exec, explainSteps }: Options,
  wantsPlan: boolean,
): void {
  if (wantsPlan || !(exec || explainSteps || (printCommands ?? save) !== undefined)) return;
  throw new ExecutionError(
    '--print-commands, --save, --exec and --explain apply only to the plan of --evacuate',
    'add --evacuate (and leave --check out)',
  );
}

export function main(options: Options): Promise<number> {
  const wantsPlan = options.evacuate && !options.check;
  return beginGroupWork(
    'hcompress',
    options,
    (work) => compress(work, wantsPlan),
    () => assertPlanIsAskedFor(options, wantsPlan),
  );
}

/** @returns the exit status: 0; with `--check` another one when a group could be given back */
async function compress(work: Work, wantsPlan: boolean): Promise<number> {
  const { options, snapshot, cluster, selection, progress } = work;
  const watch = (group: number, done: number, of: number): void =>
    progress.at(() => `group ${done + 1} of ${of}: ${snapshot.groups[group]!.name}`);
  const judged = judgeGroups(
    cluster,
    watch,
    selection.only === undefined ? cluster.groups : [selection.only],
  );
  const known = choose(work, judged, wantsPlan, watch);
  const deep = deepOptionsOf(options, snapshot.instances.length, progress, GROUP_CANDIDATES_A_SECOND);
  const { verdicts, wanted } = deep
    ? await deepened(work, judged, known, wantsPlan, deep)
    : { verdicts: judged, wanted: known };
  progress.done();
  assertVerdicts(work, verdicts, wanted);
  const facts = compressionFacts(cluster, verdicts, wanted);
  const isFound = verdicts.some(isWorthwhile);
  const workShare = deep?.budget.workShare ?? 1;
  const document = () => compressionJson(snapshot, facts, options, workShare);
  await finishGroupWork(work, {
    plan: facts.plan,
    emptied: wanted.emptied,
    diskMoves: true,
    suffix: 'compressed',
    ...wordsOf(work, facts, isFound, workShare),
    document: (more) => ({ ...(options.check ? checkJson(facts) : document()), ...more }),
    keys: () => compressionKeys(facts),
    page: 'groups that could be given back',
    sections: async (why, tables) =>
      (await import('../shared/page/groups-page.ts')).hcompressSections({ ...document(), ...why }, tables),
  });
  return options.check && isFound ? EXIT.left : 0;
}

/** What is told: with `--check` a paragraph for cron. */
function wordsOf(
  { options, snapshot }: Work,
  facts: CompressionFacts,
  isFound: boolean,
  workShare: number,
): Pick<GroupResult, 'text' | 'hint'> {
  const isQuiet = options.verbosity < 1;
  if (options.check) return { text: isFound || !isQuiet ? checkText(facts) : '', hint: '' };
  const isSilent = isQuiet && facts.reclaimable.length === 0;
  const text = isSilent
    ? ''
    : compressionText(snapshot, facts, options.verbosity > 1) + cutShortText(workShare);
  if (facts.plan && facts.emptied.length > 0) return { text };
  return { text, hint: isQuiet ? '' : hintText(facts) };
}

/** What is to be done: as many groups as go together, or the one that gives back most. */
function choose(
  { cluster, options }: Work,
  verdicts: readonly GroupVerdict[],
  wantsPlan: boolean,
  watch: Parameters<typeof findTogether>[2],
): Wanted {
  if (options.all) {
    const together = findTogether(cluster, verdicts, watch);
    return { together, emptied: together.groups, plan: wantsPlan ? together.relocations : undefined };
  }
  const first = wantsPlan ? verdicts.find(isReclaimable) : undefined;
  return first
    ? { together: undefined, emptied: [first.group], plan: first.outcome.relocations }
    : { together: undefined, emptied: [], plan: wantsPlan ? [] : undefined };
}

/** The same by the deep search, and what is done without it. */
async function deepened(
  work: Work,
  judged: readonly GroupVerdict[],
  known: Wanted,
  wantsPlan: boolean,
  deep: DeepOptions,
): Promise<{ readonly verdicts: readonly GroupVerdict[]; readonly wanted: Wanted }> {
  const { cluster, snapshot, progress } = work;
  const { DeepEmptier } = await import('../../planners/groups/empty/deep-emptying.ts');
  const watch = (group: number): void => progress.at(() => `searching: ${snapshot.groups[group]!.name}`);
  const emptier = new DeepEmptier({ cluster, watch, ...deep });
  const verdicts = emptier.judge(judged);
  let wanted = known.together === undefined ? choose(work, verdicts, wantsPlan, () => {}) : known;
  if (known.together) {
    const set = emptier.together(known.together, verdicts);
    const relocations = emptier.gently(set.groups, set.relocations);
    const together = { ...set, relocations };
    wanted = { together, emptied: set.groups, plan: wantsPlan ? relocations : undefined };
  } else if (wanted.plan) wanted = { ...wanted, plan: emptier.gently(wanted.emptied, wanted.plan) };
  const movesOf = ({ together, plan }: Wanted): readonly Relocation[] => together?.relocations ?? plan ?? [];
  const before = movesOf(known);
  const search = {
    meanScore: emptier.meanScore(wanted.emptied, movesOf(wanted)),
    greedy: {
      reclaimable: judged.filter(isReclaimable).length,
      groupsEmptied: known.emptied.length,
      instances: before.length,
      copiedMib: cluster.copiedMib(before),
      meanScore: emptier.meanScore(known.emptied, before),
    },
  };
  return { verdicts, wanted: { ...wanted, search } };
}

/** Replays every plan that is spoken of. */
function assertVerdicts(
  work: Work,
  verdicts: readonly GroupVerdict[],
  { together, emptied, plan }: Wanted,
): void {
  const { snapshot, cluster } = work;
  const healthy = cluster.healthyGroups();
  const limits = (groups: readonly number[]): RelocationLimits => ({
    diskMoves: true,
    emptiedNodes: groups.flatMap((group) => cluster.members[group]!),
    healthyGroups: [...healthy].filter((group) => !groups.includes(group)),
    emptyGroups: groups,
  });
  const checker = new PlanChecker(snapshot);
  const replay = (relocations: readonly Relocation[], groups: readonly number[]): void =>
    assertNoFaults(checker.check(planOf(snapshot, relocations, limits(groups))));
  for (const verdict of verdicts)
    if (isReclaimable(verdict)) replay(verdict.outcome.relocations, [verdict.group]);
  if (together) replay(together.relocations, together.groups);
  else if (plan) replay(plan, emptied);
}
