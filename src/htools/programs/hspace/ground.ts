/** Which nodes hspace may use, and under which rules, found out before the first allocation. */
import { ExecutionError } from '../../../kit/faults.ts';
import { once } from '../../../kit/kept.ts';
import type { Instance, Snapshot } from '../../cluster/snapshot.ts';
import { contradictionOf } from '../../cluster/storage/pool-statements.ts';
import { parsePoolId } from '../../cluster/tags/tags.ts';
import { type DiskTemplate, requiredNodes } from '../../cluster/templates.ts';
import { capacityCheck } from '../../model/redundancy/capacity-check.ts';
import type { GlobalCheckOptions } from '../../model/redundancy/drbd/global-n-plus-one.ts';
import { badNodes, groupScope } from '../../model/state/scope.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { Filler } from '../../planners/allocate/fill/filler.ts';
import { type Size, sizedInstance } from '../../planners/allocate/sized-instance.ts';
import { type AllocNodes, allocNodes, areNodes } from '../../planners/allocate/solution.ts';

export interface Ground {
  readonly snapshot: Snapshot;
  readonly diskTemplate: DiskTemplate;
  readonly instanceOf: (size: Size) => Instance;
  /** Online nodes that fail N+1 by their own reservations. */
  readonly badNodes: readonly number[];
  /** Positions of the groups that are not globally redundant. Found when asked for: it takes a while. */
  readonly badGroups: () => readonly number[];
  /** Nodes that may be tried, in this cluster or in one with the same groups. */
  readonly targets: (snapshot: Snapshot) => AllocNodes;
  readonly check: () => GlobalCheckOptions;
  /** The cluster is not N+1 happy and nobody said to put up with that: nothing is tried. */
  readonly isStopped: boolean;
}

const NOTHING: Size = { memMib: 0, diskMib: 0, vcpus: 0, spindles: 0 };

/**
 * Makes instances of any size.
 * @param usualSpindleUse what the policy says
 * @throws ExecutionError when the storage pool asked for is none, or does not go with the template
 */
function instanceMaker(
  { storagePool, spindleUse }: ProgramOptions<'hspace'>,
  diskTemplate: DiskTemplate,
  usualSpindleUse: number,
): (size: Size) => Instance {
  const pool = storagePool === undefined ? undefined : parsePoolId(storagePool);
  if (storagePool !== undefined && pool === undefined)
    throw new ExecutionError(
      `'${storagePool}' names no storage pool`,
      'write the type and the name, as in external/nas',
    );
  const make = (size: Size): Instance => ({
    ...sizedInstance(size, diskTemplate, spindleUse ?? usualSpindleUse),
    ...(pool !== undefined && { storagePool: pool }),
  });
  const problem = contradictionOf(make(NOTHING));
  if (problem !== undefined)
    throw new ExecutionError(
      `a new instance ${problem}`,
      'choose another template with --disk-template, or another pool',
    );
  return make;
}

/** @throws ExecutionError when the cluster's policy names no disk template */
export function groundOf(state: ClusterState, options: ProgramOptions<'hspace'>): Ground {
  const { snapshot } = state;
  const { independentGroups, acceptExistingErrors } = options;
  const [clusterTemplate] = snapshot.policy.diskTemplates;
  if (clusterTemplate === undefined)
    throw new ExecutionError(
      'null list of disk templates received from cluster',
      "the cluster's policy should allow at least one disk template",
    );
  const nodes = [...snapshot.nodes.keys()];
  const diskTemplate = options.diskTemplate ?? clusterTemplate;
  const bad = badNodes(state, nodes);
  const badGroups = once(() => findBadGroups(state, acceptExistingErrors));
  const closed = once(
    () =>
      new Set([
        ...(acceptExistingErrors ? [] : bad.map((n) => state.groupOf[n]!)),
        ...(independentGroups ? badGroups() : []),
      ]),
  );
  const isOpen = (group: number): boolean =>
    snapshot.groups[group]!.allocPolicy !== 'unallocable' && !closed().has(group);
  return {
    snapshot,
    diskTemplate,
    instanceOf: instanceMaker(options, diskTemplate, snapshot.policy.standard.spindleUse),
    badNodes: bad,
    badGroups,
    targets: (variant) => {
      const count = requiredNodes(diskTemplate);
      const open = [...variant.nodes.keys()].filter((n) => isOpen(variant.nodes[n]!.group));
      const targets = allocNodes(variant, count, open);
      if (areNodes(targets)) return targets;
      return count === 1 ? { kind: 'singles', nodes: [] } : { kind: 'pairs', pairs: [] };
    },
    check: () => ({
      ignoredGroups: new Set(independentGroups ? badGroups() : []),
      onlineOnly: acceptExistingErrors,
    }),
    isStopped:
      !acceptExistingErrors &&
      bad.length > 0 &&
      !(independentGroups && [...snapshot.groups.keys()].some(isOpen)),
  };
}

const findBadGroups = (state: ClusterState, onlineOnly: boolean): number[] =>
  [...state.snapshot.groups.keys()].filter((group) => {
    const { nodes } = groupScope(state.snapshot, group);
    return !capacityCheck(state, nodes, { onlineOnly }).isRedundant();
  });

/** A filler on a fresh copy of the cluster, or of one with the same groups. */
export function fillerOn(
  ground: Ground,
  snapshot: Snapshot,
  onPlaced: (count: number) => void,
  trackPeerOrder = false,
): Filler {
  const state = new ClusterState(snapshot, { trackPeerOrder });
  return new Filler(state, ground.targets(snapshot), ground.check(), onPlaced);
}
