/** The shell commands of `-C`: on stdout and as a script file (byte contract). */
import { replaceFile } from '../../../../kit/files/replace-file.ts';
import { toned } from '../../../../kit/report/tone.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { TheseOptions } from '../../../options/command-options.ts';
import { moveCommands } from '../../../plan/commands.ts';
import { type JobSet, jobSets } from '../../../plan/jobs.ts';
import type { PlanStep } from '../../../plan/plan.ts';

/** A line of a script; it may be more than text: a look for the stop file, or a change of the cluster. */
export type ScriptLine = string | { readonly kind: 'check' | 'change'; readonly text: string };

/** Looks for the stop file. */
export const CHECK: ScriptLine = { kind: 'check', text: 'check' };
export const changeLine = (command: string): ScriptLine => ({ kind: 'change', text: command });

/** The lines as a file has them, each with its end. */
export const fileLines = (lines: readonly ScriptLine[]): string =>
  lines.map((line) => (typeof line === 'string' ? `${line}\n` : `  ${line.text}\n`)).join('');

/** What stands in front of the commands in a file; scripts stop when the stop file is there. */
const SCRIPT_HEAD = `#!/bin/sh

# Auto-generated script for executing cluster rebalancing

# To stop, touch the file /tmp/stop-htools

set -e

check() {
  if [ -f /tmp/stop-htools ]; then
    echo 'Stop requested, exiting'
    exit 0
  fi
}

`;

/** The commands of one job, in order. */
export type JobCommands = readonly string[];

/** The commands of each job of each set. */
export const commandsOf = (start: Snapshot, sets: readonly JobSet[]): readonly (readonly JobCommands[])[] =>
  sets.map((set) => set.map(({ step }) => moveCommands(start, step)));

/** Lines of job sets: an empty one and a heading a set; a job's number, a check and its commands. */
export const jobSetLines = (sets: readonly (readonly JobCommands[])[]): readonly ScriptLine[] =>
  sets.flatMap((set, setAt) => [
    '',
    `echo jobset ${setAt + 1}, ${set.length} jobs`,
    ...set.flatMap((commands, jobAt) => [
      `  echo job ${setAt + 1}/${jobAt + 1}`,
      CHECK,
      ...commands.map(changeLine),
    ]),
  ]);

/** A script file with these commands. @param body lines, each with its end */
export const scriptOfText = (body: string): string => SCRIPT_HEAD + body;

/** Lines of commands for standard output: without the checks for the stop file, under a heading. */
export function printedLines(lines: readonly ScriptLine[], heading: string): string {
  const shown = lines.map((line) => {
    if (typeof line === 'string') return `  ${line}\n`;
    return line.kind === 'check' ? '' : `    ${toned('deed', line.text)}\n`;
  });
  return `\n${heading}\n${shown.join('')}`;
}

/** A script file that runs job sets given by their commands. */
export const scriptOfCommands = (sets: readonly (readonly JobCommands[])[]): string =>
  scriptOfText(fileLines(jobSetLines(sets)));

/** The script file of `-CFILE`. */
export const scriptFile = (start: Snapshot, sets: readonly JobSet[]): string =>
  scriptOfCommands(commandsOf(start, sets));

/** What stdout says once the script file is written. */
export const scriptWritten = (file: string): string => `The commands have been written to file '${file}'\n`;

/** What a bare `-C` prints for job sets given by their commands: a heading, and no checks. */
export const printedCommandSets = (
  sets: readonly (readonly JobCommands[])[],
  heading = 'Commands to run to reach the above solution:',
): string => printedLines(jobSetLines(sets), heading);

/** The same for steps of a plan. @param isFirstSetOnly `--first-job-group`; `sets` has at most one then */
export const printedCommands = (start: Snapshot, sets: readonly JobSet[], isFirstSetOnly: boolean): string =>
  printedCommandSets(commandsOf(start, sets), isFirstSetOnly ? 'First set of jobs:' : undefined);

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
