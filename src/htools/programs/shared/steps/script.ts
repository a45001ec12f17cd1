/** The shell commands of `-C`: on stdout and as a script file (byte contract). */
import { statusOf } from '../../../../kit/files/read-input.ts';
import { replaceFile } from '../../../../kit/files/replace-file.ts';
import { toned } from '../../../../kit/report/tone.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { TheseOptions } from '../../../options/command-options.ts';
import { moveCommands } from '../../../plan/commands.ts';
import type { JobSet } from '../../../plan/jobs.ts';

/** A line of a script; it may be more than text: a look for the stop file, or a change of the cluster. */
export type ScriptLine = string | { readonly kind: 'check' | 'change'; readonly text: string };

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

export type JobCommands = readonly string[];

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

/** Lines of commands for standard output: without the checks for the stop file, under a heading. */
export function printedLines(lines: readonly ScriptLine[], heading: string): string {
  const shown = lines.map((line) => {
    if (typeof line === 'string') return `  ${line}\n`;
    return line.kind === 'check' ? '' : `    ${toned('deed', line.text)}\n`;
  });
  return `\n${heading}\n${shown.join('')}`;
}

/** Name of a script "file" that stands for standard output. */
export const STDOUT = '-';

/**
 * What standard output says of the commands of `-C`: they themselves, or that they are in a file now.
 * @param body of the script: lines, each with its end
 */
export function commandsText(file: string | undefined, printed: () => string, body: () => string): string {
  if (file === undefined) return '';
  if (file === STDOUT) return printed();
  replaceFile(file, SCRIPT_HEAD + body());
  return `The commands have been written to file '${file}'\n`;
}

/** Where nothing is to be done stock writes no script: the commands that an earlier run has left in it go. */
export function emptyScript(file: string | undefined): void {
  if (file === undefined || file === STDOUT) return;
  if (statusOf(file)?.isFile()) replaceFile(file, SCRIPT_HEAD);
}

export function jobSetsText(
  { printCommands, firstJobGroup }: TheseOptions<'printCommands' | 'firstJobGroup'>,
  sets: () => readonly (readonly JobCommands[])[],
): string {
  const lines = () => jobSetLines(sets().slice(0, firstJobGroup ? 1 : undefined));
  const heading = firstJobGroup ? 'First set of jobs:' : 'Commands to run to reach the above solution:';
  return commandsText(
    printCommands,
    () => printedLines(lines(), heading),
    () => fileLines(lines()),
  );
}
