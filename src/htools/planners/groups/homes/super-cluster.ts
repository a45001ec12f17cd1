/**
 * A cluster of several groups as the work across groups sees it: the searched state with its storage, N+1
 * verdicts and group scores kept up to date, and trials of several moves that can be taken back together.
 */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { Storage } from '../../../cluster/storage/storage.ts';
import { SharedStorageN1 } from '../../../model/redundancy/shared/shared-storage.ts';
import { nodeRows, ScopeStatistics } from '../../../model/score/incremental.ts';
import { ClusterState } from '../../../model/state/state.ts';
import { type PriceRates, priceOfLeaving, USUAL_RATES, unitPrices } from '../../../plan/price.ts';
import { PairEstimates } from '../../allocate/choose/pair-estimates.ts';
import { type PairRows, PairScan, pairRows } from '../../allocate/choose/pair-scan.ts';
import { failingAfter, type Health, healthOf } from './health.ts';
import { RatedPlacements } from './rated-placements.ts';

/** A point to go back to. */
export interface TrialMark {
  readonly journal: number;
  readonly touched: number;
}

export interface SuperClusterOptions {
  /** The state to work on; by default one of the snapshot as it is. */
  readonly state?: ClusterState;
  /** Nodes that are to be left and so take nothing, besides the offline ones. */
  readonly leaving?: ReadonlySet<number>;
  /** Groups that take no part: they give nothing and take nothing. */
  readonly leftOut?: ReadonlySet<number>;
  /** What moves are weighed by. */
  readonly rates?: PriceRates;
}

export class SuperCluster {
  readonly snapshot: Snapshot;
  readonly rates: PriceRates;
  readonly state: ClusterState;
  readonly storage: Storage;
  readonly n1: SharedStorageN1;
  /** Nodes of each group, and those of them that are online and not to be left; ascending. */
  readonly members: readonly (readonly number[])[];
  readonly online: readonly (readonly number[])[];
  /** Positions of the groups that have nodes and take part. */
  readonly groups: readonly number[];
  /** Positions of the groups that have nodes and take no part. */
  readonly leftOut: readonly number[];
  /** Whether a group's online nodes have exclusive storage; both where they differ, the first's first. */
  readonly storageKinds: readonly (readonly boolean[])[];
  /** Placements among which one search after another chooses, and what estimates their scores. */
  readonly rated = new RatedPlacements((group, primary, secondary) => {
    const scan = this.scanOf(group);
    scan.open(primary);
    return scan.score(secondary);
  });
  readonly estimates: PairEstimates;
  private readonly scans: (PairScan | undefined)[];
  /** What the scans write by node: groups have no node in common, so one for all will do. */
  private readonly rows: PairRows & { readonly now: Float64Array };
  /** Scores of groups since the last change there. */
  private readonly scores: ({ readonly crowding: number; readonly score: number } | undefined)[] = [];
  /** Every node that a change since the start has touched, in order. */
  private readonly touched: number[] = [];

  constructor(snapshot: Snapshot, { state, leaving, leftOut, rates }: SuperClusterOptions = {}) {
    this.snapshot = snapshot;
    this.rates = rates ?? USUAL_RATES;
    this.state = state ?? new ClusterState(snapshot);
    this.storage = this.state.anyStorage();
    const members: number[][] = snapshot.groups.map(() => []);
    snapshot.nodes.forEach((node, n) => {
      members[node.group]!.push(n);
    });
    this.members = members;
    this.online = members.map((nodes) =>
      nodes.filter((n) => !snapshot.nodes[n]!.isOffline && !leaving?.has(n)),
    );
    this.storageKinds = this.online.map((nodes) => [
      ...new Set(nodes.map((n) => snapshot.nodes[n]!.hasExclusiveStorage)),
    ]);
    const inhabited = [...members.keys()].filter((group) => members[group]!.length > 0);
    this.groups = inhabited.filter((group) => !leftOut?.has(group));
    this.leftOut = inhabited.filter((group) => leftOut?.has(group));
    const nodes = this.groups.flatMap((group) => this.online[group]!);
    this.n1 = new SharedStorageN1(this.state, this.storage, { nodes });
    this.scans = members.map(() => undefined);
    this.rows = { now: nodeRows(this.state), ...pairRows(this.state) };
    this.estimates = new PairEstimates(this.state);
  }

  /** Seconds that an instance counts when it leaves its group. */
  priceOfLeaving(i: number): number {
    const instance = this.snapshot.instances[i]!;
    return priceOfLeaving(unitPrices(instance, this.rates), instance.diskTemplate === 'drbd');
  }

  /** Scores of placements in a group, as the state stands. */
  scanOf(group: number): PairScan {
    this.scans[group] ??= new PairScan(
      new ScopeStatistics(this.state, this.members[group]!, this.rows.now),
      this.rows,
    );
    return this.scans[group];
  }

  /** Score of a group, as the state stands. */
  scoreOf(group: number): number {
    const { statistics } = this.scanOf(group);
    if (statistics.isEmpty) return 0;
    const crowding = statistics.crowding();
    const known = this.scores[group];
    if (known?.crowding === crowding) return known.score;
    const score = statistics.now.score(crowding);
    this.scores[group] = { crowding, score };
    return score;
  }

  healthOf(group: number): Health {
    return healthOf(this.state, this.n1, group, this.members[group]!);
  }

  /** How many online nodes of a group fail N+1 after a trial, not taken over; little beyond `most`. */
  failingAfter(group: number, touched: readonly number[], most: number): number {
    return failingAfter(this.state, this.n1, this.members[group]!, touched, most);
  }

  /** Takes over that these nodes changed. */
  refresh(nodes: readonly number[]): void {
    this.touched.push(...nodes);
    this.update(nodes);
  }

  mark(): TrialMark {
    return { journal: this.state.journal.mark(), touched: this.touched.length };
  }

  /** Takes back everything since the mark. */
  rollback(mark: TrialMark): void {
    this.state.journal.rollback(mark.journal);
    this.update([...new Set(this.touched.splice(mark.touched))]);
  }

  private update(nodes: readonly number[]): void {
    this.n1.refresh(nodes);
    for (const group of new Set(nodes.map((n) => this.state.groupOf[n]!))) {
      this.scores[group] = undefined;
      this.scans[group]?.statistics.refresh(nodes.filter((n) => this.state.groupOf[n] === group));
    }
  }
}
