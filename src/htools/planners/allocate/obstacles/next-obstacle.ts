/**
 * What stops the next instance of a size: each rule with the nodes that it makes refuse, and how much is
 * missing on the best of them. Rule names are those of refusal-figures.ts.
 */
import { kept } from '../../../../kit/kept.ts';
import { ALLOWED, type FailCode } from '../../../cluster/refusal.ts';
import { mustLeaveSome, type RuleName } from '../../../cluster/rules.ts';
import type { Instance } from '../../../cluster/snapshot.ts';
import { explainRefusal } from '../choose/refusal-figures.ts';
import { asksRedundancy } from '../fill/fill-standard.ts';
import type { Filler } from '../fill/filler.ts';

/**
 * A node and what it lacks, in the rule's unit; of a policy, what the instance has and the bound that it
 * misses.
 */
interface Shortfall {
  /** Position in the snapshot. */
  readonly node: number;
  readonly needed: number;
  readonly available: number;
  /** How much more would do, a whole number of at least 1. */
  readonly missing: number;
  readonly unit: string;
  /** Just as much as is needed is not enough: some must be left over. */
  readonly mustLeaveSome: boolean;
}

export interface Obstacle {
  readonly rule: RuleName;
  readonly role: 'primary' | 'secondary' | 'any';
  /** Nodes that refuse because of it. */
  readonly nodes: readonly number[];
  /** The node that lacks least; undefined where the rule is no matter of amounts. */
  readonly least: Shortfall | undefined;
  /** The storage pool that it is about. */
  readonly pool?: string | undefined;
}

/** Stands for pairs and nodes that no node's rule refuses, but the cluster could not bear to lose. */
export const GLOBAL_RULE = 'global-n-plus-one';

/** Obstacles of one role, the one with most nodes first. */
function obstaclesOf(
  { state }: Filler,
  i: number,
  role: 'primary' | 'secondary',
  refusals: readonly { readonly node: number; readonly code: FailCode }[],
): Obstacle[] {
  const byRule = new Map<
    RuleName,
    { nodes: number[]; least: Shortfall | undefined; pool?: string | undefined }
  >();
  for (const { node, code } of refusals) {
    // Without a primary in mind a secondary is asked as if it reserved nothing for it yet.
    const asked = role === 'primary' ? { kind: role } : { kind: role, primary: node };
    const { rule, needed, available, unit, pool } = explainRefusal(state, i, node, asked, code);
    const entry = kept(byRule, rule, () => ({
      nodes: [],
      least: undefined,
      ...(pool !== undefined && { pool }),
    }));
    entry.nodes.push(node);
    if (needed === undefined || available === undefined || unit === undefined) continue;
    const leavesSome = mustLeaveSome(rule);
    // An instance can be too small for a policy, too.
    const lacking = rule === 'policy' ? Math.abs(needed - available) : needed - available;
    const missing = Math.max(1, Math.ceil(lacking + (leavesSome ? 1 : 0)));
    if (!entry.least || missing < entry.least.missing)
      entry.least = { node, needed, available, missing, unit, mustLeaveSome: leavesSome };
  }
  return [...byRule]
    .map(([rule, entry]): Obstacle => ({ rule, role, ...entry }))
    .sort((a, b) => b.nodes.length - a.nodes.length);
}

/** What stands in the way of one more instance as the cluster stands; empty when there is a home for it. */
export function obstaclesTo(filler: Filler, instance: Instance, checksCapacity: boolean): Obstacle[] {
  if (filler.fits(instance, asksRedundancy(instance, checksCapacity))) return [];
  if (filler.fits(instance, false)) return [{ rule: GLOBAL_RULE, role: 'any', nodes: [], least: undefined }];
  const isPair = filler.targets.kind === 'pairs';
  return filler.examine(instance, (table, i) => {
    const asPrimary = table.nodes
      .map((node) => ({ node, code: table.primaryCode(node) }))
      .filter(({ code }) => code !== ALLOWED);
    const asSecondary = isPair
      ? table.nodes
          .map((node) => ({ node, code: table.secondaryCode(node, node) }))
          .filter(({ code }) => code !== ALLOWED)
      : [];
    return [
      ...obstaclesOf(filler, i, 'primary', asPrimary),
      ...obstaclesOf(filler, i, 'secondary', asSecondary),
    ];
  });
}
