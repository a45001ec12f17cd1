/**
 * Which nodes refuse an instance of one size, and why, kept from one allocation to the next.
 *
 * A node's answer as primary does not depend on the secondary, and its answer as secondary depends on the
 * primary only through the memory that it reserves for it already. So a table of two answers a node, renewed
 * for the nodes that changed, stands for all pairs; the pairs with an earlier reservation are asked one by
 * one.
 */
import { ALLOWED, FAIL_MODES, type FailCode } from '../../../cluster/refusal.ts';
import { primaryRefusal, secondaryRefusal } from '../../../model/rules/admission.ts';
import { policyRefusal } from '../../../model/rules/policy.ts';
import { poolSpaceRefusal } from '../../../model/rules/pool-space.ts';
import { PeerRow } from '../../../model/state/peer-rows.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { type AllocNodes, noRefusals, type Placement } from '../solution.ts';

const UNASKED = -1;

export class RefusalTable {
  /** Nodes that take part, as primaries or secondaries. */
  readonly nodes: readonly number[];
  /** Why a node's group does not admit the size at all. */
  private readonly policyCodes: Int32Array;
  /** Why a node has no room for it as primary. */
  private readonly roomCodes: Int32Array;
  /** Why a node cannot be its secondary while it reserves nothing for the primary. */
  private readonly peerRow: PeerRow;
  private readonly secondaryCodes: Int32Array;
  /** What each group's policy says, for nodes without and with exclusive storage. */
  private readonly groupCodes: Int32Array;
  private instance = -1;
  /** Why its pool does not take it, wherever it is to run; asked each time, since a pool fills up. */
  private poolCode: FailCode = ALLOWED;

  constructor(
    private readonly state: ClusterState,
    private readonly targets: AllocNodes,
  ) {
    this.nodes = targets.kind === 'pairs' ? targets.pairs.map((pair) => pair.primary) : targets.nodes;
    this.policyCodes = new Int32Array(state.nodeCount);
    this.roomCodes = new Int32Array(state.nodeCount);
    this.secondaryCodes = new Int32Array(state.nodeCount);
    this.peerRow = new PeerRow(state);
    this.groupCodes = new Int32Array(2 * state.snapshot.groups.length);
  }

  /** Asks these nodes about an instance that is on no node. The other answers must be about the same size. */
  update(i: number, changed: readonly number[]): void {
    const { state } = this;
    this.instance = i;
    this.poolCode = poolSpaceRefusal(state, i);
    this.groupCodes.fill(UNASKED);
    for (const n of changed) {
      this.policyCodes[n] = this.groupCode(state.groupOf[n]!, state.isExclusive[n]!);
      this.roomCodes[n] = primaryRefusal(state, i, n, false);
      this.secondaryCodes[n] = UNASKED;
    }
  }

  /** Why a group's policy does not admit it; the same for its nodes with that kind of storage. */
  private groupCode(group: number, isExclusive: number): FailCode {
    const { state, groupCodes } = this;
    const at = 2 * group + isExclusive;
    if (groupCodes[at] === UNASKED) {
      const { policy } = state.snapshot.groups[group]!;
      groupCodes[at] = policyRefusal(state.instanceRecord(this.instance), policy, isExclusive === 1);
    }
    return groupCodes[at]!;
  }

  /** Whether the instance's pool takes it. */
  get hasPoolSpace(): boolean {
    return this.poolCode === ALLOWED;
  }

  /** Why a node cannot be the primary. */
  primaryCode(p: number): FailCode {
    return this.policyCodes[p]! || this.roomCode(p);
  }

  /** Why the pool or the node has no room for it as primary. */
  private roomCode(p: number): FailCode {
    return this.poolCode || this.roomCodes[p]!;
  }

  /** Why a node cannot be the secondary of primaries for which it reserves nothing; asked when wanted. */
  private openCode(s: number): FailCode {
    // No node reserves memory for itself, so this asks without any earlier reservation.
    if (this.secondaryCodes[s] === UNASKED)
      this.secondaryCodes[s] = secondaryRefusal(this.state, this.instance, s, s, false, false);
    return this.secondaryCodes[s]!;
  }

  /** Whether a node may be the secondary of primaries for which it reserves nothing. */
  isOpenSecondary(s: number): boolean {
    return this.openCode(s) === ALLOWED;
  }

  /** Why a node cannot be the secondary for that primary. */
  secondaryCode(p: number, s: number): FailCode {
    const { state } = this;
    return state.peers.get(s, p) > 0
      ? secondaryRefusal(state, this.instance, s, p, false, false)
      : this.openCode(s);
  }

  private countSecondaries(primary: number, secondaries: readonly number[], counts: number[]): void {
    const peers = this.peerRow.open(primary);
    for (const s of secondaries) {
      const code = peers[s]! > 0 ? this.secondaryCode(primary, s) : this.openCode(s);
      counts[code]!++;
    }
  }

  /** Refused candidates per FailCode. */
  count(): number[] {
    const { targets } = this;
    const counts = noRefusals();
    if (targets.kind === 'singles') {
      for (const p of targets.nodes) counts[this.primaryCode(p)]!++;
    } else {
      for (const { primary, secondaries } of targets.pairs) {
        const code = this.primaryCode(primary);
        if (code !== ALLOWED) counts[code]! += secondaries.length;
        else this.countSecondaries(primary, secondaries, counts);
      }
    }
    counts[ALLOWED] = 0;
    return counts;
  }

  /** Whether any candidate is refused for that reason. */
  refuses(code: FailCode): boolean {
    const { targets } = this;
    if (this.nodes.some((p) => this.primaryCode(p) === code)) return true;
    return (
      targets.kind === 'pairs' &&
      targets.pairs.some(
        ({ primary, secondaries }) =>
          this.primaryCode(primary) === ALLOWED &&
          secondaries.some((s) => this.secondaryCode(primary, s) === code),
      )
    );
  }

  /** Whether any candidate has room, whatever its group's policy says. */
  hasRoom(): boolean {
    return this.some(
      (p) => this.roomCode(p) === ALLOWED,
      () => true,
    );
  }

  /** Whether any candidate that no rule refuses passes a further test. */
  isAllowed(passes: (home: Placement) => boolean): boolean {
    return this.some((p) => this.primaryCode(p) === ALLOWED, passes);
  }

  private some(isOpen: (p: number) => boolean, passes: (home: Placement) => boolean): boolean {
    const { targets } = this;
    if (targets.kind === 'singles')
      return targets.nodes.some((primary) => isOpen(primary) && passes({ primary, secondary: -1 }));
    return targets.pairs.some(
      ({ primary, secondaries }) =>
        isOpen(primary) &&
        secondaries.some(
          (secondary) => this.secondaryCode(primary, secondary) === ALLOWED && passes({ primary, secondary }),
        ),
    );
  }
}

/** The reasons with how often each occurs, in stock's order, zeros included. */
export const refusalsInOrder = (
  counts: readonly number[],
): { readonly code: FailCode; readonly count: number }[] =>
  FAIL_MODES.map((_, code) => ({ code, count: counts[code]! })).slice(1);
