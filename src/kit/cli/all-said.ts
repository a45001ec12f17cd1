/** What is wrong with a command line beyond its options: all of it at once. */
import { ExecutionError, Fault, UsageError } from '../faults.ts';

/**
 * What each of the readers gives. @throws {UsageError} with all that they refuse, each above its remedy; an
 * ExecutionError where all of them are
 */
export function allSaid<Said extends readonly unknown[]>(
  ...readers: { readonly [At in keyof Said]: () => Said[At] }
): Said {
  const faults: Fault[] = [];
  const said = readers.map((read) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof ExecutionError)) throw error;
      faults.push(...(error.parts ?? [error]));
      return undefined;
    }
  });
  const last = faults.at(-1);
  if (!last) return said as unknown as Said;
  const before = faults.slice(0, -1).map(({ message, remedy }) => `${message}\nMaybe ${remedy}\n`);
  const message = before.join('') + last.message;
  const { remedy } = last;
  const fault = faults.every((one) => one instanceof ExecutionError)
    ? new ExecutionError(message, remedy)
    : new UsageError(message, remedy, Math.max(...faults.map(({ exitCode }) => exitCode)));
  throw Object.assign(fault, { parts: faults });
}

/** What the readers refuse, all of it at once; undefined where that is nothing. */
export function faultAmong(...readers: readonly (() => void)[]): Fault | undefined {
  try {
    allSaid(...readers);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Readers that give nothing, and refuse what is wrong with the fault that `make` makes. */
export const refuseAs =
  (make: (message: string, remedy: string) => UsageError | ExecutionError) =>
  (isWrong: boolean, message: string, remedy: string) =>
  (): void => {
    if (isWrong) throw make(message, remedy);
  };
export const refuse = refuseAs((message, remedy) => new UsageError(message, remedy));
