/** hbal: balances the nodes of one group, or of each, by moving instances. */
import { existsSync } from 'node:fs';
import { EXIT } from '../../../kit/exit-status.ts';
import { documentHead } from '../../../kit/report/json.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { withHandsOff } from '../../cluster/tags/hands-off.ts';
import { movedSnapshot, partOf } from '../../model/state/moved-snapshot.ts';
import { wholeScope } from '../../model/state/scope.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { jobSets, stepJobs } from '../../plan/jobs.ts';
import type { PlanStep } from '../../plan/plan.ts';
import type { LeftBehindFacts } from '../../results/hbal.ts';
import { assertBalanceWords, balanceOptionsOf } from '../shared/balance/balance-options.ts';
import { sharedTime } from '../shared/balance/search-limits.ts';
import { withLedgerPromises } from '../shared/cluster/ledger-promises.ts';
import { loadCluster, withNodeOptions } from '../shared/cluster/load-cluster.ts';
import { saveState } from '../shared/cluster/save-states.ts';
import {
  type AnyDocument,
  type Executed,
  printDocument,
  printPlan,
} from '../shared/document/print-document.ts';
import { begin } from '../shared/execute/begin.ts';
import { figuresOf } from '../shared/listings/listings.ts';
import { hasQuestions, reportWhatIf } from '../shared/questions/report-what-if.ts';
import { commandsOf, emptyScript, jobSetsText } from '../shared/steps/script.ts';
import { type BalancedGroup, balanceGroup } from './balance-group.ts';
import { chooseGroups, type GroupChoice } from './choose-groups.ts';
import { type Balancing, checkedLimits } from './group-task.ts';
import { hbalJson } from './json.ts';
import { NOTHING_SPENT, spentBy } from './plan-choice.ts';
import * as T from './text.ts';

export { configure } from '../shared/config/configure.ts';
export { notBegun } from '../shared/execute/begin.ts';

/** @returns 0; 3 when `-E` leaves instances on nodes to be emptied, or `--only-rules` a rule broken */
export async function main(options: ProgramOptions<'hbal'>): Promise<number> {
  const { checkConfig, history } = options;
  if (checkConfig === undefined && !history) return begin('hbal', options, run, assertBalanceWords);
  // Whatever the file asks for, nothing of it is done.
  assertBalanceWords(options);
  if (checkConfig === undefined) return (await import('../shared/execute/history.ts')).showHistory(options);
  printOut(`${checkConfig}: nothing is wrong\n`);
  return 0;
}

async function run(options: ProgramOptions<'hbal'>): Promise<number> {
  const cluster = await load(options);
  const { snapshot, limits, whatIf } = cluster;
  if (hasQuestions(options)) {
    const { ask } = await import('../shared/questions/ask.ts');
    await ask('hbal', snapshot, options, limits, whatIf);
    return 0;
  }
  if (snapshot.instances.length === 0) {
    if (options.exec) await execute(cluster, []);
    return tellEmpty(cluster);
  }
  printErr(T.splitText(snapshot, options.verbosity));
  cluster.say(T.clusterText(snapshot, options.verbosity));
  saveState(options.save, 'original', 'before balancing', () => cluster.loaded);
  const choice = chooseGroups(snapshot, options, limits);
  cluster.say(choice.text);
  const { balancing, balanced } = await balance(cluster, choice);
  const steps = balanced.flatMap(({ plan }) => plan.steps);
  // Ahead of the execution, whose end has to be told whatever becomes of the page.
  if (options.html !== undefined)
    (await import('./page.ts')).writeBalancePage(options.html, balanced, limits.rates);
  const executed = options.exec ? await execute(cluster, balanced) : undefined;
  const done = steps.length > 0 ? executed : undefined;
  const { left, fault } = options.evacMode
    ? await (await import('./left-behind.ts')).tellWhatStays(balancing, balanced, done)
    : {};
  // What went wrong first is what is told.
  const ended = { facts: executed?.facts, fault: executed?.fault ?? fault };
  await printPlan(options, ended, () => document(cluster, choice, balanced, left));
  const isLeft = balanced.some(({ taken }) => taken.mending?.after.length) || left?.length;
  return isLeft ? EXIT.left : 0;
}

/** Instances that moved not long ago (`--let-rest`). */
async function resting(options: ProgramOptions<'hbal'>): Promise<ReadonlySet<string>> {
  const { letRest: hours, luxiSocket, exec } = options;
  if (hours === undefined) return new Set();
  const [{ clusterName }, { masterOf }, { restingInstances, restRemark }] = await Promise.all([
    import('../shared/execute/carry-out.ts'),
    import('../shared/execute/run-work.ts'),
    import('../shared/execute/night.ts'),
  ]);
  const cluster = luxiSocket === undefined ? undefined : await clusterName(masterOf(options));
  if (exec && cluster !== undefined) printErr(restRemark(hours, cluster));
  return restingInstances(hours, cluster);
}

/** What is said of a plan that does not gain enough (`--worth`). */
function notWorth({ worth }: ProgramOptions<'hbal'>, before: number, after: number): string | undefined {
  const percent = before > 0 ? (100 * (before - after)) / before : 0;
  // A plan that mends rules may raise the score.
  if (worth === undefined || percent >= worth) return undefined;
  return `the plan gains ${percent.toFixed(1)} % of the score, and --worth asks for ${worth} %`;
}

/** The score of all groups together: ahead of everything, and after each step. */
function scoresBy(balanced: readonly BalancedGroup[]) {
  const before = balanced.reduce((sum, { plan }) => sum + plan.initialScore, 0);
  const after = new Map<PlanStep, number>();
  let all = before;
  for (const { plan } of balanced) {
    let own = plan.initialScore;
    for (const step of plan.steps) {
      all += step.score - own;
      own = step.score;
      after.set(step, all);
    }
  }
  return { before, after, end: all };
}

type Cluster = Awaited<ReturnType<typeof load>>;

/** The cluster as it was read, the same with the command line's say, and how to talk about it. */
async function load(options: ProgramOptions<'hbal'>) {
  const say = options.json ? () => {} : printOut;
  const loaded = await loadCluster(options);
  say(T.loadedText(loaded, options.verbosity));
  const promised = await withLedgerPromises(loaded, options.ledger, options.verbosity);
  const snapshot = withHandsOff(withNodeOptions(promised, options), await resting(options));
  const whatIf = await reportWhatIf(snapshot, options);
  return { options, limits: balanceOptionsOf(options), loaded, snapshot, whatIf, say };
}

async function tellEmpty({ options, snapshot, whatIf, say }: Cluster): Promise<number> {
  say(T.EMPTY_CLUSTER);
  emptyScript(options.printCommands);
  if (options.json)
    await printDocument(options, {
      ...documentHead('hbal'),
      cluster: { nodes: snapshot.nodes.length, instances: 0, tags: snapshot.tags },
      ...(options.allGroups ? { balanced: [] } : { steps: [] }),
      ...whatIf,
    });
  return 0;
}

/** What stands for the next group: all of them share what a plan may cost. */
function afterwards(balancing: Balancing, balanced: readonly BalancedGroup[]): Balancing {
  const { limits } = balancing;
  const used = balanced.map(({ taken, plan, price }) => ({
    ...(taken.chosen?.picked.total ?? { ...NOTHING_SPENT, steps: plan.steps.length }),
    seconds: price.seconds,
  }));
  const spent = spentBy((what) => used.reduce((sum, one) => sum + one[what], 0));
  return {
    ...balancing,
    spent,
    limits: { ...limits, maxSteps: limits.maxSteps < 0 ? limits.maxSteps : limits.maxSteps - spent.steps },
  };
}

/** Balances the groups one after another, with the commands and states behind the last. */
async function balance(cluster: Cluster, { groups }: GroupChoice) {
  const { options, snapshot, say } = cluster;
  const state = new ClusterState(snapshot, { trackPeerOrder: options.printNodes !== undefined });
  const saveBalanced = (nodes: readonly number[]): void =>
    saveState(options.save, 'balanced', 'after balancing', () =>
      partOf(movedSnapshot(state, figuresOf(options)), nodes),
    );
  const finish = (steps: readonly PlanStep[], nodes: readonly number[]): void => {
    say(jobSetsText(options, () => commandsOf(snapshot, jobSets(snapshot, steps))));
    saveBalanced(nodes);
  };
  const isSingle = groups.length === 1;
  const balancing: Balancing = {
    ...cluster,
    spent: NOTHING_SPENT,
    state,
    atEnd: isSingle ? finish : () => {},
  };
  const balanced: BalancedGroup[] = [];
  const timeFor = sharedTime(options, groups.length);
  for (const group of groups) {
    const searchTime = timeFor(balanced.length);
    const next = afterwards({ ...balancing, options: { ...options, searchTime } }, balanced);
    balanced.push(await balanceGroup(next, group));
  }
  if (!isSingle)
    finish(
      balanced.flatMap(({ plan }) => plan.steps),
      wholeScope(snapshot).nodes,
    );
  else if (balanced[0]?.taken.wasBalanced) {
    // Stock writes neither here: what an earlier run has left in them must not be taken for this plan.
    emptyScript(options.printCommands);
    if (existsSync(`${options.save}.balanced`)) saveBalanced(balanced[0].scope.nodes);
  }
  return { balancing, balanced };
}

async function execute(cluster: Cluster, balanced: readonly BalancedGroup[]): Promise<Executed> {
  const { options, loaded, snapshot, say } = cluster;
  const { carryOut } = await import('../shared/execute/carry-out.ts');
  const steps = balanced.flatMap(({ plan }) => plan.steps);
  const jobs = jobSets(snapshot, steps).slice(0, options.firstJobGroup ? 1 : undefined);
  const { before, after, end } = scoresBy(balanced);
  const plan = {
    loaded,
    start: snapshot,
    sets: stepJobs(jobs),
    limits: checkedLimits(cluster),
    scores: [before, ...jobs.map((set) => after.get(set.at(-1)!.step)!)],
    held: notWorth(options, before, end),
  };
  return carryOut('hbal', options, plan, say);
}

/** The document of the one group, or the list of groups and what a run for each would print. */
function document(
  { options, whatIf }: Cluster,
  choice: GroupChoice,
  balanced: readonly BalancedGroup[],
  left: readonly LeftBehindFacts[] | undefined,
): AnyDocument {
  const list = { ...(choice.json && { groups: choice.json }), ...(left && { leftBehind: left }) };
  const documents = balanced.map((group) => hbalJson(group, options.explainSteps));
  return options.allGroups
    ? { ...documentHead('hbal'), ...list, balanced: documents, ...whatIf }
    : { ...documents[0]!, ...list, ...whatIf };
}
