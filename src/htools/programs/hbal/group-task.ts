/** A group that hbal is to balance, and how it stands at one time. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { type Coefficient, coefficientsOf } from '../../explain/state/coefficients.ts';
import { nodeRows } from '../../explain/state/node-rows.ts';
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
import type { FreeResources } from '../shared/steps/steps.ts';

/** What there is to balance, and how. */
export interface Balancing {
  readonly options: ProgramOptions<'hbal'>;
  readonly limits: BalanceOptions;
  readonly snapshot: Snapshot;
  /** The state that the steps are taken on; groups are balanced one after another on the same. */
  readonly state: ClusterState;
  readonly say: (text: string) => void;
  /** Said between the search and the tables: commands and saved states, where there is one group. */
  readonly atEnd: (steps: readonly PlanStep[], nodes: readonly number[]) => void;
}

/** What the checker holds the plan against. */
export const checkedLimits = ({ options, limits }: Pick<Balancing, 'options' | 'limits'>): PlanLimits => ({
  ...planLimitsOf(limits),
  ...(options.onlyRules && { mendsRules: true }),
});

/** A group that is to be balanced. */
export interface GroupTask extends Balancing {
  readonly name: string;
  readonly scope: Scope;
  readonly search: StepSearch;
  /** Lower bound of the score by N+1 reservations. */
  readonly optimum: number;
}

/** What is said of a group before its steps, and after them. */
export interface GroupPicture {
  readonly score: number;
  readonly metrics: readonly Coefficient[];
  /** Free memory and disk of the group's nodes. */
  readonly free: FreeResources;
  /** Nodes and instances, where a document with tables is asked for. */
  readonly tables: ReturnType<typeof tablesJson> | undefined;
  /** For `--html`; else empty. */
  readonly nodes: ReturnType<typeof nodeRows>;
}

export function pictureOf({ options, state, scope, search: { scorer } }: GroupTask): GroupPicture {
  const { json, html, printNodes, printInstances } = options;
  const figures = figuresOf(options);
  const hasTables = json && (printNodes !== undefined || printInstances);
  return {
    score: scorer.score,
    metrics: coefficientsOf(scorer),
    free: freeOf(state, scope.nodes),
    tables: hasTables ? tablesJson(state, scope, figures) : undefined,
    nodes: html === undefined ? [] : nodeRows(state, scope.nodes, figures),
  };
}

function freeOf(state: ClusterState, nodes: readonly number[]): FreeResources {
  let memMib = 0;
  let diskMib = 0;
  for (const n of nodes) {
    memMib += state.nodeFields[n * F.NODE_STRIDE + F.FREE_MEM]!;
    diskMib += state.nodeFields[n * F.NODE_STRIDE + F.FREE_DISK]!;
  }
  return { memMib, diskMib };
}
