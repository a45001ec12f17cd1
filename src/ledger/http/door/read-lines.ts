/** Files of the door: words on lines; empty lines and those that start with # say nothing. */
import { InputError, type InputProblem } from '../../../kit/faults.ts';

/**
 * @param source name of the file, for messages. @param form of a line, for messages
 * @param read one line by its number; what is wrong with it, where something is
 * @throws {InputError} with all faults of the file, or when it has no line
 */
export function readLines<T extends object>(
  text: string,
  source: string,
  form: string,
  read: (line: string, number: number) => T | InputProblem,
): readonly T[] {
  const problems: InputProblem[] = [];
  const found: T[] = [];
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return;
    const one = read(line, index + 1);
    if ('problem' in one) problems.push({ line: index + 1, ...one });
    else found.push(one);
  });
  if (problems.length === 0 && found.length === 0)
    problems.push({ problem: 'nothing is in it', remedy: `write at least one line ${form}` });
  if (problems.length > 0) throw new InputError(source, problems);
  return found;
}
