/** Which program a launcher is to be: as in the stock suite, one installation under many names. */
import { basename } from 'node:path';
import { printErr } from '../kit/report/output.ts';
import { PROGRAM_NAMES, PROGRAMS, type ProgramName } from './programs.ts';

export { runAndKeepBundle, runBundle } from '../kit/cli/code-cache.ts';

const EXIT_UNKNOWN_ROLE = 1;

const isProgram = (name: string): name is ProgramName => (PROGRAM_NAMES as readonly string[]).includes(name);

interface Invocation {
  /** Value of the environment variable HTOOLS, if set; it outranks the names. */
  readonly htools: string | undefined;
  /** Path under which the launcher was called: the link's, not the file's. */
  readonly path: string;
  /** Name of the launcher itself. */
  readonly launcher: ProgramName;
}

/** The program that is meant, or the name that is none. */
export function roleOf({ htools, path, launcher }: Invocation): { role: ProgramName } | { unknown: string } {
  if (htools !== undefined) {
    const name = htools.toLowerCase();
    return isProgram(name) ? { role: name } : { unknown: htools };
  }
  const called = basename(path).toLowerCase();
  return { role: isProgram(called) ? called : launcher };
}

export function unknownRoleText(name: string): string {
  const longest = Math.max(...PROGRAM_NAMES.map((program) => program.length));
  const roles = PROGRAM_NAMES.map((program) => ` ${program.padEnd(longest)} - ${PROGRAMS[program].summary}`);
  return `${[
    `Unrecognised personality '${name}'.`,
    'The programs are:',
    ...roles,
    '',
    'Error: there is no such program in this suite.',
    'Maybe unset the environment variable HTOOLS, or set it to one of the names above.',
  ].join('\n')}\n`;
}

/** Finds out the role and has `start` load and run that program. */
export function dispatch(launcher: ProgramName, start: (role: ProgramName) => void): void {
  const found = roleOf({ htools: process.env.HTOOLS, path: process.argv[1] ?? '', launcher });
  if ('role' in found) {
    start(found.role);
    return;
  }
  printErr(unknownRoleText(found.unknown));
  process.exitCode = EXIT_UNKNOWN_ROLE;
}
