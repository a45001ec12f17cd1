/** Ways to spoil files made of lines and columns: snapshots (`|`) and load files (spaces). */
import type { Random } from '../../generate/random.ts';
import { HOSTILE_NAMES, ODD_NUMBERS } from './hostile.ts';

export type TextMutation = (text: string, random: Random) => string;

/** Cells that are wrong nearly everywhere. */
// biome-ignore format: a list of words
export const BAD_CELLS = [
  '', '-1', '-0', '0', '1.5', '1e5', '1e999', '-1e999', 'NaN', 'Infinity', '0x10', '9007199254740993', '99999999999999999999999',
  '-9223372036854775808', ' 12', '12 ', '+5', '1_000', '?', '-', 'Y', 'X', 'true', 'null', 'nobody.example.com', 'drbd', 'running',
  '__proto__', 'constructor', 'ünïcödé', '\u{1f4a5}', '\u0000', 'a,b;c|d', 'x'.repeat(5000), '%s%n', '\u202e', '1,2,3,4,5', '٣',
];

const SECTION_END = '\n\n';

function editLines(text: string, edit: (lines: string[]) => string[]): string {
  return edit(text.split('\n')).join('\n');
}

/** Changes the cells of one random line. */
function editRow(text: string, random: Random, edit: (cells: string[]) => string[]): string {
  const delimiter = text.includes('|') ? '|' : ' ';
  return editLines(text, (lines) => {
    const filled = lines.flatMap((line, position) => (line === '' ? [] : [position]));
    if (filled.length === 0) return lines;
    const at = random.pick(filled);
    lines[at] = edit(lines[at]!.split(delimiter)).join(delimiter);
    return lines;
  });
}

const swap = <T>(list: T[], random: Random): T[] => {
  const [one, other] = [random.below(list.length), random.below(list.length)];
  [list[one], list[other]] = [list[other]!, list[one]!];
  return list;
};

/**
 * One of the names in the first column of a section that has names, in all places where it stands as a whole
 * cell.
 */
function renamed(text: string, random: Random, name: string): string {
  const firsts = text
    .split(SECTION_END)
    .slice(0, 3)
    .join('\n')
    .split('\n')
    .map((line) => line.split('|')[0]!);
  const old = random.pick(firsts);
  if (old === '') return text;
  return editLines(text, (lines) =>
    lines.map((line) =>
      line
        .split('|')
        .map((cell) => (cell === old ? name : cell))
        .join('|'),
    ),
  );
}

const WHOLE_NUMBER = /^-?[0-9]+$/;

export const TEXT_MUTATIONS: Readonly<Record<string, TextMutation>> = {
  hostileName: (text, random) => renamed(text, random, random.pick(HOSTILE_NAMES)),
  oddNumber: (text, random) =>
    editRow(text, random, (cells) => {
      const numbers = cells.flatMap((cell, at) => (WHOLE_NUMBER.test(cell) ? [at] : []));
      return numbers.length === 0 ? cells : cells.with(random.pick(numbers), random.pick(ODD_NUMBERS));
    }),
  nearNumber: (text, random) =>
    editRow(text, random, (cells) => {
      const numbers = cells.flatMap((cell, at) => (WHOLE_NUMBER.test(cell) ? [at] : []));
      if (numbers.length === 0) return cells;
      const at = random.pick(numbers);
      const factor = random.pick([-1, 0.01, 0.5, 0.9, 1.1, 2, 10, 1000]);
      return cells.with(at, `${Math.round(Number(cells[at]) * factor)}`);
    }),
  badCell: (text, random) =>
    editRow(text, random, (cells) => cells.with(random.below(cells.length), random.pick(BAD_CELLS))),
  dropCell: (text, random) =>
    editRow(text, random, (cells) => cells.toSpliced(random.below(cells.length), 1)),
  addCell: (text, random) =>
    editRow(text, random, (cells) =>
      cells.toSpliced(random.below(cells.length + 1), 0, random.pick(BAD_CELLS)),
    ),
  swapCells: (text, random) => editRow(text, random, (cells) => swap(cells, random)),
  keepFewCells: (text, random) =>
    editRow(text, random, (cells) => cells.slice(0, random.below(cells.length + 1))),
  copyCellBetweenRows: (text, random) => {
    const cells = text.split(/[|\n ]/);
    const cell = random.pick(cells);
    return editRow(text, random, (row) => row.with(random.below(row.length), cell));
  },
  repeatLine: (text, random) =>
    editLines(text, (lines) => lines.toSpliced(random.below(lines.length), 0, random.pick(lines))),
  dropLine: (text, random) => editLines(text, (lines) => lines.toSpliced(random.below(lines.length), 1)),
  swapLines: (text, random) => editLines(text, (lines) => swap(lines, random)),
  swapSections: (text, random) => swap(text.split(SECTION_END), random).join(SECTION_END),
  dropSection: (text, random) => {
    const sections = text.split(SECTION_END);
    return sections.toSpliced(random.below(sections.length), 1).join(SECTION_END);
  },
  emptySection: (text, random) => {
    const sections = text.split(SECTION_END);
    return sections.with(random.below(sections.length), '').join(SECTION_END);
  },
};
