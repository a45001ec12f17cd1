/** What compression found, as facts for the reports of hcompress. */
import type { DeepReadonly } from '../../../../kit/results/members.ts';
import type { HcompressDocument } from '../../../results/groups.ts';
import { amountsOf, type Capacity, sumOfCapacities } from '../homes/group-room.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { relocationCost } from '../relocate/job-schedule.ts';
import { destinationsOf, type PlanFacts, planFacts } from '../relocate/plan-facts.ts';
import { type GroupVerdict, isReclaimable, isWorthwhile } from './compress.ts';
import type { Together } from './together.ts';

type Document = DeepReadonly<HcompressDocument>;

/** A group as the document has it, but for why it cannot be emptied. */
export type CompressedGroup = Omit<
  Document['groups'][number],
  'reason' | 'isProven' | 'shortages' | 'stranded'
> & { readonly verdict: GroupVerdict };

/** Members of the document, and what else the text says. */
export interface CompressionFacts extends Pick<Document, 'leftOut' | 'pools'> {
  /** In the order of the report: those that give back most first. */
  readonly groups: readonly CompressedGroup[];
  /** Groups that can be emptied, that are empty, and that cannot be emptied; in that order. */
  readonly reclaimable: readonly CompressedGroup[];
  readonly empty: readonly CompressedGroup[];
  readonly blocked: readonly CompressedGroup[];
  readonly instances: number;
  readonly all: Capacity;
  /** Groups that go together (`--all`). */
  readonly together:
    | {
        readonly together: readonly string[];
        readonly filled: readonly string[];
        readonly isLargest: boolean;
      }
    | undefined;
  /** Groups that the plan empties, and the plan (`--evacuate`). */
  readonly emptied: readonly string[];
  readonly plan: PlanFacts | undefined;
  readonly search: CompressionSearch | undefined;
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
interface CompressionSearch {
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
): CompressionFacts {
  const { snapshot, storage, members, rates } = cluster;
  const namesOf = (some: readonly number[]): string[] => some.map((group) => snapshot.groups[group]!.name);
  const groups = verdicts.map((verdict): CompressedGroup => {
    const { group, capacity } = verdict;
    const { name, allocPolicy } = snapshot.groups[group]!;
    const nodes = members[group]!.map((n) => snapshot.nodes[n]!);
    const master = nodes.find(({ isMaster }) => isMaster)?.name ?? null;
    const total = amountsOf(capacity.total);
    return {
      verdict,
      name,
      allocPolicy,
      state: verdict.health.state,
      nodes: nodes.length,
      instances: verdict.instances,
      total,
      free: amountsOf(capacity.free),
      freeShare: verdict.freeShare,
      share: verdict.share,
      gain: verdict.gain,
      givesBack: { nodes: nodes.length, ...total, master },
      isReclaimable: isReclaimable(verdict),
      isEmpty: verdict.outcome === 'empty',
      ...(isReclaimable(verdict) && {
        isWorthwhile: isWorthwhile(verdict),
        fills: namesOf(verdict.outcome.fills),
        destinations: destinationsOf(snapshot, verdict.outcome.relocations),
        cost: relocationCost(snapshot, verdict.outcome.relocations, rates),
      }),
    };
  });
  return {
    groups,
    reclaimable: groups.filter((one) => one.isReclaimable),
    empty: groups.filter(({ isEmpty }) => isEmpty),
    blocked: groups.filter((one) => !one.isReclaimable && !one.isEmpty),
    leftOut: namesOf(cluster.leftOut),
    instances: snapshot.instances.length,
    all: sumOfCapacities(verdicts.map(({ capacity }) => capacity)),
    pools: storage.pools
      .filter(({ type }) => type === 'external')
      .map(({ id, usedMib, sizeMib, freeMib, groups: reach }) => ({
        pool: id,
        usedMib,
        sizeMib: sizeMib ?? null,
        freeMib: freeMib ?? null,
        groups: namesOf(reach),
      })),
    together: together && {
      together: namesOf(together.groups),
      filled: namesOf(together.filled),
      isLargest: together.isLargest,
    },
    emptied: namesOf(emptied),
    plan: plan && planFacts(snapshot, plan, rates),
    search,
  };
}
