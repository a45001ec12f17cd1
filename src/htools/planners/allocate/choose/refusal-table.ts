/**
 * Which nodes refuse an instance of one size, and why, kept from one allocation to the next, and for sizes
 * that get smaller as far as the answers hold for these (sized-answers.ts).
 *
 * A node's answer as primary does not depend on the secondary, and its answer as secondary depends on the
 * primary only through the memory that it reserves for it already. So two answers a node stand for all pairs;
 * the pairs with an earlier reservation are asked one by one. A group is counted again when one of its nodes
 * has changed or an answer of it no longer holds.
 */
import { groupedBy } from '../../../../kit/grouped.ts';
import { ALLOWED, FAIL_MODES, type FailCode } from '../../../cluster/refusal.ts';
import type { Instance, InstancePolicy } from '../../../cluster/snapshot.ts';
import { primaryRefusal, secondaryRefusal } from '../../../model/rules/admission.ts';
import { policyRefusal } from '../../../model/rules/policy.ts';
import { poolSpaceRefusal } from '../../../model/rules/pool-space.ts';
import { PeerRow } from '../../../model/state/peer-rows.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { type AllocNodes, noRefusals, type Placement, pairsOf } from '../solution.ts';
import { AskedSize, SizedAnswers } from './sized-answers.ts';

interface TargetGroup {
  readonly nodes: readonly number[];
  isStale: boolean;
  /** Candidates by answer, and the largest floor of such an answer. */
  readonly counts: number[];
  readonly floors: number[];
}

export class RefusalTable {
  /** Nodes that take part, as primaries or secondaries. */
  readonly nodes: readonly number[];
  /** The groups' policies, each once. */
  readonly policies: readonly InstancePolicy[];
  private readonly isOfPairs: boolean;
  private readonly groups: ReadonlyMap<number, TargetGroup>;
  private readonly size: AskedSize;
  /** Why a node has no room for it as primary, and why not as secondary for which it reserves nothing. */
  private readonly primaries: SizedAnswers;
  private readonly secondaries: SizedAnswers;
  private readonly peerRow: PeerRow;
  /** Why a policy does not admit the size at all, for nodes without and with exclusive storage. */
  private readonly policyCodes: FailCode[] = [];
  /** Where a node's group's and storage's stands in there. */
  private readonly policyAt: Int32Array;
  private record: Instance | undefined;
  /** Why its pool does not take it, wherever it is to run; asked each time, since a pool fills up. */
  private poolCode: FailCode = ALLOWED;

  /** @param targets of pairs, all those of a group's nodes */
  constructor(
    private readonly state: ClusterState,
    targets: AllocNodes,
  ) {
    this.isOfPairs = targets.kind === 'pairs';
    this.nodes = pairsOf(targets).map((pair) => pair.primary);
    this.groups = new Map(
      [...groupedBy(this.nodes, (n) => state.groupOf[n]!)].map(([group, nodes]) => [
        group,
        { nodes, isStale: true, counts: noRefusals(), floors: noRefusals() },
      ]),
    );
    const keys = state.snapshot.groups.map(({ policy }) => JSON.stringify(policy));
    const distinct = [...new Set(keys)];
    this.policies = distinct.map((key) => state.snapshot.groups[keys.indexOf(key)]!.policy);
    const places = keys.map((key) => distinct.indexOf(key));
    this.policyAt = state.groupOf.map((group, n) => 2 * places[group]! + state.isExclusive[n]!);
    this.size = new AskedSize(state);
    const answers = (ask: (n: number) => FailCode): SizedAnswers =>
      new SizedAnswers(state.nodeCount, this.size, ask);
    this.primaries = answers((p) => primaryRefusal(state, this.size.instance, p, false));
    // No node reserves memory for itself, so this asks without any earlier reservation.
    this.secondaries = answers((s) => secondaryRefusal(state, this.size.instance, s, s, false, false));
    this.peerRow = new PeerRow(state);
  }

  touch(nodes: readonly number[]): void {
    for (const n of nodes) {
      this.primaries.forget(n);
      this.secondaries.forget(n);
      const group = this.groups.get(this.state.groupOf[n]!);
      if (group) group.isStale = true;
    }
  }

  /** Answers for an instance that is on no node. */
  update(i: number): void {
    const { state, policies, policyCodes } = this;
    const record = state.instanceRecord(i);
    let isStale = false;
    this.size.instance = i;
    const poolCode = poolSpaceRefusal(state, i);
    if (poolCode !== this.poolCode) isStale = true;
    this.poolCode = poolCode;
    if (record !== this.record) {
      this.record = record;
      if (!this.size.take(record)) {
        isStale = true;
        this.primaries.forgetAll();
        this.secondaries.forgetAll();
      }
      for (let k = 0; k < 2 * policies.length; k++) {
        const code = policyRefusal(record, policies[k >> 1]!, k % 2 === 1);
        if (code !== policyCodes[k]) isStale = true;
        policyCodes[k] = code;
      }
    }
    if (isStale) for (const group of this.groups.values()) group.isStale = true;
  }

  get hasPoolSpace(): boolean {
    return this.poolCode === ALLOWED;
  }

  /** All that is asked of the size but what nodes have room for: its pool, and the policies. */
  get outsideKey(): string {
    return `${this.poolCode},${this.policyCodes}`;
  }

  /** Why a node cannot be the primary. */
  primaryCode(p: number): FailCode {
    return this.policyCodes[this.policyAt[p]!]! || this.poolCode || this.primaries.at(p);
  }

  /** Whether a node may be the secondary of primaries for which it reserves nothing. */
  isOpenSecondary(s: number): boolean {
    return this.secondaries.at(s) === ALLOWED;
  }

  /** Why a node cannot be the secondary for that primary. */
  secondaryCode(p: number, s: number): FailCode {
    return this.state.peers.get(s, p) > 0 ? this.pairCode(p, s) : this.secondaries.at(s);
  }

  /** The same for a node that reserves memory for the primary already. */
  private pairCode(p: number, s: number): FailCode {
    return secondaryRefusal(this.state, this.size.instance, s, p, false, false);
  }

  /** Candidates per FailCode. */
  count(): number[] {
    const counts = noRefusals();
    for (const group of this.groups.values())
      this.counted(group).counts.forEach((count, code) => {
        counts[code]! += count;
      });
    return counts;
  }

  /** The group, counted again where what was counted no longer holds. */
  private counted(group: TargetGroup): TargetGroup {
    if (group.isStale || !this.size.isAboveAll(group.floors)) this.recount(group);
    return group;
  }

  /** Whether any candidate gets that answer: is refused for that reason, or ALLOWED. */
  gives(code: FailCode): boolean {
    for (const group of this.groups.values()) if (this.counted(group).counts[code]! > 0) return true;
    return false;
  }

  private recount(group: TargetGroup): void {
    const { primaries, policyAt, policyCodes } = this;
    const { nodes, counts, floors } = group;
    group.isStale = false;
    counts.fill(0);
    floors.fill(0);
    const secondaryCount = this.isOfPairs ? nodes.length - 1 : 1;
    for (const p of nodes) {
      const fixed = policyCodes[policyAt[p]!]! || this.poolCode;
      const code = fixed || primaries.at(p);
      if (code === ALLOWED && this.isOfPairs) {
        this.countSecondaries(group, p);
        continue;
      }
      counts[code]! += secondaryCount;
      if (fixed === ALLOWED) floors[code] = Math.max(floors[code]!, primaries.floorAt(p));
    }
  }

  private countSecondaries({ nodes, counts, floors }: TargetGroup, p: number): void {
    const { secondaries, size } = this;
    const peers = this.peerRow.open(p);
    for (const s of nodes) {
      if (s === p) continue;
      const open = secondaries.at(s);
      const code = peers[s]! > 0 ? this.pairCode(p, s) : open;
      counts[code]!++;
      if (code === ALLOWED) continue;
      // What refuses a node for all primaries does so down to the same size at least.
      const floor = code === open ? secondaries.floorAt(s) : size.floorOf(code, () => this.pairCode(p, s));
      if (floor > floors[code]!) floors[code] = floor;
    }
  }

  /** Down to how much of what the code is about all candidates get the answers that were counted. */
  floor(code: FailCode): number {
    let floor = 0;
    for (const group of this.groups.values()) floor = Math.max(floor, this.counted(group).floors[code]!);
    return floor;
  }

  get hasHome(): boolean {
    return this.gives(ALLOWED);
  }

  /** Whether any candidate that no rule refuses passes a further test. */
  isAllowed(passes: (home: Placement) => boolean): boolean {
    if (!this.hasHome) return false;
    const hasHome = (primary: number, nodes: readonly number[]): boolean =>
      this.isOfPairs
        ? nodes.some(
            (secondary) =>
              secondary !== primary &&
              this.secondaryCode(primary, secondary) === ALLOWED &&
              passes({ primary, secondary }),
          )
        : passes({ primary, secondary: -1 });
    for (const { nodes } of this.groups.values())
      if (nodes.some((p) => this.primaryCode(p) === ALLOWED && hasHome(p, nodes))) return true;
    return false;
  }
}

/** The reasons with how often each occurs, in stock's order, zeros included. */
export const refusalsInOrder = (
  counts: readonly number[],
): { readonly code: FailCode; readonly count: number }[] =>
  FAIL_MODES.map((_, code) => ({ code, count: counts[code]! })).slice(1);
