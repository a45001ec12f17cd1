/**
 * Filling a cluster as the stock program is written: recursive, one full allocation after the other, nothing
 * kept but the cluster itself while one size after the other is tried on it. Where storage is stated, the
 * check of redundancy is ours, made anew each time.
 */
import { FAIL_MODES, type FailCode } from '../../../../src/htools/cluster/refusal.ts';
import type { Instance, Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { capacityCheck } from '../../../../src/htools/model/redundancy/capacity-check.ts';
import * as F from '../../../../src/htools/model/state/node-fields.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { Allocator } from '../../../../src/htools/planners/allocate/choose/allocator.ts';
import { shrinkCount, shrunk } from '../../../../src/htools/planners/allocate/fill/shrink.ts';
import type { AllocNodes, AllocSolution } from '../../../../src/htools/planners/allocate/solution.ts';
import { placeForGood } from '../../../../src/htools/planners/allocate/tentative-placement.ts';

export interface Filled {
  readonly refusals: readonly number[];
  /** The new instances with their nodes, in the order in which they came. */
  readonly placed: readonly Instance[];
}

export class BookFiller {
  private readonly snapshot: Snapshot;
  private readonly targets: AllocNodes;
  private readonly checksCapacity: boolean;

  constructor(snapshot: Snapshot, targets: AllocNodes, checksCapacity: boolean) {
    this.snapshot = snapshot;
    this.targets = targets;
    this.checksCapacity = checksCapacity;
  }

  private stateWith(placed: readonly Instance[]): ClusterState {
    const state = new ClusterState(this.snapshot);
    for (const one of placed) placeForGood(state, { ...one, primary: -1, secondary: -1 }, one);
    return state;
  }

  private allocate(instance: Instance, state: ClusterState, checksCapacity: boolean): AllocSolution {
    const nodes = [...this.snapshot.nodes.keys()];
    const globalCheck = checksCapacity ? capacityCheck(state, nodes) : undefined;
    return new Allocator(state, nodes).allocate(instance, this.targets, {
      ignoreSoftErrors: false,
      globalCheck,
    });
  }

  private isRedundant(placed: readonly Instance[]): boolean {
    return capacityCheck(this.stateWith(placed), [...this.snapshot.nodes.keys()]).isRedundant();
  }

  private guess(placed: readonly Instance[], { memMib }: Instance): number {
    const { nodeCount, nodeFields } = this.stateWith(placed);
    let available = 0;
    for (let n = 0; n < nodeCount; n++) {
      const at = n * F.NODE_STRIDE;
      available += Math.max(0, nodeFields[at + F.FREE_MEM]! - nodeFields[at + F.RESERVED_MEM]!);
    }
    return Math.max(20, Math.floor(available / memMib) - nodeCount);
  }

  private smallSteps(
    instance: Instance,
    limit: number | undefined,
    placed: readonly Instance[],
    checksCapacity: boolean,
  ): Filled {
    const isChecked = checksCapacity && instance.diskTemplate !== 'drbd';
    const { best, refusals } = this.allocate(instance, this.stateWith(placed), isChecked);
    if (!best || limit === 0) return { refusals, placed };
    const { primary, secondary } = best;
    return this.smallSteps(
      instance,
      limit === undefined ? undefined : limit - 1,
      [...placed, { ...instance, primary, secondary }],
      checksCapacity,
    );
  }

  iterate(
    instance: Instance,
    limit: number | undefined,
    placed: readonly Instance[] = [],
    triesHuge = true,
  ): Filled {
    if (!this.checksCapacity) return this.smallSteps(instance, limit, placed, false);
    const step = triesHuge ? this.guess(placed, instance) : 10;
    const result = this.smallSteps(
      instance,
      limit === undefined ? step : Math.min(step, limit),
      placed,
      false,
    );
    const rest = limit === undefined ? undefined : Math.max(0, limit - step);
    if (this.isRedundant(result.placed)) {
      if (rest === 0 || result.placed.length === placed.length) return result;
      return this.iterate(instance, rest, result.placed, triesHuge);
    }
    return triesHuge
      ? this.iterate(instance, limit, placed, false)
      : this.smallSteps(instance, limit, placed, true);
  }

  private shrinkUntilFits(
    instance: Instance,
    code: FailCode,
    placed: readonly Instance[],
  ): Instance | undefined {
    const state = this.stateWith(placed);
    for (let steps = 0; steps < shrinkCount(instance, code); steps++) {
      const smaller = shrunk(instance, code, steps);
      const { best, refusals } = this.allocate(smaller, state, this.checksCapacity);
      if (best) return smaller;
      if (refusals[code] === 0) return undefined;
    }
    return undefined;
  }

  tiered(instance: Instance, limit: number | undefined, before: readonly Instance[] = []): Filled {
    const result = this.iterate(instance, limit, before);
    const { placed, refusals } = result;
    if (limit !== undefined && limit <= placed.length) return result;
    const left = limit === undefined ? undefined : limit - placed.length;
    const rarestFirst = FAIL_MODES.map((_, code) => code)
      .slice(1)
      .sort((a, b) => refusals[a]! - refusals[b]!);
    const commonest = rarestFirst.at(-1)!;
    if (shrinkCount(instance, commonest) > 0) {
      const below = this.tiered(shrunk(instance, commonest, 1), left, placed);
      if (below.placed.length > placed.length) return below;
    }
    for (const code of rarestFirst.reverse()) {
      const smaller = this.shrinkUntilFits(instance, code, placed);
      if (smaller) return this.tiered(smaller, left, placed);
    }
    return result;
  }
}
