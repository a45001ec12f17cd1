/** Where the programs under comparison stand: the stock ones of the system, and ours. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROGRAMS = [
  'hbal',
  'hinfo',
  'hcheck',
  'hail',
  'hspace',
  'hroller',
  'hsqueeze',
  'hscan',
  'harep',
] as const;
export type ProgramName = (typeof PROGRAMS)[number];

/** Programs that the stock suite does not have, or that are compared elsewhere. */
const OWN_PROGRAMS = [
  'hbind',
  'hcand',
  'hcompress',
  'hplaced',
  'hredist',
  'hspread',
  'hclaim',
  'hdisk',
] as const;
export type AnyProgramName = ProgramName | (typeof OWN_PROGRAMS)[number];

export const isProgramName = (text: string): text is ProgramName =>
  (PROGRAMS as readonly string[]).includes(text);

/** Folders where Ganeti looks for allocators; `hail` is not in PATH. */
const ALLOCATOR_FOLDERS = ['/usr/local/lib/ganeti/iallocators', '/usr/lib/ganeti/iallocators'];
const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/** Exit status of the tools here when the stock programs are not installed. */
export const NO_STOCK_EXIT = 3;

function firstExecutable(folders: readonly string[], program: string): string | undefined {
  for (const folder of folders) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/**
 * Path of a program.
 * @param place a folder of launchers, or `stock` for the installed stock programs, or undefined for this
 *   project's own launchers. Answers undefined where there is none.
 */
export function launcherOf(program: AnyProgramName, place?: string): string | undefined {
  if (place === undefined) return firstExecutable([join(PROJECT, 'bin')], program);
  if (place !== 'stock') return firstExecutable([resolve(place)], program);
  // Our own launchers may be in PATH under the same names (npm puts node_modules/.bin there): those are not
  // stock.
  const path = (process.env.PATH ?? '').split(delimiter);
  const system = path.filter(
    (folder) => folder !== '' && !folder.includes('node_modules') && !resolve(folder).startsWith(PROJECT),
  );
  return firstExecutable([...system, ...ALLOCATOR_FOLDERS], program);
}
