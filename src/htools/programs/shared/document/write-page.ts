/** Writes the page of `--html`. Loaded only then. */
import { replaceFile } from '../../../../kit/files/replace-file.ts';
import type { Content } from '../../../../kit/report/html/markup.ts';
import { page } from '../../../../kit/report/html/page.ts';
import { printErr } from '../../../../kit/report/output.ts';

/** @param what the title behind the program's name @throws ExecutionError when it cannot be written */
export function writePage(file: string, program: string, what: string, sections: readonly Content[]): void {
  replaceFile(file, page(`${program}: ${what}`, ...sections));
  printErr(`The page has been written to file '${file}'\n`);
}
