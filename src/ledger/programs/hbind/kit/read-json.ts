/** Files of hbind's own. */
import { InputError } from '../../../../kit/faults.ts';
import { readInput } from '../../../../kit/files/read-input.ts';
import { isSenselesslyNested } from '../../../../kit/json/json-document.ts';
import { isName, NAME_RULE } from '../../../binding/model/names.ts';
import { type Usage, usageProblems } from '../../../binding/model/usage.ts';
import { parsedJson } from '../../shared/binding/read-events.ts';

/** The text of a file; `-` is standard input. @throws a Fault when it cannot be read, or is no text */
export function readTextFile(file: string): string {
  const bytes = readInput(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(file, [{ problem: 'is not UTF-8 text', remedy: 'name a file of JSON' }]);
  }
}

const EXAMPLE = 'write {"POD": {"memory": {"total": 1000, "used": 100}}}';

export function readReadings(file: string): Readonly<Record<string, Usage | null>> {
  const text = readTextFile(file);
  if (isSenselesslyNested(text)) throw new InputError(file, [{ problem: 'is nested too deeply' }]);
  const value = parsedJson(text, file, EXAMPLE);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const problem = 'is not an object with one member for each pod';
    throw new InputError(file, [{ problem, remedy: EXAMPLE }]);
  }
  const problems = Object.entries(value).flatMap(([pod, usage]) => [
    ...(isName(pod) ? [] : [{ value: pod, problem: 'is not a name for a pod', remedy: NAME_RULE }]),
    ...usageProblems(usage, pod),
  ]);
  if (problems.length > 0) throw new InputError(file, problems);
  return value as Readonly<Record<string, Usage | null>>;
}
