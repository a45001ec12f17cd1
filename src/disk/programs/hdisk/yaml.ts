/** Layouts and volumes as YAML. */
import { stringify } from 'yaml';
import { staticLayout } from '../../facts/comparison.ts';
import type { LaidOut, NodeOutcome } from '../../facts/node-layout.ts';
import { type VolumeSettings, volumesOf } from '../../facts/volumes.ts';
import { reasonWords } from './words.ts';

/** References within a document would save nothing and puzzle readers. */
const OPTIONS = { aliasDuplicateObjects: false, lineWidth: 0 } as const;

/** One node as it is; of several a list, those without a layout with the reason. */
function yamlOf(
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

export const staticYaml = (outcomes: readonly NodeOutcome[]): string =>
  yamlOf(outcomes, 'layout', staticLayout);

export const volumesYaml = (outcomes: readonly NodeOutcome[], settings: VolumeSettings): string =>
  yamlOf(outcomes, 'volumes', (outcome) => volumesOf(outcome, settings));
