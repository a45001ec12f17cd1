/** Reads a plan's moves: what hbal, hredist, hcompress or hspread print with --json, or hbal as text. */
import { InputError } from '../../../kit/faults.ts';
import { readInput, readStandardInput } from '../../../kit/files/read-input.ts';

interface MovePlace {
  readonly primary: string | null;
  readonly secondary: string | null;
}

interface ReadMove {
  readonly instance: string;
  readonly from: MovePlace;
  readonly to: MovePlace;
}

/** @param file `-` for standard input. @throws {InputError} when there is no plan in it. */
export function readMoves(file: string): readonly ReadMove[] {
  const text = new TextDecoder().decode(file === '-' ? readStandardInput() : readInput(file));
  return /^\s*\{/.test(text) ? movesOfJson(text, file) : movesOfText(text, file);
}

const isPlace = (value: unknown): value is MovePlace => {
  if (typeof value !== 'object' || value === null) return false;
  const { primary, secondary = null } = value as { primary?: unknown; secondary?: unknown };
  return typeof primary === 'string' && (secondary === null || typeof secondary === 'string');
};

const isMove = (value: unknown): value is ReadMove => {
  if (typeof value !== 'object' || value === null) return false;
  const { instance, from, to } = value as Record<string, unknown>;
  return typeof instance === 'string' && isPlace(from) && isPlace(to);
};

function movesOfJson(text: string, file: string): readonly ReadMove[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new InputError(file, [{ problem: `this is not JSON: ${(error as Error).message}` }]);
  }
  const { program, steps, moves } = document as Record<string, unknown>;
  const list = steps ?? moves ?? movesInside(document);
  if (!Array.isArray(list))
    throw new InputError(file, [
      {
        problem: `there are no moves in this document${typeof program === 'string' ? ` of ${program}` : ''}`,
        remedy: 'give what hbal, hredist, hcompress or hspread printed with --json',
      },
    ]);
  const problem = 'a move has an instance, and from and to with primary and secondary';
  const problems = list.flatMap((one, i) => (isMove(one) ? [] : [{ field: `moves[${i}]`, problem }]));
  if (problems.length > 0) throw new InputError(file, problems);
  const placeOf = ({ primary, secondary = null }: MovePlace): MovePlace => ({ primary, secondary });
  return list.filter(isMove).map(({ instance, from, to }) => ({
    instance,
    from: placeOf(from),
    to: placeOf(to),
  }));
}

/** Levels of a document in which moves are looked for; more than any has. */
const MOST_LEVELS = 16;

/** hcompress lists moves group by group: all of them, in order; undefined when there are none. */
function movesInside(value: unknown, levels = MOST_LEVELS): readonly unknown[] | undefined {
  if (typeof value !== 'object' || value === null || levels === 0) return undefined;
  const found = Object.entries(value).flatMap(([key, part]) =>
    key === 'moves' && Array.isArray(part) ? part : (movesInside(part, levels - 1) ?? []),
  );
  return found.length === 0 ? undefined : found;
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
