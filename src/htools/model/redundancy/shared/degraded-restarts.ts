/**
 * Which restarts of a witness are possible but not proper: an exclusion tag meets its like, or the virtual
 * cpus exceed the policy's ratio. Such restarts are shown and do not make a node fail, as the stock check
 * ignores soft rules too. Source: docs/why/storage.md.
 */
import { kept } from '../../../../kit/kept.ts';
import { exceedsVcpuRatio, vcpusOf } from '../../rules/vcpu-ratio.ts';
import * as F from '../../state/node-fields.ts';
import type { ClusterState } from '../../state/state.ts';

/** One instance of a failed node, and where it starts again. */
export interface Restart {
  readonly instance: number;
  readonly node: number;
  readonly isDegraded: boolean;
}

/** Remembers what the restarts of one failure put on each node. */
export class RestartTally {
  private readonly tags = new Map<number, Set<number>>();
  private readonly vcpus = new Map<number, number>();

  constructor(private readonly state: ClusterState) {}

  /** Whether the instance's start on the node, after those noted, would break a soft rule. */
  isDegraded(instance: number, node: number): boolean {
    const { state } = this;
    if (state.tags.conflicts(instance, node)) return true;
    const arrived = this.tags.get(node);
    if (arrived && state.tags.exclusionsOf[instance]!.some((tag) => arrived.has(tag))) return true;
    const before = state.nodeFields[node * F.NODE_STRIDE + F.USED_CPU]! + (this.vcpus.get(node) ?? 0);
    return exceedsVcpuRatio(state, node, before + vcpusOf(state, instance));
  }

  note(instance: number, node: number): void {
    const arrived = kept(this.tags, node, () => new Set<number>());
    for (const tag of this.state.tags.exclusionsOf[instance]!) arrived.add(tag);
    this.vcpus.set(node, (this.vcpus.get(node) ?? 0) + vcpusOf(this.state, instance));
  }
}

/** Tells the degraded ones among restarts that happen in the given order. */
export function judgeRestarts(
  state: ClusterState,
  restarts: readonly Omit<Restart, 'isDegraded'>[],
): readonly Restart[] {
  const tally = new RestartTally(state);
  return restarts.map(({ instance, node }) => {
    const isDegraded = tally.isDegraded(instance, node);
    tally.note(instance, node);
    return { instance, node, isDegraded };
  });
}
