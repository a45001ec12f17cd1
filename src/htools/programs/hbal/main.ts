/** hbal: balances the nodes of one group, or of each, by moving instances. */

import { SCHEMA_VERSION } from '../../../kit/report/json.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { movedSnapshot, partOf } from '../../model/state/moved-snapshot.ts';
import { wholeScope } from '../../model/state/scope.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { jobSets } from '../../plan/jobs.ts';
import type { PlanStep } from '../../plan/plan.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { leftBehind } from '../../planners/balance/steps/why-left.ts';
import { balanceOptionsOf, planLimitsOf } from '../shared/balance/balance-options.ts';
import { withLedgerPromises } from '../shared/cluster/ledger-promises.ts';
import { loadCluster, withNodeOptions } from '../shared/cluster/load-cluster.ts';
import { saveState } from '../shared/cluster/save-states.ts';
import { documentText } from '../shared/document/document-text.ts';
import type { Executed } from '../shared/execute/carry-out.ts';
import { prepareExecution } from '../shared/execute/execution-words.ts';
import { figuresOf } from '../shared/listings/listings.ts';
import { hasQuestions } from '../shared/questions/has-questions.ts';
import { reportWhatIf } from '../shared/questions/report-what-if.ts';
import * as S from '../shared/steps/steps.ts';
import { commandsText } from '../shared/steps/write-script.ts';
import { staysOf } from './after-execution.ts';
import { type BalancedGroup, balanceGroup } from './balance-group.ts';
import { chooseGroups } from './choose-groups.ts';
import { EXIT_LEFT_BEHIND, leftBehindJson, leftBehindText, type Stays } from './left-behind-text.ts';
import { checkPlanOptions } from './plan-choice.ts';
import * as T from './text.ts';

/**
 * @returns the exit status: 0, also when nothing improves; 3 when `-E` leaves instances on nodes to be
 *   emptied, or `--only-rules` leaves a rule broken
 */
export async function main(options: ProgramOptions<'hbal'>): Promise<number> {
  const { verbosity } = options;
  if (options.resume !== undefined)
    return (await import('../shared/execute/carry-out.ts')).resume('hbal', options, options.json);
  checkPlanOptions(options);
  if (options.journals) return (await import('../shared/execute/journals-text.ts')).listJournals();
  await prepareExecution(options);
  const say = options.json ? () => {} : printOut;
  const loaded = await loadCluster(options);
  say(T.loadedText(loaded, verbosity));
  const promised = await withLedgerPromises(loaded, options.ledger, verbosity);
  const snapshot = withNodeOptions(promised, options);
  const whatIf = await reportWhatIf(snapshot, options);
  if (hasQuestions(options)) {
    const { ask } = await import('../shared/questions/ask.ts');
    await ask('hbal', snapshot, options, balanceOptionsOf(options), whatIf);
    return 0;
  }
  if (snapshot.instances.length === 0) {
    say(S.emptyCluster());
    if (options.json)
      printOut(
        await documentText(options, {
          schemaVersion: SCHEMA_VERSION,
          program: 'hbal',
          cluster: { nodes: snapshot.nodes.length, instances: 0, tags: snapshot.tags },
          steps: [],
          ...whatIf,
        }),
      );
    return 0;
  }
  printErr(T.splitText(snapshot, verbosity));
  say(T.clusterText(snapshot, verbosity));
  saveState(options.save, 'original', 'before balancing', () => loaded);
  const limits = balanceOptionsOf(options);
  const choice = chooseGroups(snapshot, options, limits);
  say(choice.text);
  const state = new ClusterState(snapshot, { trackPeerOrder: options.printNodes !== undefined });
  const finish = (steps: readonly PlanStep[], nodes: readonly number[]): void => {
    say(commandsText(options, snapshot, steps));
    saveState(options.save, 'balanced', 'after balancing', () =>
      partOf(movedSnapshot(state, figuresOf(options)), nodes),
    );
  };
  const isSingle = choice.groups.length === 1;
  const atEnd = isSingle ? finish : () => {};
  const balanced: BalancedGroup[] = [];
  for (const group of choice.groups)
    balanced.push(await balanceGroup({ options, limits, snapshot, state, say, atEnd }, group));
  const steps = balanced.flatMap((group) => group.steps);
  if (!isSingle) finish(steps, wholeScope(snapshot).nodes);
  const executed = options.exec ? await execute(options, loaded, snapshot, steps, say) : {};
  const planned = options.evacMode ? staysByPlan(state, balanced, limits) : undefined;
  const left =
    planned && options.exec && steps.length > 0
      ? await staysByNow(options, snapshot, planned, executed)
      : planned && { snapshot, stays: planned };
  if (options.html !== undefined) await balancePage(options.html, balanced);
  if (options.json) {
    const list = {
      ...(choice.json && { groups: choice.json }),
      ...(left && { leftBehind: leftBehindJson(left.snapshot, left.stays) }),
    };
    const documents = balanced.map(({ document }) => document());
    const document = isSingle ? { ...documents[0]!, ...list } : allGroupsJson(documents, list);
    const more = { ...whatIf, ...(executed.facts && { execution: executed.facts }) };
    printOut(await documentText(options, { ...document, ...more }));
  }
  if (left) printErr(leftBehindText(left.snapshot, left.stays));
  if (executed.fault) throw executed.fault;
  const isDone = balanced.every(({ isMended }) => isMended) && (left?.stays.length ?? 0) === 0;
  return isDone ? 0 : EXIT_LEFT_BEHIND;
}

/** What the plans leave on nodes to be emptied, and why. */
function staysByPlan(
  state: ClusterState,
  balanced: readonly BalancedGroup[],
  limits: BalanceOptions,
): readonly Stays[] {
  const groups = balanced.map(({ nodes }) => nodes);
  return leftBehind(state, groups, limits).map((one) => ({
    ...one,
    endedBy: balanced.find(({ nodes }) => nodes.includes(one.node))?.endedBy,
  }));
}

/**
 * What is there once the plan was carried out, or a part of it: the cluster is read again. Unknown where it
 * does not answer any more.
 */
async function staysByNow(
  options: ProgramOptions<'hbal'>,
  start: Snapshot,
  planned: readonly Stays[],
  { fault }: Executed,
): Promise<{ readonly snapshot: Snapshot; readonly stays: readonly Stays[] } | undefined> {
  const { readState } = await import('../shared/execute/carry-out.ts');
  try {
    const snapshot = withNodeOptions(await readState(options), options);
    return { snapshot, stays: staysOf(start, planned, snapshot, balanceOptionsOf(options)) };
  } catch (error) {
    // What went wrong first is what is told.
    if (fault) return undefined;
    throw error;
  }
}

/** The page of `--html`: one group after another. */
async function balancePage(file: string, balanced: readonly BalancedGroup[]): Promise<void> {
  const [{ writePage }, { hbalSections }] = await Promise.all([
    import('../shared/document/write-page.ts'),
    import('../shared/page/hbal-page.ts'),
  ]);
  const sections = balanced.flatMap(({ page }, k) =>
    hbalSections(page!.document, page!.nodes, balanced.length > 1 ? `group${k + 1}-` : ''),
  );
  writePage(file, 'hbal', 'a plan that balances', sections);
}

/** Carries the steps out, set by set. */
async function execute(
  options: ProgramOptions<'hbal'>,
  loaded: Snapshot,
  start: Snapshot,
  steps: readonly PlanStep[],
  say: (text: string) => void,
): Promise<Executed> {
  const { carryOut } = await import('../shared/execute/carry-out.ts');
  const sets = jobSets(start, steps)
    .slice(0, options.firstJobGroup ? 1 : undefined)
    .map((set) => set.map(({ step, nodes }) => ({ steps: [step], nodes })));
  const limits = {
    ...planLimitsOf(balanceOptionsOf(options)),
    ...(options.onlyRules && { mendsRules: true }),
  };
  return carryOut('hbal', options, { loaded, start, sets, limits }, say);
}

/** The document of `--all-groups`: the list of groups, and what a run for each would print. */
const allGroupsJson = <List extends object>(
  balanced: readonly ReturnType<BalancedGroup['document']>[],
  list: List,
) => ({
  schemaVersion: SCHEMA_VERSION as 2,
  program: 'hbal' as const,
  ...list,
  balanced,
});
