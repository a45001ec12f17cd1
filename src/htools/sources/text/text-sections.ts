/** Lines and sections of a text snapshot, one at a time: no file costs more than its longest line. */
import { InputError } from '../../../kit/faults.ts';

/** Groups, nodes, instances, cluster tags, policies; what follows is passed over, as in the stock reader. */
export const SECTION_COUNT = 5;
const NEEDED_SECTIONS = 4;
/** Long enough for thousands of tags on one item. */
const MAX_LINE_LENGTH = 2 ** 20;
/** A hundred times the largest cluster. */
const MAX_LINES = 2_000_000;

/** One line; `section` counts from 0, `number` from 1. */
export interface TextLine {
  readonly section: number;
  readonly number: number;
  readonly text: string;
}

/** Five sections and the line behind them. @throws InputError for fewer than four, or a line too long */
export function* textLines(text: string, source: string): Generator<TextLine> {
  requireSections(text, source);
  let section = 0;
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    number++;
    if (end - start > MAX_LINE_LENGTH) throw tooLong(source, number, end - start);
    if (number > MAX_LINES) {
      throw new InputError(source, [
        { line: number, problem: `a cluster has no more than ${MAX_LINES} lines` },
      ]);
    }
    if (end > start) {
      yield { section, number, text: text.slice(start, end) };
      if (section === SECTION_COUNT) return;
    } else if (section < SECTION_COUNT) section++;
    start = end + 1;
  }
}

function requireSections(text: string, source: string): void {
  if (text === '') {
    throw new InputError(source, [
      { problem: 'the file is empty', remedy: 'write one with the -S option or with hscan' },
    ]);
  }
  let emptyLines = text.startsWith('\n') ? 1 : 0;
  let at = text.indexOf('\n\n');
  while (at >= 0 && emptyLines < NEEDED_SECTIONS - 1) {
    emptyLines++;
    at = text.indexOf('\n\n', at + 1);
  }
  if (emptyLines >= NEEDED_SECTIONS - 1) return;
  const beginning = text.slice(0, MAX_LINE_LENGTH);
  throw new InputError(source, [
    {
      problem: `${emptyLines + 1} sections instead of ${NEEDED_SECTIONS} or more (groups, nodes, instances, cluster tags)`,
      remedy: beginning.includes('\r\n')
        ? 'the lines end in CR LF; convert the file to line feeds only'
        : beginning.trimStart().startsWith('{')
          ? 'this is JSON: a request to an allocator is read with -I'
          : 'the file is cut off, or the empty lines that separate its sections are missing; an empty section is an empty line, too',
    },
  ]);
}

function tooLong(source: string, line: number, length: number): InputError {
  const problem = `a line of ${length} characters is too long for a cluster (limit ${MAX_LINE_LENGTH})`;
  return new InputError(source, [{ line, problem, remedy: 'this is another kind of file' }]);
}
