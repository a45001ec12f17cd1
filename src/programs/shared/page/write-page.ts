/** Writes the page of `--html`. Loaded only then. */
import { printErr } from '../../../cli/output.ts';
import type { Content } from '../../../report/html/markup.ts';
import { page } from '../../../report/html/page.ts';
import { replaceFile } from '../../../sources/files/replace-file.ts';

/**
 * @param what the title behind the program's name
 * @throws ExecutionError when it cannot be written
 */
export function writePage(file: string, program: string, what: string, sections: readonly Content[]): void {
  replaceFile(file, page(`${program}: ${what}`, ...sections));
  printErr(`The page has been written to file '${file}'\n`);
}
