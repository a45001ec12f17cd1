/**
 * How programs end: one table of exit statuses for the suite. Bad input, a failed cluster of hscan and an
 * interruption have those of the stock programs, unless `--exit-status=strict` asks for one each.
 */

export const EXIT = {
  done: 0,
  /** The answer is no: not balanced, refused, none fits, a job failed. */
  no: 1,
  /** Options, arguments or input that cannot be used. */
  bad: 2,
  /** Something was found, or is left undone. */
  left: 3,
  /** The cluster or the ledger has changed meanwhile. */
  changed: 4,
  interrupted: 5,
  /** A mistake in the program, by the convention of sysexits. */
  internal: 70,
} as const;

export type Ending = keyof typeof EXIT;

/** What stock says in place of the table. */
const STOCK = { input: EXIT.no, interrupted: EXIT.bad, someFailed: EXIT.bad } as const;
const STRICT = { input: EXIT.bad, interrupted: EXIT.interrupted, someFailed: EXIT.left } as const;

let isStrict = false;

export function setStrictStatuses(wanted: boolean): void {
  isStrict = wanted;
}

/** The status of an ending for which stock has another than the table. */
export const statusAsAsked = (ending: keyof typeof STOCK): number => (isStrict ? STRICT : STOCK)[ending];
