/** One question to the planner: how many of a size fit? hspace asks in more ways. Source: hspace(1). */
import type { PreparedSnapshot } from '../../../cluster/prepare/prepare.ts';
import { FAIL_MODES, type FailModeName } from '../../../cluster/refusal.ts';
import { type DiskTemplate, requiredNodes } from '../../../cluster/templates.ts';
import { badNodes } from '../../../model/state/scope.ts';
import { ClusterState } from '../../../model/state/state.ts';
import { isClosed } from '../by-group/group-allocation.ts';
import { type Size, sizedInstance } from '../sized-instance.ts';
import { type AllocRefusal, allocNodes, areNodes } from '../solution.ts';
import { assertEnds, iterate } from './fill-standard.ts';
import { Filler } from './filler.ts';

export interface FitOptions {
  /** Default: the first that the cluster's policy allows. */
  readonly diskTemplate?: DiskTemplate;
  /** Share of a node's spindles that an instance uses. Default: that of the standard instance. */
  readonly spindleUse?: number;
  /** Count on although nodes fail N+1 already (`--accept-existing-errors`). Default: nothing fits then. */
  readonly acceptExistingErrors?: boolean;
  /** Whether the cluster must stay able to lose any one node. Default: yes. */
  readonly capacityChecks?: boolean;
  /** Instances at most. Default: as many as fit. */
  readonly limit?: number;
  /** Position of a node group: only its nodes are filled, and looked at. Default: all. */
  readonly group?: number;
}

/** Why no more fit: the failure mode of most homes, or what keeps any home from being tried. */
export type NoFit = FailModeName | AllocRefusal['kind'] | 'no-disk-template' | 'fails-n1-already';

interface Fit {
  readonly count: number;
  /** Undefined when the limit was reached. */
  readonly obstacle: NoFit | undefined;
}

/**
 * How many of a size can be placed, one after the other, in groups that take new ones; nothing changes.
 * @throws ExecutionError for a size that uses nothing up, without a limit: any number fits
 */
export const howManyFit = (
  snapshot: PreparedSnapshot['snapshot'],
  size: Size,
  options: FitOptions = {},
): number => fitOf(snapshot, size, options).count;

/** The same, and why no more fit. */
export function fitOf(snapshot: PreparedSnapshot['snapshot'], size: Size, options: FitOptions): Fit {
  const none = (obstacle: NoFit): Fit => ({ count: 0, obstacle });
  const { acceptExistingErrors = false, capacityChecks = true } = options;
  const diskTemplate = options.diskTemplate ?? snapshot.policy.diskTemplates[0];
  if (diskTemplate === undefined) return none('no-disk-template');
  const state = new ClusterState(snapshot);
  const { group } = options;
  const groupOf = (n: number): number => snapshot.nodes[n]!.group;
  const nodes = [...snapshot.nodes.keys()].filter((n) => group === undefined || groupOf(n) === group);
  if (!acceptExistingErrors && badNodes(state, nodes).length > 0) return none('fails-n1-already');
  const open = nodes.filter((n) => !isClosed(state, groupOf(n)));
  const targets = allocNodes(snapshot, requiredNodes(diskTemplate), open);
  if (!areNodes(targets)) return none(targets.kind);
  const filler = new Filler(state, targets, { onlineOnly: acceptExistingErrors });
  const instance = sizedInstance(
    size,
    diskTemplate,
    options.spindleUse ?? snapshot.policy.standard.spindleUse,
  );
  assertEnds(filler, instance, options.limit, capacityChecks, 'limit their number');
  const didCheckCapacity = iterate(filler, instance, options.limit, capacityChecks);
  if (filler.count === options.limit) return { count: filler.count, obstacle: undefined };
  const refusals = filler.refusals(instance, didCheckCapacity);
  const most = refusals.indexOf(Math.max(...refusals));
  // Homes that no rule refuses are refused because the cluster could not lose each of its nodes any more.
  return {
    count: filler.count,
    obstacle: refusals[most]! > 0 ? (FAIL_MODES[most] as FailModeName) : 'FailN1',
  };
}
