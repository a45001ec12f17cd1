/** Whether a query's classes and traits exist; asked each time, for others may just have made them. */
import type { Names, RequestGroup, Vocabulary } from '../../../candidates/request/request.ts';
import { idsOf } from '../../../claims/tables/names.ts';
import { badRequest } from '../../../http/api-error.ts';
import type { Call } from '../service/service.ts';

/** Looks all `names` up at once, and answers from what was found. */
export async function vocabularyOf({ read }: Call, { classes, traits }: Names): Promise<Vocabulary> {
  if (classes.length + traits.length === 0) return { hasClass: () => false, hasTrait: () => false };
  const [knownClasses, knownTraits] = await read(async (session) => [
    await idsOf(session, 'resource_classes', classes),
    await idsOf(session, 'traits', traits),
  ]);
  return { hasClass: (name) => knownClasses!.has(name), hasTrait: (name) => knownTraits!.has(name) };
}

/** @throws {ApiError} 400 */
export async function requireNames(call: Call, groups: readonly RequestGroup[]): Promise<void> {
  const classes = groups.flatMap(({ resources }) => [...resources.keys()]);
  const traits = groups.flatMap(({ required, forbidden }) => [...required.flat(), ...forbidden]);
  const { hasClass, hasTrait } = await vocabularyOf(call, { classes, traits });
  const unknownClass = classes.find((name) => !hasClass(name));
  if (unknownClass !== undefined)
    throw badRequest(
      `Invalid resource class in resources parameter: No such resource class ${unknownClass}.`,
    );
  const unknown = [...new Set(traits.filter((name) => !hasTrait(name)))].sort();
  if (unknown.length > 0)
    throw badRequest(`Invalid trait(s) in "required" parameter: No such trait(s): ${unknown.join(', ')}.`);
}
