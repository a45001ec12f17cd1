/** A linear program in the LP format of CPLEX, which most solvers read. */
import type { LaidOut } from '../../facts/node-layout.ts';
import { UNALLOCATED } from '../../model/spaces.ts';
import type { Column, Row } from '../../solve/linear-program.ts';

const TERMS_A_LINE = 6;

/** The program of a node, with a comment for each variable. */
export function lpText({ disks, spaces, layout }: LaidOut): string {
  const { columns, rows } = layout.program;
  const names = disks.flatMap(({ id }, disk) =>
    [...spaces, { id: UNALLOCATED }].map(
      (space, at) => `\\ x${disk * (spaces.length + 1) + at}: ${space.id} on ${id}\n`,
    ),
  );
  const objective = columns
    .map(({ cost }, at): readonly [number, number] => [at, cost])
    .filter(([, cost]) => cost !== 0);
  const binaries = columns.filter(({ isInteger }) => isInteger).map(({ name }) => ` ${name}\n`);
  return [
    ...names,
    'Maximize\n',
    ` worth: ${sum(objective, columns) || (columns[0] ? `0 ${columns[0].name}` : '')}\n`,
    'Subject To\n',
    ...rows.flatMap((row) => rowLines(row, columns)),
    'Bounds\n',
    ...columns.flatMap(({ name, lower, upper, isInteger }) =>
      isInteger || (lower === 0 && upper === Number.POSITIVE_INFINITY)
        ? []
        : [` ${lower} <= ${name} <= ${bound(upper)}\n`],
    ),
    ...(binaries.length > 0 ? ['Binaries\n', ...binaries] : []),
    'End\n',
  ].join('');
}

const bound = (value: number): string => (value === Number.POSITIVE_INFINITY ? '+inf' : String(value));

function sum(terms: readonly (readonly [number, number])[], columns: readonly Column[]): string {
  const words = terms.map(([at, value], place) => {
    const sign = value < 0 ? '- ' : place === 0 ? '' : '+ ';
    const size = Math.abs(value);
    return `${sign}${size === 1 ? '' : `${size} `}${columns[at]!.name}`;
  });
  const lines: string[] = [];
  for (let at = 0; at < words.length; at += TERMS_A_LINE)
    lines.push(words.slice(at, at + TERMS_A_LINE).join(' '));
  return lines.join('\n   ');
}

function rowLines(
  { name, lower, upper, columns: own, values }: Row,
  columns: readonly Column[],
): readonly string[] {
  const left = sum(
    own.map((column, at) => [column, values[at]!]),
    columns,
  );
  if (lower === upper) return [` ${name}: ${left} = ${lower}\n`];
  const lines: string[] = [];
  if (Number.isFinite(upper))
    lines.push(` ${name}${Number.isFinite(lower) ? '_most' : ''}: ${left} <= ${upper}\n`);
  if (Number.isFinite(lower))
    lines.push(` ${name}${Number.isFinite(upper) ? '_least' : ''}: ${left} >= ${lower}\n`);
  return lines;
}
