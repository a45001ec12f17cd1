/** Reads a plan's moves: what hbal, hredist, hcompress or hspread print with --json, or hbal as text. */
import * as z from 'zod/mini';
import { InputError } from '../../../kit/faults.ts';
import { readInput } from '../../../kit/files/read-input.ts';
import { decodeUtf8 } from '../../../kit/files/utf8.ts';
import { readJson } from '../../../kit/json/json-document.ts';

const PLACE = z.object({ primary: z.string(), secondary: z._default(z.nullable(z.string()), null) });
const MOVE = z.object({ instance: z.string(), from: PLACE, to: PLACE });
/** `hbal --all-groups` lists steps group by group. */
const GROUPS = z.array(z.object({ steps: z.array(z.unknown()) }));
type ReadMove = z.output<typeof MOVE>;

const REMEDY = 'give what hbal, hredist, hcompress or hspread printed with --json';

/** @param file `-` for standard input. @throws {InputError} when there is no plan in it. */
export function readMoves(file: string): readonly ReadMove[] {
  const text = decodeUtf8(readInput(file), file);
  return /^\s*\{/.test(text) ? movesOfJson(text, file) : movesOfText(text, file);
}

function movesOfJson(text: string, file: string): readonly ReadMove[] {
  const { value, reason } = readJson(text);
  if (reason !== undefined)
    throw new InputError(file, [{ problem: `this is not JSON: ${reason}`, remedy: REMEDY }]);
  const { program, steps, moves, balanced } = value as Record<string, unknown>;
  const list = steps ?? moves ?? z.safeParse(GROUPS, balanced).data?.flatMap((group) => group.steps);
  if (!Array.isArray(list))
    throw new InputError(file, [
      {
        problem: `there are no moves in this document${typeof program === 'string' ? ` of ${program}` : ''}`,
        remedy: REMEDY,
      },
    ]);
  const problem = 'a move has an instance, and from and to with primary and secondary';
  const read = list.map((one) => z.safeParse(MOVE, one));
  const problems = read.flatMap(({ success }, i) =>
    success ? [] : [{ field: `moves[${i}]`, problem, remedy: REMEDY }],
  );
  if (problems.length > 0) throw new InputError(file, problems);
  return read.flatMap(({ data }) => data ?? []);
}

/** `  1. web2  node2:node1 => node4:node2   6.91 a=r:node4 f`. */
const STEP = /^\s*\d+\.\s+(\S+)\s+([^\s:]+)(?::(\S+))?\s+=>\s+([^\s:]+)(?::(\S+))?\s/;

function movesOfText(text: string, file: string): readonly ReadMove[] {
  const moves = text.split('\n').flatMap((line): ReadMove[] => {
    const match = STEP.exec(line);
    if (match === null) return [];
    const [, instance = '', fromPrimary = '', fromSecondary, toPrimary = '', toSecondary] = match;
    return [
      {
        instance,
        from: { primary: fromPrimary, secondary: fromSecondary ?? null },
        to: { primary: toPrimary, secondary: toSecondary ?? null },
      },
    ];
  });
  if (moves.length === 0 && !/^(Cluster is already well balanced|No solution found)/m.test(text))
    throw new InputError(file, [
      {
        problem: 'there are no steps in this text',
        remedy: 'give the output of hbal, with --json or as text',
      },
    ]);
  return moves;
}
