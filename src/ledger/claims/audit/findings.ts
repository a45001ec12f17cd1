/** What an audit finds. */

export type Finding =
  /** A kept sum is not the sum of the allocations. */
  | {
      readonly kind: 'sum';
      readonly provider: string;
      readonly class: string;
      readonly kept: number;
      readonly sum: number;
    }
  | {
      readonly kind: 'owner-sum';
      readonly project: string;
      readonly class: string;
      readonly kept: number;
      readonly sum: number;
    }
  /** A consumer without allocations, or an allocation without consumer or inventory. */
  | { readonly kind: 'orphan'; readonly what: string }
  /** The generation does not count the changes that the history has. */
  | {
      readonly kind: 'generation';
      readonly provider: string;
      readonly generation: number;
      readonly changes: number;
    }
  /** What the last change wrote is not what there is. */
  | {
      readonly kind: 'history';
      readonly provider: string;
      readonly consumer: string;
      readonly recorded: string;
      readonly found: string;
    }
  | { readonly kind: 'tree'; readonly provider: string }
  | { readonly kind: 'damage'; readonly detail: string }
  /** More used than there is: allowed after an inventory was lowered, or when a cluster is so. */
  | {
      readonly kind: 'over-capacity';
      readonly provider: string;
      readonly class: string;
      readonly used: number;
      readonly capacity: number;
    }
  /** An amount that would not be granted any more. */
  | {
      readonly kind: 'unit';
      readonly provider: string;
      readonly class: string;
      readonly consumer: string;
      readonly amount: number;
      readonly rule: 'min_unit' | 'max_unit' | 'step_size';
    };

/** Findings that are no fault of the ledger. */
const WARNINGS: ReadonlySet<Finding['kind']> = new Set(['over-capacity', 'unit']);

export const isWarning = ({ kind }: Finding): boolean => WARNINGS.has(kind);
