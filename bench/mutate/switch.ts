/**
 * What a source file with switches calls: each operator, literal or name that may be wrong goes through one
 * of these, with the number of its mutant. The number that is switched on behaves wrongly; all others as
 * written. Which numbers were reached is kept, so that only tests that reach a mutant are run for it.
 */
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** The environment variable that switches a mutant on from the start of a process. */
export const SWITCHED_ON = 'EVENKEEL_MUTANT';
/**
 * That of a file, in which all that runs code with switches says what it reaches, in whatever thread or
 * process.
 */
export const REACHED_FILE = 'EVENKEEL_REACHED';
const SHARED = 'evenkeelSwitches';
const MAX_MUTANTS = 1 << 16;

/** What is switched on, and which were reached: tests run programs in threads of their own. */
function inSharedMemory(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT + MAX_MUTANTS);
  new Int32Array(memory, 0, 1)[0] = Number(process.env[SWITCHED_ON] ?? -1);
  setEnvironmentData(SHARED, memory as never);
  return memory;
}

const memory = (getEnvironmentData(SHARED) as never as SharedArrayBuffer | undefined) ?? inSharedMemory();
const switched = new Int32Array(memory, 0, 1);
const reached = new Uint8Array(memory, Int32Array.BYTES_PER_ELEMENT);

/** @param id the only mutant from now on, or -1; also in processes that are started from now on */
export function switchOn(id: number): void {
  switched[0] = id;
  process.env[SWITCHED_ON] = String(id);
}

/** The mutants that were reached since the last call. */
export function takeReached(): number[] {
  reached.fill(0);
  const file = process.env[REACHED_FILE]!;
  if (!existsSync(file)) return [];
  const ids = new Set(readFileSync(file, 'utf8').trim().split('\n').map(Number));
  rmSync(file);
  return [...ids];
}

export function on(id: number): boolean {
  if (reached[id] === 0) {
    reached[id] = 1;
    const file = process.env[REACHED_FILE];
    if (file !== undefined) appendFileSync(file, `${id}\n`);
  }
  return switched[0] === id;
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
