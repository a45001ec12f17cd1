/**
 * What a source file with switches calls: each operator, literal or name that may be wrong goes through one
 * of these, with the number of its mutant. The number that is switched on behaves wrongly; all others as
 * written. Which numbers were reached is kept, so that only tests that reach a mutant are run for it.
 */

interface Switches {
  /** The mutant that is switched on, or -1. */
  on: number;
  /** 1 for each mutant that was reached. */
  readonly reached: Uint8Array;
}

/**
 * The environment variable that switches a mutant on from the start: what is computed when a file is loaded
 * sees it, too.
 */
export const SWITCHED_ON = 'EVENKEEL_MUTANT';
const MAX_MUTANTS = 1 << 16;

const home = globalThis as { evenkeelSwitches?: Switches };
home.evenkeelSwitches ??= {
  on: Number(process.env[SWITCHED_ON] ?? -1),
  reached: new Uint8Array(MAX_MUTANTS),
};
/** One for all copies of this module: test runners load some modules twice. */
export const switches: Switches = home.evenkeelSwitches;

export function on(id: number): boolean {
  switches.reached[id] = 1;
  return switches.on === id;
}

type Operator = (id: number, a: number, b: number) => unknown;
export const less: Operator = (id, a, b) => (on(id) ? a <= b : a < b);
export const atMost: Operator = (id, a, b) => (on(id) ? a < b : a <= b);
export const more: Operator = (id, a, b) => (on(id) ? a >= b : a > b);
export const atLeast: Operator = (id, a, b) => (on(id) ? a > b : a >= b);
export const same: Operator = (id, a, b) => (on(id) ? a !== b : a === b);
export const other: Operator = (id, a, b) => (on(id) ? a === b : a !== b);
export const plus: Operator = (id, a, b) => (on(id) ? a - b : a + b);
export const minus: Operator = (id, a, b) => (on(id) ? a + b : a - b);
export const times: Operator = (id, a, b) => (on(id) ? a / b : a * b);

/** Whether the right side of `left && right` is looked at. */
export const and = (id: number, left: unknown): boolean => (on(id) ? !left : !!left);
/** Whether the right side of `left || right` is looked at. */
export const or = (id: number, left: unknown): boolean => (on(id) ? !!left : !left);
export const not = (id: number, value: unknown): unknown => (on(id) ? value : !value);
export const either = <T>(id: number, right: T, wrong: T): T => (on(id) ? wrong : right);
