/** The shell commands of `-C`: on stdout and as a script file (byte contract). */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { moveCommands } from '../../../plan/commands.ts';
import type { JobSet } from '../../../plan/jobs.ts';

const CHECK_LINE = '  check';

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

/** Lines of all job sets: per set an empty line and a heading, per job its number, a check and its commands. */
export function jobSetLines(sets: readonly (readonly JobCommands[])[]): readonly string[] {
  return sets.flatMap((set, setAt) => [
    '',
    `echo jobset ${setAt + 1}, ${set.length} jobs`,
    ...set.flatMap((commands, jobAt) => [
      `  echo job ${setAt + 1}/${jobAt + 1}`,
      CHECK_LINE,
      ...commands.map((command) => `  ${command}`),
    ]),
  ]);
}

/** A script file with these commands. @param body lines, each with its end */
export const scriptOfText = (body: string): string => SCRIPT_HEAD + body;

/** Lines of commands for standard output: without the checks for the stop file, under a heading. */
export function printedLines(lines: readonly string[], heading: string): string {
  const shown = lines.filter((line) => line !== CHECK_LINE);
  return `\n${heading}\n${shown.map((line) => `  ${line}\n`).join('')}`;
}

/** A script file that runs job sets given by their commands. */
export const scriptOfCommands = (sets: readonly (readonly JobCommands[])[]): string =>
  scriptOfText(
    jobSetLines(sets)
      .map((line) => `${line}\n`)
      .join(''),
  );

/** The script file of `-CFILE`. */
export const scriptFile = (start: Snapshot, sets: readonly JobSet[]): string =>
  scriptOfCommands(commandsOf(start, sets));

/** What stdout says once the script file is written. */
export const scriptWritten = (file: string): string => `The commands have been written to file '${file}'\n`;

/** What a bare `-C` prints on stdout for job sets given by their commands: a heading and the commands without the checks. */
export function printedCommandSets(
  sets: readonly (readonly JobCommands[])[],
  heading = 'Commands to run to reach the above solution:',
): string {
  return printedLines(jobSetLines(sets), heading);
}

/**
 * The same for the steps of a plan.
 * @param isFirstSetOnly with `--first-job-group`; `sets` holds no more than one then
 */
export const printedCommands = (start: Snapshot, sets: readonly JobSet[], isFirstSetOnly: boolean): string =>
  printedCommandSets(commandsOf(start, sets), isFirstSetOnly ? 'First set of jobs:' : undefined);
