/** hbal: balances the nodes of one group by moving instances. */
import { balanceSteps } from '../balance/balance.ts';
import { StepSearch } from '../balance/step-search.ts';
import type { CommandOptions } from '../cli/command-options.ts';
import { printErr, printOut } from '../cli/output.ts';
import { movedSnapshot, partOf } from '../cluster/moved-snapshot.ts';
import { groupScope, type Scope } from '../cluster/scope.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import { ClusterState } from '../cluster/state.ts';
import type { Plan, PlanStep } from '../plan/plan.ts';
import { coefficientsOf } from '../report/coefficients.ts';
import { groupHealth } from '../report/group-health.ts';
import { hbalJson } from '../report/hbal-json.ts';
import * as T from '../report/hbal-text.ts';
import { jsonText, SCHEMA_VERSION } from '../report/json.ts';
import { listings } from '../report/listings.ts';
import { Progress } from '../report/progress.ts';
import * as S from '../report/steps.ts';
import { optimalScore } from '../score/scorer.ts';
import { helpWithThreads, usefulThreads } from '../workers/pool/scan-threads.ts';
import { assertPlan } from './assert-plan.ts';
import { balanceOptionsOf, planLimitsOf } from './balance-options.ts';
import { selectGroup } from './groups.ts';
import { loadCluster, withNodeOptions } from './load-cluster.ts';
import { saveState } from './save-states.ts';
import { commandsText } from './write-script.ts';

/** @returns the exit status: 0, also when nothing improves */
export async function main(options: CommandOptions): Promise<number> {
  const { verbosity } = options;
  const say = options.json ? () => {} : printOut;
  const loaded = await loadCluster(options);
  say(T.loadedText(loaded, verbosity));
  const snapshot = withNodeOptions(loaded, options);
  if (snapshot.instances.length === 0) {
    say(S.emptyCluster());
    if (options.json)
      printOut(
        jsonText({ schemaVersion: SCHEMA_VERSION, program: 'hbal', cluster: { instances: 0 }, steps: [] }),
      );
    return 0;
  }
  printErr(T.splitText(snapshot, verbosity));
  say(T.clusterText(snapshot, verbosity));
  saveState(options.save, 'original', 'before balancing', () => loaded);
  const group = selectGroup(snapshot, options.group);
  return balanceGroup(options, snapshot, group, groupScope(snapshot, group), say);
}

/** Balances one group and says so. */
async function balanceGroup(
  options: CommandOptions,
  snapshot: Snapshot,
  group: number,
  scope: Scope,
  say: (text: string) => void,
): Promise<number> {
  const { verbosity } = options;
  const { name } = snapshot.groups[group]!;
  const state = new ClusterState(snapshot, { trackPeerOrder: options.printNodes !== undefined });
  const balancing = balanceOptionsOf(options);
  const search = new StepSearch(state, scope.nodes, balancing);
  const { scorer } = search;
  const initialScore = scorer.score;
  const initialMetrics = coefficientsOf(scorer);
  const optimum = optimalScore(state, scope.nodes);
  const health = groupHealth(state, scope);
  const freeBefore = T.freeOf(state, scope.nodes);
  say(T.groupText(name, scope, health, options.ignoreSoftErrors, verbosity));
  if (!options.json) printErr(listings(options, state, scope, 'Initial', 'Initial cluster'));
  say(T.scoreText(scorer, verbosity));

  const wasBalanced = initialScore - optimum < options.minScore;
  const steps: PlanStep[] = [];
  if (wasBalanced) say(S.alreadyBalanced(initialScore, optimum, options.minScore));
  else {
    say(S.searchStart());
    const widths = S.stepWidths(snapshot, scope.instances, scope.nodes);
    const stopThreads = await helpWithThreads(search, options.jobs ?? usefulThreads(search));
    const progress = new Progress(!options.json);
    for (const step of balanceSteps(state, scope.nodes, balancing, search)) {
      steps.push(step);
      say(S.stepLine(snapshot, step, steps.length, widths));
      progress.at(() => `step ${steps.length}, score ${step.score.toFixed(4)}`);
    }
    progress.done();
    await stopThreads();
  }
  const limits = planLimitsOf(balancing);
  const finalScore = steps.at(-1)?.score ?? initialScore;
  const plan: Plan = { start: snapshot, nodes: scope.nodes, limits, initialScore, finalScore, steps };
  assertPlan(plan);
  if (!wasBalanced) {
    say(T.endText(initialScore, scorer, steps.length, verbosity));
    say(commandsText(options, snapshot, steps));
    saveState(options.save, 'balanced', 'after balancing', () => partOf(movedSnapshot(state), scope.nodes));
    if (!options.json) printErr(listings(options, state, scope, 'Final', 'Final cluster'));
    say(T.resourcesText(freeBefore, T.freeOf(state, scope.nodes), verbosity));
  }
  if (options.json) {
    const finalMetrics = coefficientsOf(scorer);
    const facts = {
      group: name,
      scope,
      health,
      optimum,
      minScore: options.minScore,
      initialMetrics,
      finalMetrics,
    };
    const withTables = options.printNodes !== undefined || options.printInstances;
    printOut(jsonText(hbalJson(plan, { ...facts, wasBalanced }, state, withTables)));
  }
  return 0;
}
