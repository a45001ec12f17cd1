/** The shell commands of `-C`: on stdout and as a script file (byte contract). */
import type { Snapshot } from '../cluster/snapshot.ts';
import { moveCommands } from '../plan/commands.ts';
import type { JobSet } from '../plan/jobs.ts';

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

/** Lines of all job sets: per set an empty line and a heading, per job its number, a check and its commands. */
function commandLines(start: Snapshot, sets: readonly JobSet[]): readonly string[] {
  return sets.flatMap((set, setAt) => [
    '',
    `echo jobset ${setAt + 1}, ${set.length} jobs`,
    ...set.flatMap(({ step }, jobAt) => [
      `  echo job ${setAt + 1}/${jobAt + 1}`,
      CHECK_LINE,
      ...moveCommands(start, step).map((command) => `  ${command}`),
    ]),
  ]);
}

/** The script file of `-CFILE`. */
export const scriptFile = (start: Snapshot, sets: readonly JobSet[]): string =>
  SCRIPT_HEAD +
  commandLines(start, sets)
    .map((line) => `${line}\n`)
    .join('');

/** What stdout says once the script file is written. */
export const scriptWritten = (file: string): string => `The commands have been written to file '${file}'\n`;

/**
 * What a bare `-C` prints on stdout: a heading and the commands without the checks.
 * @param isFirstSetOnly with `--first-job-group`; `sets` holds no more than one then
 */
export function printedCommands(start: Snapshot, sets: readonly JobSet[], isFirstSetOnly: boolean): string {
  const heading = isFirstSetOnly ? 'First set of jobs:' : 'Commands to run to reach the above solution:';
  const lines = commandLines(start, sets).filter((line) => line !== CHECK_LINE);
  return `\n${heading}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
