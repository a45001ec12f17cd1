/**
 * Whether nodes' hardware can be told, and whether it was. Pure. Source: Ganeti's OP_OOB_COMMAND, whose job
 * succeeds whatever became of the command, and says so in its result.
 */
import * as z from 'zod/mini';

export const RESULT_FIELDS = ['opresult'];

const NORMAL = 0;
const CELL = z.tuple([z.int(), z.unknown()]);
const ROWS = z.array(z.array(CELL));
const QUERIED = z.object({ data: ROWS });

/** Rows of a Query, a status and a value for each field; none in an unknown form. */
const rowsOf = (result: unknown): z.output<typeof ROWS> => {
  const answer = z.safeParse(QUERIED, result);
  return answer.success ? answer.data.data : [];
};

/** Those whose first field has the value. */
export const rowsAbout = (result: unknown, value: string): readonly unknown[] =>
  rowsOf(result).filter(([first]) => first?.[1] === value);

/**
 * What there is of the second field of a Query by the first, a name.
 * @param instead of a value that there is not; undefined = the name is left out
 */
export function queriedByName(result: unknown, instead?: string): ReadonlyMap<unknown, unknown> {
  const all = rowsOf(result).map(
    ([name, second]) => [name?.[1], second?.[0] === NORMAL ? second[1] : instead] as const,
  );
  return new Map(all.filter(([, value]) => value !== undefined));
}

/**
 * Nodes whose power was not switched by a job.
 * @param result the answer to QueryJobs about it, with RESULT_FIELDS
 * @param at which of its opcodes switches
 * @param names of all that it is about
 */
export function unswitched(result: unknown, at: number, names: readonly string[]): readonly string[] {
  const answer = z.safeParse(z.array(z.tuple([z.array(z.unknown())])), result);
  const rows = z.safeParse(ROWS, answer.success ? answer.data[0]?.[0][at] : undefined);
  const switched = rows.success
    ? rows.data.flatMap(([name, told]) => (told?.[0] === NORMAL ? [name?.[1]] : []))
    : [];
  return names.filter((name) => !switched.includes(name));
}

/** What is asked about nodes to know what reaches their hardware. */
export const POWER_FIELDS = ['name', 'ndp/oob_program'];

/** Nodes without a power program; none where the field is unknown. @param result of Query, POWER_FIELDS */
export function withoutPowerProgram(result: unknown, names: readonly string[]): readonly string[] {
  const programs = queriedByName(result);
  return names.filter((name) => programs.has(name) && !programs.get(name));
}
