/** hcheck: counts what is wrong with a cluster, and simulates whether balancing would mend it. */
import { EXIT } from '../../../kit/exit-status.ts';
import { documentHead } from '../../../kit/report/json.ts';
import { printOut } from '../../../kit/report/output.ts';
import { Progress } from '../../../kit/report/progress.ts';
import type { Group, Snapshot } from '../../cluster/snapshot.ts';
import { withHandsOff } from '../../cluster/tags/hands-off.ts';
import { putInstance, takeOff } from '../../model/moves/apply.ts';
import { capacityCheck } from '../../model/redundancy/capacity-check.ts';
import { optimalScore, scoreOf } from '../../model/score/scorer.ts';
import { type GroupPart, GroupParts } from '../../model/state/group-parts.ts';
import * as F from '../../model/state/node-fields.ts';
import { badNodes, groupsWithNodes } from '../../model/state/scope.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { balanceSteps } from '../../planners/balance/steps/balance.ts';
import { StepSearch } from '../../planners/balance/steps/step-search.ts';
import { isBalanced } from '../../planners/balance/stop-rule.ts';
import { balanceOnThreads, standsAlone, usefulGroupThreads } from '../../workers/pool/group-threads.ts';
import { helpWithThreads, usefulThreads } from '../../workers/pool/scan-threads.ts';
import { balanceOptionsOf } from '../shared/balance/balance-options.ts';
import { loadCluster, withNodeOptions } from '../shared/cluster/load-cluster.ts';
import { printDocument } from '../shared/document/print-document.ts';
import { hasQuestions, reportWhatIf } from '../shared/questions/report-what-if.ts';
import * as R from './report.ts';

export { configure } from '../shared/config/configure.ts';

type Groups = ReadonlyMap<Group, GroupPart>;

function partsOf(snapshot: Snapshot): Groups {
  const parts = new GroupParts(snapshot);
  return new Map(groupsWithNodes(snapshot).map((group) => [snapshot.groups[group]!, parts.of(group)]));
}

function countGroup(
  { name, uuid }: Group,
  { state, nodes }: GroupPart,
  checksCapacity: boolean,
): R.GroupCounts {
  const offline = nodes.filter((n) => state.isOffline[n] === 1);
  return {
    name,
    uuid,
    n1Fail: badNodes(state, nodes).length,
    conflictTags: nodes.filter((n) => state.field(n, F.TAG_CONFLICTS) > 0).length,
    offlinePrimaries: offline.reduce((total, n) => total + state.primaries[n]!.length, 0),
    offlineSecondaries: offline.length,
    ...(checksCapacity && { globalN1Fail: capacityCheck(state, nodes).stuckNodes().length }),
    score: scoreOf(state, nodes),
  };
}

function checkAll(parts: Groups, checksCapacity: boolean): R.Phase {
  const groups = [...parts].map(([group, part]) => countGroup(group, part, checksCapacity));
  const cluster = R.sumCounts(groups, checksCapacity);
  return { phase: 'initial', groups, cluster, needsRebalance: R.needsRebalance(cluster) };
}

async function balance(groups: Groups, options: ProgramOptions<'hcheck'>): Promise<void> {
  const balancing = balanceOptionsOf(options);
  // Who asks with -q for the exit status alone is shown nothing else.
  const progress = new Progress(options.verbosity < 1);
  const parts = [...groups.values()].filter(
    ({ state, nodes }) => !isBalanced(scoreOf(state, nodes), optimalScore(state, nodes), balancing),
  );
  const alone = parts.filter(standsAlone);
  const threads = Math.min(options.jobs ?? usefulGroupThreads(alone), alone.length);
  if (threads > 1)
    await balanceOnThreads(alone, balancing, threads, (done) =>
      progress.at(() => `${done} of ${parts.length} groups balanced`),
    );
  for (const { state, nodes } of threads > 1 ? parts.filter((part) => !standsAlone(part)) : parts) {
    const search = new StepSearch(state, nodes, balancing);
    const stopThreads = await helpWithThreads(search, usefulThreads(search, options.jobs));
    // Taking a step is a side effect of asking for the next one.
    for (const { score } of balanceSteps(state, nodes, balancing, search)) {
      const { name } = state.snapshot.groups[state.groupOf[nodes[0]!]!]!;
      progress.at(() => `balancing group ${name}, score ${score.toFixed(4)}`);
    }
    await stopThreads();
  }
  progress.done();
}

/** Balances with what hbal leaves alone left alone: all is counted as stock does, which knows no such tag. */
async function simulate(
  snapshot: Snapshot,
  groups: Groups,
  options: ProgramOptions<'hcheck'>,
): Promise<void> {
  const planned = withHandsOff(snapshot);
  if (planned === snapshot) return balance(groups, options);
  const moving = partsOf(planned);
  await balance(moving, options);
  for (const [group, { state }] of groups) {
    const { primary, secondary } = moving.get(group)!.state;
    for (let i = 0; i < state.instanceCount; i++) {
      if (primary[i] === state.primary[i] && secondary[i] === state.secondary[i]) continue;
      takeOff(state, i);
      putInstance(state, i, primary[i]!, secondary[i]!);
    }
  }
}

/** @returns 1 when the cluster needs balancing and simulation is on, else 0 */
export async function main(options: ProgramOptions<'hcheck'>): Promise<number> {
  const snapshot = withNodeOptions(await loadCluster(options), options);
  const { machineReadable, noSimulation, verbosity } = options;
  const whatIf = await reportWhatIf(snapshot, options);
  if (hasQuestions(options)) {
    const { ask } = await import('../shared/questions/ask.ts');
    await ask('hcheck', withHandsOff(snapshot), options, balanceOptionsOf(options), whatIf);
    return 0;
  }
  if (options.lint) return (await import('./lint.ts')).lint(snapshot, options, whatIf);
  const checksCapacity = !options.noCapacityChecks;
  const groups = partsOf(snapshot);
  const say = options.json ? () => {} : printOut;
  const sayPhase = (phase: R.Phase): void => {
    if (machineReadable) say(R.phaseKeys(phase, [...groups.keys()]));
    else if (verbosity >= 1) say(R.phaseText(phase));
  };

  if (machineReadable) say(R.groupKeys(snapshot.groups));
  const initial = checkAll(groups, checksCapacity);
  if (!machineReadable && verbosity >= 1) say(R.modeText(!noSimulation, initial.needsRebalance));
  sayPhase(initial);

  const phases = [initial];
  const isSimulating = !noSimulation && initial.needsRebalance;
  if (isSimulating) await simulate(snapshot, groups, options);
  if (isSimulating || machineReadable) {
    const final = checkAll(groups, checksCapacity);
    phases.push({ ...final, phase: 'final', needsRebalance: initial.needsRebalance });
    sayPhase(phases[1]!);
  }
  if (machineReadable) say(R.lastKey());
  const explained = options.explainSteps
    ? (await import('./explain.ts')).explainHealth(withHandsOff(snapshot), balanceOptionsOf(options))
    : undefined;
  if (explained && !machineReadable) say(explained.text);
  if (options.json)
    await printDocument(options, {
      ...documentHead('hcheck'),
      isSimulated: isSimulating,
      phases,
      ...whatIf,
      ...(explained && { explanation: explained.document }),
    });
  return isSimulating ? EXIT.no : EXIT.done;
}
