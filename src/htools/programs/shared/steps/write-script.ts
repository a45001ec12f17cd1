/** The commands of a plan for `-C`: on standard output, or as a script file. */

import { replaceFile } from '../../../../kit/files/replace-file.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { TheseOptions } from '../../../options/command-options.ts';
import { jobSets } from '../../../plan/jobs.ts';
import type { PlanStep } from '../../../plan/plan.ts';
import { printedCommands, scriptFile, scriptWritten } from './script.ts';

/** Name of a script "file" that stands for standard output. */
const STDOUT = '-';

/** Writes the script where one is wanted; returns what standard output says about it. */
export function commandsText(
  options: TheseOptions<'printCommands' | 'firstJobGroup'>,
  start: Snapshot,
  steps: readonly PlanStep[],
): string {
  const { printCommands: file, firstJobGroup } = options;
  if (file === undefined) return '';
  const sets = jobSets(start, steps).slice(0, firstJobGroup ? 1 : undefined);
  if (file === STDOUT) return printedCommands(start, sets, firstJobGroup);
  replaceFile(file, scriptFile(start, sets));
  return scriptWritten(file);
}
