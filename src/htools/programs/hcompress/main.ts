/** hcompress: finds node groups that can be emptied and given back. */
import { EXIT } from '../../../kit/exit-status.ts';
import { ExecutionError } from '../../../kit/faults.ts';
import { wrapped } from '../../../kit/report/sentences.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { PlanChecker } from '../../plan/checker/check.ts';
import type { DeepOptions } from '../../planners/anneal/budget.ts';
import {
  type GroupVerdict,
  isDecided,
  isReclaimable,
  isWorthwhile,
  judgeGroups,
  type Watch,
} from '../../planners/groups/empty/compress.ts';
import { findTogether, type Wanted } from '../../planners/groups/empty/together.ts';
import type { SuperCluster } from '../../planners/groups/homes/super-cluster.ts';
import { planFacts } from '../../planners/groups/relocate/plan-facts.ts';
import { planOf } from '../../planners/groups/relocate/relocation-plan.ts';
import { beginGroupWork } from '../shared/groups/begin.ts';
import { finishGroupWork } from '../shared/groups/finish.ts';
import { cutShortOf, deepOptionsOf, GROUP_CANDIDATES_AN_INSTANCE } from '../shared/groups/group-search.ts';
import type { GroupWork } from '../shared/groups/group-work.ts';
import { assertNoFaults } from '../shared/steps/assert-plan.ts';
import { checkDocument, compressionDocument, compressionKeys } from './document.ts';
import { checkSummary, compressionText, hintText } from './text.ts';

export { configure } from '../shared/config/configure.ts';
export { notBegun } from '../shared/execute/begin.ts';

type Options = ProgramOptions<'hcompress'>;
type Work = GroupWork<Options>;

/** @throws ExecutionError when a plan's commands or states are asked for, and no plan is */
function assertPlanIsAskedFor(options: Options): void {
  const { printCommands, save, exec, explainSteps } = options;
  if (wantsPlan(options) || !(exec || explainSteps || (printCommands ?? save) !== undefined)) return;
  throw new ExecutionError(
    '--print-commands, --save, --exec and --explain apply only to the plan of --evacuate',
    'add --evacuate (and leave --check out)',
  );
}

const wantsPlan = ({ evacuate, check }: Options): boolean => evacuate && !check;

export const main = (options: Options): Promise<number> =>
  beginGroupWork('hcompress', options, compress, assertPlanIsAskedFor);

/** @returns the exit status: 0; with `--check` another one when a group could be given back */
async function compress(work: Work): Promise<number> {
  const { options, snapshot, cluster, selection, progress } = work;
  const watch = (group: number, done: number, of: number): void =>
    progress.at(() => `group ${done + 1} of ${of}: ${snapshot.groups[group]!.name}`);
  const judged = judgeGroups(
    cluster,
    watch,
    selection.only === undefined ? cluster.groups : [selection.only],
  );
  const known = choose(work, judged, watch);
  const deep = deepOptionsOf(options, snapshot.instances.length, progress, GROUP_CANDIDATES_AN_INSTANCE);
  const { verdicts, wanted, search } = deep
    ? await deepened(work, judged, known, deep)
    : { verdicts: judged, wanted: known };
  progress.done();
  assertVerdicts(cluster, verdicts, wanted);
  const plan = wantsPlan(options) ? planFacts(snapshot, wanted.relocations, cluster.rates) : undefined;
  const document = compressionDocument(work, verdicts, wanted, plan, deep, search);
  const { check, verbosity } = options;
  const isFound = verdicts.some(isWorthwhile);
  const isQuiet = verbosity < 1;
  // A paragraph for cron.
  const isNamed = selection.only !== undefined;
  const summary = check ? checkSummary(snapshot, document, isNamed) : '';
  const report = (): string =>
    check ? wrapped('', summary) : compressionText(snapshot, document, verbosity > 1) + cutShortOf(deep);
  const isSilent = isQuiet && !(check ? isFound : verdicts.some(isReclaimable));
  const hasMoves = plan !== undefined && wanted.groups.length > 0;
  await finishGroupWork(work, {
    plan,
    emptied: wanted.groups,
    diskMoves: true,
    suffix: 'compressed',
    text: isSilent ? '' : report(),
    hint: check || hasMoves || isQuiet ? '' : hintText(document, isNamed),
    document: check ? checkDocument(document, summary) : document,
    keys: () => compressionKeys(document),
    page: 'groups that could be given back',
    sections: async (why, tables) =>
      (await import('../shared/page/groups-page.ts')).hcompressSections({ ...document, ...why }, tables),
  });
  return check && isFound ? EXIT.left : 0;
}

/** Whether groups are looked for that go together: one that is named has no other beside it. */
const areSought = ({ all, group }: Options): boolean => all && group === undefined;

/** What is to be done: as many groups as go together, or the one that gives back most, or that is named. */
function choose({ cluster, options }: Work, verdicts: readonly GroupVerdict[], watch?: Watch): Wanted {
  if (areSought(options)) return findTogether(cluster, verdicts, watch);
  const isWanted = options.group === undefined ? isWorthwhile : isReclaimable;
  const isAsked = wantsPlan(options) || options.all;
  const first = isAsked ? verdicts.filter(isReclaimable).find(isWanted) : undefined;
  return {
    groups: first ? [first.group] : [],
    relocations: first?.outcome.relocations ?? [],
    isLargest: verdicts.every(isDecided),
  };
}

/** The same by the deep search, and what is done without it. */
async function deepened(work: Work, judged: readonly GroupVerdict[], known: Wanted, deep: DeepOptions) {
  const { cluster, snapshot, options, progress } = work;
  const { deepEmptier, meanScore } = await import('../../planners/groups/empty/deep-emptying.ts');
  const watch = (group: number): void => progress.at(() => `searching: ${snapshot.groups[group]!.name}`);
  const emptier = deepEmptier({ cluster, watch, ...deep });
  const verdicts = emptier.judge(judged);
  const found = areSought(options) ? emptier.together(known, verdicts) : choose(work, verdicts);
  const wanted = { ...found, relocations: emptier.gently(found) };
  const search = {
    meanScore: meanScore(cluster, wanted),
    greedy: {
      reclaimable: judged.filter(isReclaimable).length,
      groupsEmptied: known.groups.length,
      instances: known.relocations.length,
      copiedMib: cluster.copiedMib(known.relocations),
      meanScore: meanScore(cluster, known),
    },
  };
  return { verdicts, wanted, search };
}

function assertVerdicts(cluster: SuperCluster, verdicts: readonly GroupVerdict[], wanted: Wanted): void {
  const healthy = cluster.healthyGroups();
  const checker = new PlanChecker(cluster.snapshot);
  const replay = ({ groups, relocations }: Wanted): void => {
    const limits = {
      diskMoves: true,
      emptiedNodes: groups.flatMap((group) => cluster.members[group]!),
      healthyGroups: [...healthy].filter((group) => !groups.includes(group)),
      emptyGroups: groups,
    };
    assertNoFaults(checker.check(planOf(cluster.snapshot, relocations, limits)));
  };
  for (const verdict of verdicts)
    if (isReclaimable(verdict)) replay({ groups: [verdict.group], relocations: verdict.outcome.relocations });
  replay(wanted);
}
