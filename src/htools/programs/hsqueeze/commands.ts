/** hsqueeze's `-C`, in stock's order (byte contract): nodes go off after the moves, on before them. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { jobSets } from '../../plan/jobs.ts';
import { shellWord } from '../../plan/shell-word.ts';
import type { Squeeze } from '../../planners/maintain/squeeze/squeeze.ts';
import { commandsOf, jobSetLines, type ScriptLine } from '../shared/steps/script.ts';

/** Marks a node that was switched off, so that a later run may switch it on again. */
export const STANDBY_TAG = 'htools:standby:auto';

/** Unlike hbal, the stock program calls instances by their full names here. */
const withFullNames = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  instances: snapshot.instances.map((instance) => ({ ...instance, alias: instance.name })),
});

/** The lines of the script; none when there is nothing to do. */
export function commandLines(
  snapshot: Snapshot,
  { action, nodes, result: after }: Squeeze,
): readonly ScriptLine[] {
  const result = after();
  if (!result) return [];
  const steps = result.groups.flatMap((group) => group.steps);
  const moves = jobSetLines(commandsOf(withFullNames(result.start), jobSets(result.start, steps)));
  const perNode = (command: (name: string) => string): string[] =>
    nodes.map((n) => `  gnt-node ${command(shellWord(snapshot.nodes[n]!.alias))}`);
  const power = [
    'echo Power Commands',
    ...perNode((name) => `power -f ${action === 'offline' ? 'off' : 'on'} ${name}`),
  ];
  return action === 'online'
    ? [...power, ...moves]
    : [
        ...moves,
        '',
        'echo Tagging Commands',
        ...perNode((name) => `add-tags ${name} ${STANDBY_TAG}`),
        '',
        ...power,
      ];
}
