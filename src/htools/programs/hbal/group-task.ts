/** A group that hbal is to balance, and how it stands at one time. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { coefficientsOf, type GroupHealth, nodeRows } from '../../explain/state/state-facts.ts';
import * as F from '../../model/state/node-fields.ts';
import type { Scope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { PlanLimits, PlanStep } from '../../plan/plan.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import type { StepSearch } from '../../planners/balance/steps/step-search.ts';
import { planLimitsOf } from '../shared/balance/balance-options.ts';
import { tablesJson } from '../shared/listings/json.ts';
import { figuresOf } from '../shared/listings/listings.ts';
import type { Spent } from './plan-choice.ts';

export interface Balancing {
  readonly options: ProgramOptions<'hbal'>;
  readonly limits: BalanceOptions;
  readonly spent: Spent;
  readonly snapshot: Snapshot;
  /** The state that the steps are taken on; groups are balanced one after another on the same. */
  readonly state: ClusterState;
  readonly say: (text: string) => void;
  /** Said between the search and the tables: commands and saved states, where there is one group. */
  readonly atEnd: (steps: readonly PlanStep[], nodes: readonly number[]) => void;
}

export interface GroupTask extends Balancing {
  readonly name: string;
  readonly scope: Scope;
  /** Lower bound of the score by N+1 reservations. */
  readonly optimum: number;
  readonly health: GroupHealth;
  readonly before: GroupPicture;
}

export type GroupPicture = ReturnType<typeof pictureOf>;

/** Tables only where a document with them is asked for, rows of nodes for `--html`. */
export function pictureOf({ options, state }: Balancing, scope: Scope, { scorer }: StepSearch) {
  const { json, html, printNodes, printInstances } = options;
  const figures = figuresOf(options);
  const hasTables = json && (printNodes !== undefined || printInstances);
  const free = (field: number): number => scope.nodes.reduce((sum, n) => sum + state.field(n, field), 0);
  return {
    score: scorer.score,
    metrics: coefficientsOf(scorer),
    free: { memMib: free(F.FREE_MEM), diskMib: free(F.FREE_DISK) },
    tables: hasTables ? tablesJson(state, scope, figures) : undefined,
    nodes: html === undefined ? [] : nodeRows(state, scope.nodes, figures),
  };
}

export const checkedLimits = ({ options, limits }: Pick<Balancing, 'options' | 'limits'>): PlanLimits => ({
  ...planLimitsOf(limits),
  ...(options.onlyRules && { mendsRules: true }),
});
