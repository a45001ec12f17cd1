/** Layouts as documents: JSON, and YAML. */
import { stringify } from 'yaml';
import type { DocumentOf } from '../../../kit/results/members.ts';
import { staticLayout } from '../../facts/comparison.ts';
import type { LaidOut, NodeOutcome } from '../../facts/node-layout.ts';
import { nodePools, spaceTotals, unallocatedSize } from '../../facts/space-totals.ts';
import { type VolumeSettings, volumesOf } from '../../facts/volumes.ts';
import type { layouts } from '../../results/hdisk.ts';
import { layoutWarnings } from './text.ts';
import { reasonWords } from './words.ts';

type DiskNode = DocumentOf<typeof layouts>['nodes'][number];

export function nodeJson(outcome: NodeOutcome, settings: VolumeSettings): DiskNode {
  const { node } = outcome;
  const warnings = outcome.warnings.map(({ line, message }) => ({ line, message }));
  if (outcome.kind === 'layout')
    return {
      node,
      outcome: outcome.kind,
      layout: staticLayout(outcome),
      unallocated: unallocatedSize(outcome),
      spaces: spaceTotals(outcome).map(({ space, size, parts, reason, sharesWith, sharing }) => ({
        id: space.id,
        size,
        disks: parts.map(({ disk }) => disk),
        reason,
        sharing,
        sharesWith,
      })),
      objective: outcome.layout.objective,
      isProven: outcome.layout.isProven,
      pools: nodePools(outcome),
      volumes: volumesOf(outcome, settings),
      warnings: [...warnings, ...layoutWarnings(outcome).map((message) => ({ line: null, message }))],
    };
  const reason = reasonWords(outcome);
  switch (outcome.kind) {
    case 'infeasible':
      return {
        node,
        outcome: outcome.kind,
        reason,
        clash: {
          requirements: outcome.clash.requirements.map(({ kind, space, amount }) => ({
            space: outcome.spaces[space]!.id,
            kind,
            amount,
          })),
          sharing: outcome.clash.shared.map(({ members }) => members.map((at) => outcome.spaces[at]!.id)),
        },
        warnings,
      };
    case 'unfinished':
      return { node, outcome: outcome.kind, reason, warnings };
    case 'faulty':
      return { node, outcome: outcome.kind, reason, problems: outcome.problems, warnings };
  }
}

/** References within a document would save nothing and puzzle readers. */
const OPTIONS = { aliasDuplicateObjects: false, lineWidth: 0 } as const;

/** One node as it is; of several a list, those without a layout with the reason. */
export function yamlOf(
  outcomes: readonly NodeOutcome[],
  member: string,
  made: (outcome: LaidOut) => unknown,
): string {
  const [only] = outcomes;
  if (outcomes.length === 1 && only?.kind === 'layout') return stringify(made(only), OPTIONS);
  const nodes = outcomes.map((outcome) =>
    outcome.kind === 'layout'
      ? { node: outcome.node, [member]: made(outcome) }
      : { node: outcome.node, outcome: outcome.kind, reason: reasonWords(outcome) },
  );
  return stringify(nodes, OPTIONS);
}
