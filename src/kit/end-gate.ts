/** Holds off the end of a thread that is in SQLite's library: it would take the whole process with it. */
import { int32 } from './shared-arrays.ts';

/** Shared by a thread and whoever may end it. */
export type EndGate = Int32Array;
const IN_LIBRARY = 0;
const IS_ENDING = 1;

export const newEndGate = (): EndGate => int32(2);

let ours: EndGate | undefined;

/** From now on this thread's end is held off by that gate. */
export function workBehind(gate: EndGate): void {
  ours = gate;
}

/** Whether the thread can be ended now. Once this was asked, the thread enters the library no more. */
export function mayEnd(gate: EndGate): boolean {
  Atomics.store(gate, IS_ENDING, 1);
  return Atomics.load(gate, IN_LIBRARY) === 0;
}

function enter(gate: EndGate): void {
  Atomics.store(gate, IN_LIBRARY, 1);
  if (Atomics.load(gate, IS_ENDING) === 0) return;
  leave(gate);
  // For good: the end is near.
  Atomics.wait(gate, IS_ENDING, 1);
}

function leave(gate: EndGate): void {
  Atomics.store(gate, IN_LIBRARY, 0);
}

export async function heldOffWhile<T>(work: () => Promise<T>): Promise<T> {
  const gate = ours;
  if (gate === undefined) return work();
  enter(gate);
  // What it calls in the library is no end of it.
  ours = undefined;
  try {
    return await work();
  } finally {
    ours = gate;
    leave(gate);
  }
}

/** @param names methods of the library's object in which the end is held off. @returns the object */
export function heldOff<T extends object>(object: T, names: readonly (keyof T)[]): T {
  for (const name of names) {
    const plain = (object[name] as (...values: unknown[]) => unknown).bind(object);
    const value = (...values: unknown[]): unknown => {
      const gate = ours;
      if (gate === undefined) return plain(...values);
      enter(gate);
      try {
        return plain(...values);
      } finally {
        leave(gate);
      }
    };
    // The library's own methods cannot be written to.
    Object.defineProperty(object, name, { value });
  }
  return object;
}
