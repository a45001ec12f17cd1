/**
 * Allocation where storage is exclusive (dedicated clusters): not the score counts, but how many instances of
 * the policy's sizes a placement costs, biggest size first, and then how much disk is left. Source: stock
 * Dedicated; design document on partitioned Ganeti.
 */
import { kept } from '../../../../kit/kept.ts';
import { ALLOWED, type FailCode } from '../../../cluster/refusal.ts';
import { type Instance, type InstanceSpec, NO_NODE, type Snapshot } from '../../../cluster/snapshot.ts';
import { addPrimary, addSecondary } from '../../../model/moves/transitions.ts';
import { primaryRefusal, secondaryRefusal } from '../../../model/rules/admission.ts';
import { reservedWith } from '../../../model/rules/n-plus-one.ts';
import { policyRefusalOn } from '../../../model/rules/policy.ts';
import { explainPoolSpace, poolSpaceRefusal } from '../../../model/rules/pool-space.ts';
import * as F from '../../../model/state/node-fields.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { sizedInstance, sizeOfSpec } from '../sized-instance.ts';
import { type AllocNodes, type AllocOptions, type AllocSolution, noRefusals, pairsOf } from '../solution.ts';

/** What a placement costs; compared part by part. */
export interface LostAllocations {
  /** Instances of each size that no longer fit, biggest disk first. */
  readonly lost: readonly number[];
  /** Disk left on the nodes of the placement, MiB. */
  readonly freeDiskMib: number;
}

/**
 * Whether all nodes of the named group, or of all groups that take instances, hand out whole spindles. As in
 * stock, a uuid names no group here: then no node is asked, and the answer is yes.
 */
export function isDedicated(snapshot: Snapshot, groupName: string | undefined): boolean {
  const concerns = snapshot.groups.map((group) =>
    groupName === undefined ? group.allocPolicy !== 'unallocable' : group.name === groupName,
  );
  return snapshot.nodes.every((node) => node.hasExclusiveStorage || !concerns[node.group]);
}

export function isLessLost(a: LostAllocations, b: LostAllocations): boolean {
  for (let k = 0; k < a.lost.length && k < b.lost.length; k++) {
    if (a.lost[k] !== b.lost[k]) return a.lost[k]! < b.lost[k]!;
  }
  return a.lost.length === b.lost.length ? a.freeDiskMib < b.freeDiskMib : a.lost.length < b.lost.length;
}

/** An instance of that size; how many spindles its disk has, nobody says. */
const sampleOf = (spec: InstanceSpec): Instance => ({
  ...sizedInstance(sizeOfSpec(spec), 'plain', spec.spindleUse),
  disks: [],
});

export class DedicatedAllocator {
  /** Smallest instances of each group's sizes, biggest disk first. */
  private readonly samples: readonly (readonly Instance[])[];

  constructor(private readonly state: ClusterState) {
    this.samples = state.snapshot.groups.map((group) =>
      group.policy.ranges
        .map((range) => range.min)
        .sort((a, b) => b.diskMib - a.diskMib)
        .map(sampleOf),
    );
  }

  /** Finds the cheapest place; of equal ones the last. The state is as before. */
  allocate(
    instance: Instance,
    nodes: AllocNodes,
    { ignoreSoftErrors, trace }: Pick<AllocOptions, 'ignoreSoftErrors' | 'trace'>,
  ): AllocSolution<LostAllocations> {
    const { state } = this;
    const i = state.addInstance(instance);
    const refusals = noRefusals();
    let successes = 0;
    let best: AllocSolution<LostAllocations>['best'];
    // Of its primary a secondary knows only how much it reserves then, which for most is the same.
    const answers = new Map<number, Map<number, FailCode | LostAllocations>>();
    for (const { primary, secondaries } of pairsOf(nodes)) {
      const code = this.primaryCode(i, primary, ignoreSoftErrors);
      if (code !== ALLOWED) {
        refusals[code]! += secondaries.length;
        trace?.refused({ primary, secondary: NO_NODE, code, count: secondaries.length });
        continue;
      }
      const loss = this.lossOn(primary, () => addPrimary(state, i, primary, 0));
      for (const secondary of secondaries) {
        const answer =
          secondary === NO_NODE
            ? undefined
            : kept(
                kept(answers, secondary, () => new Map()),
                reservedWith(state, i, secondary, primary),
                () => this.asSecondary(i, secondary, primary),
              );
        if (typeof answer === 'number') {
          refusals[answer]!++;
          trace?.refused({ primary, secondary, code: answer, count: 1 });
          continue;
        }
        successes++;
        const metric = answer ? together(loss, answer) : loss;
        if (best === undefined || !isLessLost(best.metric, metric)) best = { primary, secondary, metric };
      }
    }
    const pool = poolSpaceRefusal(state, i) === ALLOWED ? undefined : explainPoolSpace(state, i);
    state.dropLastInstance();
    return { refusals, successes, best, ...(pool && { pool }) };
  }

  private primaryCode(i: number, node: number, ignoreSoftErrors: boolean): number {
    const { state } = this;
    return (
      policyRefusalOn(state, i, node) ||
      poolSpaceRefusal(state, i) ||
      primaryRefusal(state, i, node, ignoreSoftErrors)
    );
  }

  /** What a node says as the secondary: why not, or what it costs. */
  private asSecondary(i: number, node: number, primary: number): FailCode | LostAllocations {
    const { state } = this;
    return (
      secondaryRefusal(state, i, node, primary, false, false) ||
      this.lossOn(node, () => addSecondary(state, i, node, primary))
    );
  }

  /** What an arrival costs a node, in sizes of its group. */
  private lossOn(node: number, arrive: () => void): LostAllocations {
    const { state } = this;
    const samples = this.samples[state.groupOf[node]!]!;
    const before = samples.map((sample) => this.capacity(node, sample));
    const mark = state.journal.mark();
    arrive();
    const lost = samples.map((sample, k) => before[k]! - this.capacity(node, sample));
    const freeDiskMib = state.nodeFields[node * F.NODE_STRIDE + F.FREE_DISK]!;
    state.journal.rollback(mark);
    return { lost, freeDiskMib };
  }

  /** How many of these a node takes as primaries; 0 for one that needs nothing, of which there is no end. */
  private capacity(node: number, sample: Instance): number {
    if (sample.memMib <= 0 && sample.diskMib <= 0 && sample.vcpus <= 0) return 0;
    const { state } = this;
    const i = state.addInstance(sample);
    const mark = state.journal.mark();
    let count = 0;
    while (primaryRefusal(state, i, node, false) === ALLOWED) {
      addPrimary(state, i, node, 0);
      count++;
    }
    state.journal.rollback(mark);
    state.dropLastInstance();
    return count;
  }
}

const together = (a: LostAllocations, b: LostAllocations): LostAllocations => ({
  lost: a.lost.map((lost, k) => lost + b.lost[k]!),
  freeDiskMib: a.freeDiskMib + b.freeDiskMib,
});
