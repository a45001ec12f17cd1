/** Broken rules as facts with names. */
import type { Snapshot } from '../cluster/snapshot.ts';
import type { BrokenRule } from '../planners/mend/broken-rules.ts';
import type { BrokenRuleFacts } from './record.ts';

export const brokenRuleFacts = (
  { nodes, instances }: Snapshot,
  rules: readonly BrokenRule[],
): BrokenRuleFacts[] =>
  rules.map((one) => ({
    rule: one.rule,
    instances: one.instances.map((i) => instances[i]!.name),
    nodes: one.nodes.map((n) => nodes[n]!.name),
    ...(one.detail !== undefined && { detail: one.detail }),
  }));
