/** `--plan`: the whole maintenance, shown, written as a script, carried out. */
import { EXIT } from '../../../kit/exit-status.ts';
import { ExecutionError } from '../../../kit/faults.ts';
import { characterFault } from '../../../kit/name-faults.ts';
import { documentHead } from '../../../kit/report/json.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { type HeldNode, heldNodes, type Stuck, withoutHeld } from '../../planners/maintain/roll/leaving.ts';
import { type RollingPlan, rollingPlan } from '../../planners/maintain/roll/rolling.ts';
import { RoundChecker } from '../../planners/maintain/roll/round-faults.ts';
import { ratesOf } from '../shared/balance/price-rates.ts';
import { type Executed, printPlan } from '../shared/document/print-document.ts';
import type { WhatIfMember } from '../shared/questions/report-what-if.ts';
import { assertNoFaults } from '../shared/steps/assert-plan.ts';
import { commandsText, fileLines, printedLines } from '../shared/steps/script.ts';
import { planJson } from './json.ts';
import { planLines, rebootCommands, rebootFunction, workOfPlan } from './orders.ts';
import { heldNodesText, planText } from './plan-text.ts';

type Options = ProgramOptions<'hroller'>;

/** @throws ExecutionError for words about the whole maintenance without `--plan`, or that nobody can show */
export function assertPlanWords(options: Options): void {
  const { plan, printCommands, exec, price, rebootCommand } = options;
  if (plan && (options.explainRounds || options.whyNode.length + options.tryRound.length > 0))
    throw new ExecutionError('--why, --try and --explain are about the rounds', 'leave --plan out');
  if (!plan && (printCommands !== undefined || exec || price.length > 0 || rebootCommand !== undefined))
    throw new ExecutionError(
      '--print-commands, --exec, --price and --reboot-command are about the whole maintenance',
      'add --plan',
    );
  const fault = characterFault(rebootCommand ?? '');
  if (fault) throw new ExecutionError(`--reboot-command ${fault.problem}`, 'give the program another name');
}

function stuckError({ nodes, instances, groups }: Snapshot, { node, instance, why }: Stuck): ExecutionError {
  const { name, diskTemplate } = instances[instance]!;
  const what = `${nodes[node]!.name} cannot be emptied: ${name} (${diskTemplate})`;
  return why === 'only-copy'
    ? new ExecutionError(
        `${what} has its only copy there`,
        'leave such nodes out with --skip-non-redundant, or let the instances go down with --ignore-non-redundant',
      )
    : new ExecutionError(
        `${what} finds no room elsewhere`,
        `make room in the group ${groups[nodes[node]!.group]!.name}, or leave the node out with -O or --node-tags`,
      );
}

/** The nodes that are not left out. @throws ExecutionError when there is none */
function nodesLeft(
  snapshot: Snapshot,
  wanted: readonly number[],
  held: readonly HeldNode[],
): readonly number[] {
  const rest = withoutHeld(wanted, held);
  if (rest.length > 0) return rest;
  throw new ExecutionError(
    `no node is left to be rebooted:\n${heldNodesText(snapshot, held).trimEnd()}`,
    'take the tag away, from the instances, the nodes, their group or the cluster, or choose other nodes',
  );
}

function commandsSaid(snapshot: Snapshot, plan: RollingPlan, options: Options): string {
  const { printCommands, rebootCommand, rebootTimeout } = options;
  const linesWith = (reboot: Parameters<typeof planLines>[2]) => planLines(snapshot, plan, reboot);
  return commandsText(
    printCommands,
    () => printedLines(linesWith(rebootCommands(rebootCommand)), 'Commands for the maintenance:'),
    () =>
      rebootFunction(rebootCommand, rebootTimeout) +
      fileLines(linesWith((names) => [`  reboot_nodes ${names.join(' ')}`])),
  );
}

async function execute(
  options: Options,
  loaded: Snapshot,
  snapshot: Snapshot,
  plan: RollingPlan,
  held: readonly HeldNode[],
  say: (text: string) => void,
): Promise<Executed> {
  if (!options.exec) return {};
  const { carryOut } = await import('../shared/execute/carry-out.ts');
  const work = workOfPlan(loaded, snapshot, plan, options.rebootCommand);
  const leftOut = held.map(({ node }) => snapshot.nodes[node]!.name);
  const executed = await carryOut('hroller', options, { ...work, leftOut }, say);
  const master = plan.rounds.flatMap(({ nodes }) => nodes).find((n) => snapshot.nodes[n]!.isMaster);
  if (master !== undefined && !executed.fault)
    printErr(
      `The round of the master node ${snapshot.nodes[master]!.name} is left: make another node the master first (gnt-cluster master-failover)\n`,
    );
  return executed;
}

/** @param wanted positions of the nodes to be rebooted @returns the exit status */
export async function planMaintenance(
  options: Options,
  { loaded, snapshot, whatIf }: { loaded: Snapshot; snapshot: Snapshot; whatIf: WhatIfMember },
  state: ClusterState,
  wanted: readonly number[],
): Promise<number> {
  const rates = ratesOf(options);
  const held = heldNodes(state, wanted, options);
  const whole = rollingPlan(state, nodesLeft(snapshot, wanted, held), options);
  if ('why' in whole) throw stuckError(snapshot, whole);
  const checker = new RoundChecker(snapshot, options);
  assertNoFaults(
    whole.rounds.flatMap((round) => checker.faults(round)),
    'the maintenance',
  );
  const plan = options.oneStepOnly ? { ...whole, rounds: whole.rounds.slice(0, 1) } : whole;
  const say = options.json ? () => {} : printOut;
  printErr(heldNodesText(snapshot, held));
  say(planText(snapshot, plan, { rates, showsMoves: options.printMoves }));
  say(commandsSaid(snapshot, plan, options));
  const executed = await execute(options, loaded, snapshot, plan, held, say);
  await printPlan(options, executed, () => ({
    ...documentHead('hroller'),
    plan: planJson(snapshot, plan, held, rates),
    ...whatIf,
  }));
  return held.length > 0 ? EXIT.left : 0;
}
