/**
 * The cluster's score with a candidate placed as an instance: memory and processors on the candidate's node,
 * disk there or on the shared pool. Each is placed on a working copy and taken back.
 */
import { type Instance, NO_NODE, type Snapshot } from '../../../htools/cluster/snapshot.ts';
import { Scorer } from '../../../htools/model/score/scorer.ts';
import { wholeScope } from '../../../htools/model/state/scope.ts';
import { ClusterState } from '../../../htools/model/state/state.ts';
import { sizedInstance } from '../../../htools/planners/allocate/sized-instance.ts';
import { TentativePlacement } from '../../../htools/planners/allocate/tentative-placement.ts';
import { MIB_PER_GIB } from '../../../kit/units.ts';
import { allocationsOf, type Candidate } from '../../candidates/search/candidate.ts';
import type { Slot } from '../../candidates/search/slots.ts';

/** What a candidate takes of memory, processors and disk, and where the disk is. */
function sizeOf(
  candidate: Candidate,
  slots: readonly Slot[],
): { memMib: number; vcpus: number; diskMib: number; isShared: boolean } {
  const size = { memMib: 0, vcpus: 0, diskMib: 0, isShared: false };
  for (const [provider, taken] of allocationsOf(candidate, slots)) {
    const amount = (name: string): number => taken.get(name) ?? 0;
    const diskMib = amount('DISK_GB') * MIB_PER_GIB + amount('CUSTOM_DISK_MB');
    size.memMib += amount('MEMORY_MB');
    size.vcpus += amount('VCPU');
    size.diskMib += diskMib;
    if (diskMib > 0 && provider.root !== candidate.anchor) size.isShared = true;
  }
  return size;
}

export class CandidateScorer {
  private readonly state: ClusterState;
  private readonly nodeByName: ReadonlyMap<string, number>;

  constructor(private readonly snapshot: Snapshot) {
    this.state = new ClusterState(snapshot);
    this.nodeByName = new Map(snapshot.nodes.map(({ name }, n) => [name, n]));
  }

  /** The score; undefined for what runs on no node, such as a pool alone. */
  scoreOf(candidate: Candidate, slots: readonly Slot[]): number | undefined {
    const node = this.nodeByName.get(candidate.anchor.name);
    if (node === undefined) return undefined;
    const { isShared, ...size } = sizeOf(candidate, slots);
    const instance: Instance = sizedInstance({ ...size, spindles: 0 }, isShared ? 'ext' : 'plain', 1);
    const { state } = this;
    const placed = new TentativePlacement(state, instance, { primary: node, secondary: NO_NODE });
    const score = new Scorer(state, wholeScope(this.snapshot).nodes).score;
    placed.remove();
    return score;
  }
}
