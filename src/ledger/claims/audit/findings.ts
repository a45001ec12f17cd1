/** What an audit finds. */
import type { OfKinds } from '../../../kit/kinds.ts';

export type Finding = OfKinds<{
  /** A kept sum is not the sum of the allocations. */
  sum: { provider: string; class: string; kept: number; sum: number };
  'owner-sum': { project: string; class: string; kept: number; sum: number };
  /** A consumer without allocations, or an allocation without consumer or inventory. */
  orphan: { what: string };
  /** The generation does not count the changes that the history has. */
  generation: { provider: string; generation: number; changes: number };
  /** What the last change wrote is not what there is. */
  history: { provider: string; consumer: string; recorded: string; found: string };
  tree: { provider: string };
  damage: { detail: string };
  /** More used than there is: allowed after an inventory was lowered, or when a cluster is so. */
  'over-capacity': { provider: string; class: string; used: number; capacity: number };
  /** An amount that would not be granted any more. */
  unit: {
    provider: string;
    class: string;
    consumer: string;
    amount: number;
    rule: 'min_unit' | 'max_unit' | 'step_size';
  };
}>;

/** Findings that are no fault of the ledger. */
const WARNINGS: ReadonlySet<Finding['kind']> = new Set(['over-capacity', 'unit']);

export const isWarning = ({ kind }: Finding): boolean => WARNINGS.has(kind);
