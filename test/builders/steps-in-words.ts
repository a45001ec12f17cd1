/** A whole balancing run as short lines: `inst1 r:node3 f` and so on, as hbal writes its steps. */
import type { Snapshot } from '../../src/htools/cluster/snapshot.ts';
import { ClusterState } from '../../src/htools/model/state/state.ts';
import type { PlanStep } from '../../src/htools/plan/plan.ts';
import { type BalanceOptions, DEFAULT_BALANCE_OPTIONS } from '../../src/htools/planners/balance/options.ts';
import { balanceSteps } from '../../src/htools/planners/balance/steps/balance.ts';

const WORDS = ['f', 'fa:T', 'r:T', 'r:T f', 'f r:T f', 'f r:T'] as const;

export interface RunSetup extends Partial<BalanceOptions> {
  /** Positions of the nodes to balance; all when left out. */
  readonly nodes?: readonly number[];
}

/** The steps of a run on a copy of the snapshot. */
export function stepsOf(snapshot: Snapshot, { nodes, ...options }: RunSetup = {}): PlanStep[] {
  const scope = nodes ?? snapshot.nodes.map((_, node) => node);
  const state = new ClusterState(snapshot);
  return [...balanceSteps(state, scope, { ...DEFAULT_BALANCE_OPTIONS, ...options })];
}

export const inWords = (snapshot: Snapshot, { instance, kind, target }: PlanStep): string => {
  const words = WORDS[kind].replace('T', snapshot.nodes[target]?.alias ?? '');
  return `${snapshot.instances[instance]!.alias} ${words}`;
};

/** The steps of a run in words. */
export const wordsOf = (snapshot: Snapshot, setup?: RunSetup): string[] =>
  stepsOf(snapshot, setup).map((step) => inWords(snapshot, step));
