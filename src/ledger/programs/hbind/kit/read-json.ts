/** Readings by pod, from a file. */
import { InputError } from '../../../../kit/faults.ts';
import { readInput } from '../../../../kit/files/read-input.ts';
import { decodeUtf8 } from '../../../../kit/files/utf8.ts';
import { isSenselesslyNested } from '../../../../kit/json/json-document.ts';
import { isName, NAME_RULE } from '../../../binding/model/names.ts';
import { type Usage, usageProblems } from '../../../binding/model/usage.ts';
import { parsedJson } from '../../shared/binding/read-events.ts';

const EXAMPLE = 'write {"POD": {"memory": {"total": 1000, "used": 100}}}';

/** Readings by pod. @throws {InputError} with all faults of the file */
export function readReadings(file: string): Readonly<Record<string, Usage | null>> {
  const text = decodeUtf8(readInput(file), file);
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
