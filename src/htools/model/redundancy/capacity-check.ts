/**
 * Whether a cluster stays redundant when instances are placed: asked by allocation and capacity planning.
 *
 * Two answers exist. The stock one (global-n-plus-one.ts) decides wherever the snapshot says nothing about
 * storage, so that results are stock's. With stated pools the shared-storage check decides, with a proof for
 * each no.
 */
import { putInstance } from '../moves/apply.ts';
import type { ClusterState } from '../state/state.ts';
import {
  type Bookkeeping,
  checkedNodes,
  GlobalCheck,
  type GlobalCheckOptions,
  type RefusalTerm,
} from './drbd/global-n-plus-one.ts';
import { spansGroups } from './drbd/residents.ts';
import { SharedStorageN1 } from './shared/shared-storage.ts';

export interface CapacityCheck {
  /** Forgets what was known, after these nodes changed for good. @param isRedundant known to be so now */
  refresh(changed: readonly number[], isRedundant?: boolean): void;
  /** Whether the cluster is redundant as it stands. */
  isRedundant(): boolean;
  /**
   * Whether a node can never be left again, as the state stands, refreshed or not: the one that changed last
   * or another likely one. No is no proof.
   */
  isLost(node: number): boolean;
  /** Nodes that could not fail or be emptied as the cluster stands, ascending. */
  stuckNodes(): number[];
  /** Whether no placement of anything can make the cluster redundant. */
  readonly isHopeless: boolean;
  /**
   * Whether the cluster is redundant once an instance is placed. The state is as before.
   * @param i an instance that is on no node
   * @param secondary -1 for none
   */
  admits(i: number, primary: number, secondary: number, books?: Bookkeeping): boolean;
  /** Whether it is known without trying that an instance on that primary leaves some node stuck for good. */
  isTooFull(i: number, primary: number): boolean;
  /** Node that made the last `admits` say no; -1 when none did. */
  readonly refusingNode: number;
  /** Whether the last no holds for every larger instance of the kind there, as far as the policy goes. */
  readonly isRefusalFinal: boolean;
  /** How long it holds for that instance while more are placed. */
  readonly refusalTerm: RefusalTerm;
  /** What a term that is a number is held against. */
  readonly moved: number;
}

/** The check for a state: stock's, or the one about pools where storage is stated. */
export const capacityCheck = (
  state: ClusterState,
  nodes: readonly number[],
  options: GlobalCheckOptions = {},
): CapacityCheck =>
  state.storage ? new StorageCheck(state, nodes, options) : new GlobalCheck(state, nodes, options);

/** N+1 with shared storage in the form that allocation asks. */
class StorageCheck implements CapacityCheck {
  refusingNode = -1;
  isRefusalFinal = false;
  refusalTerm: RefusalTerm = 'for-now';
  readonly moved = 0;
  private readonly spansGroups: boolean;
  private readonly state: ClusterState;
  private readonly verdicts: SharedStorageN1;
  /** Nodes that changed since the verdicts were asked for. */
  private readonly changed = new Set<number>();

  constructor(state: ClusterState, nodes: readonly number[], options: GlobalCheckOptions) {
    this.state = state;
    const checked = checkedNodes(state, nodes, options);
    this.verdicts = new SharedStorageN1(state, state.storage!, { nodes: checked });
    this.spansGroups = spansGroups(state.snapshot);
  }

  refresh(changed: readonly number[]): void {
    for (const n of changed) this.changed.add(n);
  }

  /** Verdicts on the state as it stands. Many instances may come before anybody asks. */
  private get n1(): SharedStorageN1 {
    if (this.changed.size > 0) this.verdicts.refresh([...this.changed]);
    this.changed.clear();
    return this.verdicts;
  }

  isRedundant(): boolean {
    return this.n1.isHealthy;
  }

  /** To tell takes as long as to look at all nodes that are touched. */
  isLost(): boolean {
    return false;
  }

  stuckNodes(): number[] {
    return this.n1.failing();
  }

  /** More instances leave less room: a node that fails now fails with them, too. */
  get isHopeless(): boolean {
    return !this.isRedundant();
  }

  isTooFull(): boolean {
    return false;
  }

  admits(i: number, primary: number, secondary: number): boolean {
    const { state, n1 } = this;
    if (!n1.isHealthy) {
      this.refusingNode = n1.failing()[0]!;
      this.isRefusalFinal = true;
      this.refusalTerm = 'for-good';
      return false;
    }
    const touched = secondary >= 0 ? [primary, secondary] : [primary];
    const mark = state.journal.mark();
    putInstance(state, i, primary, secondary);
    const failure = n1.newlyFailing(touched);
    state.journal.rollback(mark);
    this.refusingNode = failure?.node ?? -1;
    this.isRefusalFinal = failure?.verdict === 'no';
    this.refusalTerm = this.isRefusalFinal ? 'for-good' : this.spansGroups ? 'for-now' : 'while-group-stays';
    return failure === undefined;
  }
}
