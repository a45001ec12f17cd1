import { int32 } from './shared-arrays.ts';

/** Waits without running anything else. */
export const pause = (milliseconds: number): void => {
  Atomics.wait(int32(1), 0, 0, milliseconds);
};
