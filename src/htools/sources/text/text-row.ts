/** Splits a line of a text snapshot into named columns, checked against its section's schema. */
import type { ProblemList } from '../../../kit/files/problem-list.ts';
import { type Columns, isComplaint, type RowKind, type RowOf } from './text-schema.ts';
import type { TextLine } from './text-sections.ts';

/** More columns than any version of the format has; the rest of such a line is not looked at. */
const MAX_COLUMNS = 64;

export const splitColumns = (line: TextLine): string[] => line.text.split('|', MAX_COLUMNS);

/** A line's texts by name, with defaults; undefined (and a problem added) when columns are missing. */
export function nameColumns(
  kind: RowKind<Columns>,
  fields: readonly string[],
  line: TextLine,
  problems: ProblemList,
): Record<string, string> | undefined {
  const row: Record<string, string | undefined> = { ...kind.blank };
  for (let i = 0; i < kind.columns.length; i++) {
    const column = kind.columns[i]!;
    const text = fields[i] ?? kind.defaults[column];
    if (text === undefined) {
      const needed = kind.columns.length - Object.keys(kind.defaults).length;
      const problem = `this ${kind.item} has ${fields.length} columns instead of ${needed} or more`;
      problems.add({
        line: line.number,
        value: line.text,
        problem,
        remedy: `the column '${column}' is missing`,
      });
      return undefined;
    }
    row[column] = text;
  }
  return row as Record<string, string>;
}

/** A line's checked values; undefined, with each wrong column added to the problems. */
export function checkRow<C extends Columns>(
  kind: RowKind<C>,
  row: Record<string, string>,
  line: TextLine,
  problems: ProblemList,
): RowOf<C> | undefined {
  const values: Record<string, unknown> = { ...kind.blank };
  let isRight = true;
  for (const column of kind.columns) {
    const value = kind.readers[column]!(row[column]!);
    values[column] = value;
    if (!isComplaint(value)) continue;
    isRight = false;
    addColumnProblem(problems, kind, line, column, value.problem, value.remedy);
  }
  return isRight ? (values as RowOf<C>) : undefined;
}

/** Adds one problem of one column, with where it stands. */
export function addColumnProblem(
  problems: ProblemList,
  kind: RowKind<Columns>,
  line: TextLine,
  field: string,
  message: string,
  remedy?: string,
): void {
  const fields = splitColumns(line);
  const at = kind.columns.indexOf(field);
  const column = fields.slice(0, at).reduce((sum, text) => sum + text.length + 1, 1);
  const problem = `${kind.item} '${fields[0]}': ${field} ${message}`;
  problems.add({ line: line.number, column, field, value: fields[at], problem, remedy });
}
