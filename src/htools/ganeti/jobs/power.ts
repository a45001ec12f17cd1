/**
 * Whether nodes' hardware can be told, and whether it was. Pure. Source: Ganeti's OP_OOB_COMMAND, whose job
 * succeeds whatever became of the command, and says so in its result.
 */
import * as z from 'zod/mini';

export const RESULT_FIELDS = ['opresult'];

const NORMAL = 0;
const CELL = z.tuple([z.int(), z.unknown()]);
const ROW = z.tuple([CELL, CELL]);
const QUERIED = z.object({ data: z.array(ROW) });
const ANY_ROWS = z.object({ data: z.array(z.array(CELL)) });

/** Rows of a Query whose first field has the value; none in an unknown form. */
export function rowsAbout(result: unknown, value: string): readonly unknown[] {
  const answer = z.safeParse(ANY_ROWS, result);
  return answer.success ? answer.data.data.filter(([first]) => first?.[1] === value) : [];
}

/**
 * What there is of the second field of a Query by the first, a name; nothing in an unknown form.
 * @param instead of a value that there is not; undefined = the name is left out
 */
export function queriedByName(result: unknown, instead?: string): ReadonlyMap<unknown, unknown> {
  const answer = z.safeParse(QUERIED, result);
  const rows = answer.success ? answer.data.data : [];
  const all = rows.map(([[, name], [status, value]]) => [name, status === NORMAL ? value : instead] as const);
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
  const rows = z.safeParse(z.array(ROW), answer.success ? answer.data[0]?.[0][at] : undefined);
  const switched = rows.success
    ? rows.data.flatMap(([[, name], [status]]) => (status === NORMAL ? [name] : []))
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
