/** What is wrong with a command line beyond its options: all of it at once. */
import { UsageError } from '../faults.ts';

/** What each of the readers gives. @throws {UsageError} with all that they refuse, each above its remedy */
export function allSaid<Said extends readonly unknown[]>(
  ...readers: { readonly [At in keyof Said]: () => Said[At] }
): Said {
  const faults: UsageError[] = [];
  const said = readers.map((read) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      faults.push(error);
      return undefined;
    }
  });
  const last = faults.pop();
  if (!last) return said as unknown as Said;
  const before = faults.map(({ message, remedy }) => `${message}\nMaybe ${remedy}\n`);
  const status = Math.max(last.exitCode, ...faults.map(({ exitCode }) => exitCode));
  throw new UsageError(before.join('') + last.message, last.remedy, status);
}

/** Readers that give nothing, and refuse what is wrong with the fault that `make` makes. */
export const refuseAs =
  (make: (message: string, remedy: string) => UsageError) =>
  (isWrong: boolean, message: string, remedy: string) =>
  (): void => {
    if (isWrong) throw make(message, remedy);
  };
export const refuse = refuseAs((message, remedy) => new UsageError(message, remedy));
