/** What compression found, as facts for the reports of hcompress. */

import type { PriceRates } from '../../../plan/price.ts';
import type { Amounts, Capacity } from '../homes/group-room.ts';
import { RESOURCES } from '../homes/group-room.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { type RelocationCost, relocationCost } from '../relocate/job-schedule.ts';
import { type Destination, destinationsOf, type PlanFacts, planFacts } from '../relocate/plan-facts.ts';
import { type GroupVerdict, isReclaimable, isWorthwhile } from './compress.ts';
import type { Together } from './together.ts';

/** What a group would give back. */
export interface Returns {
  readonly nodes: number;
  /** Of online nodes; cpu in virtual cpus. */
  readonly total: Amounts;
  /**
   * The master node, which another one has to take over from first; undefined where it is in another group.
   */
  readonly master: number | undefined;
}

export interface CompressedGroup {
  readonly verdict: GroupVerdict;
  readonly returns: Returns;
  /** Emptying it leaves more of the cluster unused than before. */
  readonly isWorthwhile: boolean;
  /** Only where it can be emptied. */
  readonly cost: RelocationCost | undefined;
  readonly destinations: readonly Destination[];
}

/** A storage pool that several nodes reach; MiB. */
export interface PoolFacts {
  readonly pool: string;
  readonly usedMib: number;
  readonly sizeMib: number | undefined;
  readonly freeMib: number | undefined;
  readonly groups: readonly number[];
}

export interface CompressionFacts {
  /** In the order of the report: those that give back most first. */
  readonly groups: readonly CompressedGroup[];
  /** Groups that can be emptied, that are empty, and that cannot be emptied; in that order. */
  readonly reclaimable: readonly CompressedGroup[];
  readonly empty: readonly CompressedGroup[];
  readonly blocked: readonly CompressedGroup[];
  readonly leftOut: readonly number[];
  readonly instances: number;
  readonly all: Capacity;
  readonly pools: readonly PoolFacts[];
  /** Groups that go together (`--all`). */
  readonly together: Together | undefined;
  /** Groups that the plan empties, and the plan (`--evacuate`). */
  readonly emptied: readonly number[];
  readonly plan: PlanFacts | undefined;
  readonly search: CompressionSearch | undefined;
}

function returnsOf({ snapshot, members }: SuperCluster, { group, capacity }: GroupVerdict): Returns {
  const nodes = members[group]!;
  return {
    nodes: nodes.length,
    total: capacity.total,
    master: nodes.find((n) => snapshot.nodes[n]!.isMaster),
  };
}

function sumOf(capacities: readonly Capacity[]): Capacity {
  const sum = (pick: (one: Capacity) => Amounts): Amounts =>
    Object.fromEntries(
      RESOURCES.map((resource) => [resource, capacities.reduce((all, one) => all + pick(one)[resource], 0)]),
    ) as Record<(typeof RESOURCES)[number], number>;
  return { total: sum(({ total }) => total), free: sum(({ free }) => free) };
}

/** What is to be done: the groups that go together, or the one that is emptied. */
export interface Wanted {
  readonly together: Together | undefined;
  readonly emptied: readonly number[];
  readonly plan: Together['relocations'] | undefined;
  /** What the deep search was for, and what is done without it; undefined where there was none. */
  readonly search?: CompressionSearch | undefined;
}

/** Mean scores are those of the groups that take part and are not emptied, with the moves made. */
export interface CompressionSearch {
  readonly meanScore: number;
  readonly greedy: {
    readonly reclaimable: number;
    readonly groupsEmptied: number;
    readonly instances: number;
    readonly copiedMib: number;
    readonly meanScore: number;
  };
}

/** @param cluster as it was before anything was done */
export function compressionFacts(
  cluster: SuperCluster,
  verdicts: readonly GroupVerdict[],
  { together, emptied, plan, search }: Wanted,
  rates: PriceRates,
): CompressionFacts {
  const { snapshot, storage } = cluster;
  const groups = verdicts.map((verdict): CompressedGroup => {
    const relocations = isReclaimable(verdict) ? verdict.outcome.relocations : undefined;
    return {
      verdict,
      returns: returnsOf(cluster, verdict),
      isWorthwhile: isWorthwhile(verdict),
      cost: relocations && relocationCost(snapshot, relocations, rates),
      destinations: destinationsOf(relocations ?? []),
    };
  });
  return {
    groups,
    reclaimable: groups.filter(({ verdict }) => isReclaimable(verdict)),
    empty: groups.filter(({ verdict }) => verdict.outcome === 'empty'),
    blocked: groups.filter(({ verdict }) => !isReclaimable(verdict) && verdict.outcome !== 'empty'),
    leftOut: cluster.leftOut,
    instances: snapshot.instances.length,
    all: sumOf(verdicts.map(({ capacity }) => capacity)),
    pools: storage.pools
      .filter(({ type }) => type === 'external')
      .map(({ id, usedMib, sizeMib, freeMib, groups: reach }) => ({
        pool: id,
        usedMib,
        sizeMib,
        freeMib,
        groups: reach,
      })),
    together,
    emptied,
    plan: plan && planFacts(snapshot, plan, rates),
    search,
  };
}
