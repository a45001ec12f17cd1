/** /resource_classes and /traits: the names there are. */
import { addName, removeName, renameClass } from '../../../claims/changes/name-changes.ts';
import type { ChangeContext } from '../../../claims/tables/history.ts';
import { type NamedTable, type NameView, nameView, nameViews } from '../../../claims/tables/names.ts';
import { ApiError, badBody, badRequest } from '../../../http/api-error.ts';
import { readJson, readQuery, schemaFaults } from '../../../http/json-check.ts';
import type { Reply } from '../../../http/route.ts';
import type { Session } from '../../../store/store.ts';
import { CUSTOM_NAME, record, TEXT } from '../protocol/forms.ts';
import {
  type Call,
  type CallWith,
  changeBy,
  made,
  modifiedOf,
  operation,
  type Routes,
} from '../service/service.ts';

const WORDS = {
  resource_classes: {
    unknown: (name: string) => `No such resource class ${name}.`,
    standard: (name: string) =>
      `Error in delete resource class: Cannot delete standard resource class ${name}.`,
    inUse: (name: string) =>
      `Error in delete resource class: Cannot delete resource class ${name}. Class is in use in inventory.`,
  },
  traits: {
    unknown: (name: string) => `No such trait(s): ${name}.`,
    standard: (name: string) => `Cannot delete standard trait ${name}.`,
    inUse: (name: string) => `The trait ${name} is in use by a resource provider.`,
  },
} as const satisfies Record<NamedTable, unknown>;

const CLASS_NAME = record({ name: CUSTOM_NAME }, ['name']);

const isStandard = (name: string): boolean => !name.startsWith('CUSTOM_');
const classUrl = (name: string): string => `/resource_classes/${name}`;
const serializeClass = (name: string): object => ({ name, links: [{ rel: 'self', href: classUrl(name) }] });

/** Standard names were always there: now is as good a time as any. */
const lastModified = (views: readonly NameView[], call: Call): number =>
  modifiedOf(views.some(({ updatedAt }) => updatedAt === 0) ? [] : views, call);

const noName = (table: NamedTable, name: string): ApiError => new ApiError(404, WORDS[table].unknown(name));

/** @param name that of the path, unless stated @throws {ApiError} 404 where there is no such name */
export async function requireName({ read, path }: Call, table: NamedTable, name = path.name!) {
  const view = await read((session) => nameView(session, table, name));
  if (!view) throw noName(table, name);
  return view;
}

/** What comes of work that is never refused. @throws {ApiError} 409 while others are in the way */
const done = <Value>(call: Call, work: (...tools: [Session, ChangeContext]) => Promise<Value>) =>
  made<Value, never>(
    changeBy(call, async (...tools) => ({ kind: 'done', value: await work(...tools) })),
    { conflict: 'update conflict', refused: ([why]) => why! },
  );

const remove =
  (table: NamedTable) =>
  async (call: Call): Promise<Reply> => {
    const { name } = await requireName(call, table);
    if (isStandard(name)) throw badRequest(WORDS[table].standard(name));
    const outcome = await done(call, (...tools) => removeName(...tools, table, name));
    if (outcome === 'removed') return { status: 204 };
    if (outcome === 'unknown') throw noName(table, name);
    throw new ApiError(409, WORDS[table].inUse(name));
  };

async function listClasses(call: Call): Promise<Reply> {
  const views = await call.read((session) => nameViews(session, 'resource_classes'));
  return {
    body: { resource_classes: views.map(({ name }) => serializeClass(name)) },
    lastModified: lastModified(views, call),
  };
}

async function createClass(call: CallWith<typeof CLASS_NAME>): Promise<Reply> {
  const { name } = call.json();
  if (!(await done(call, (...tools) => addName(...tools, 'resource_classes', name))))
    throw new ApiError(409, `Conflicting resource class already exists: ${name}`);
  return { status: 201, location: classUrl(name) };
}

async function showClass(call: Call): Promise<Reply> {
  const view = await requireName(call, 'resource_classes');
  return { body: serializeClass(view.name), lastModified: lastModified([view], call) };
}

/** Up to 1.6 this renames; later it makes sure that there is such a class. */
async function putClass(call: Call): Promise<Reply> {
  const name = call.path.name!;
  if (call.minor >= 7) {
    const faults = schemaFaults({ name }, CLASS_NAME);
    if (faults.length > 0) throw badBody(faults.join('\n\n'));
    const isNew = await done(call, (...tools) => addName(...tools, 'resource_classes', name));
    return { status: isNew ? 201 : 204, location: classUrl(name) };
  }
  const { name: newName } = readJson(call.body, CLASS_NAME);
  await requireName(call, 'resource_classes');
  if (isStandard(name)) throw badRequest(`Cannot update standard resource class ${name}`);
  const outcome = await done(call, (...tools) => renameClass(...tools, name, newName));
  if (outcome === 'unknown') throw noName('resource_classes', name);
  if (outcome === 'taken') throw new ApiError(409, `Resource class already exists: ${newName}`);
  return { body: serializeClass(newName) };
}

const LIST_QUERY = { name: TEXT, associated: TEXT };
const LIST = record(LIST_QUERY);

async function listTraits(call: Call): Promise<Reply> {
  const { name, ...rest } = readQuery(call, LIST);
  const associated = rest.associated?.toLowerCase();
  const [, operator, operand] = /^([^:]*):(.*)$/s.exec(name ?? '') ?? [];
  if (name !== undefined && operator === undefined)
    throw badRequest(
      `Badly formatted name parameter. Expected name query string parameter in form: ?name=[in|startswith]:[name1,name2|prefix]. Got: "${name}"`,
    );
  if (associated !== undefined && associated !== 'true' && associated !== 'false')
    throw badRequest('The query parameter "associated" only accepts "true" or "false"');
  const found = await call.read((session) =>
    nameViews(session, 'traits', {
      ...(operator === 'in' && { names: operand!.split(',') }),
      ...(associated && { isAssociated: associated === 'true' ? 1 : 0 }),
    }),
  );
  const views = operator === 'startswith' ? found.filter((view) => view.name.startsWith(operand!)) : found;
  return { body: { traits: views.map((view) => view.name) }, lastModified: lastModified(views, call) };
}

async function showTrait(call: Call): Promise<Reply> {
  const view = await requireName(call, 'traits');
  return { status: 204, lastModified: lastModified([view], call) };
}

async function putTrait(call: Call): Promise<Reply> {
  const name = call.path.name!;
  if (schemaFaults(name, CUSTOM_NAME).length > 0)
    throw badRequest(
      'The trait is invalid. A valid trait must be no longer than 255 characters, start with the prefix "CUSTOM_" and use following characters: "A"-"Z", "0"-"9" and "_"',
    );
  const isNew = await done(call, (...tools) => addName(...tools, 'traits', name));
  const { updatedAt } = await requireName(call, 'traits');
  return { status: isNew ? 201 : 204, location: `/traits/${name}`, lastModified: updatedAt };
}

export const NAME_ROUTES: Routes = {
  '/resource_classes': {
    since: 2,
    GET: operation('listClasses', 'Classes of resources', listClasses),
    POST: operation('createClass', 'Make a custom class', createClass, {
      bodySchema: CLASS_NAME,
      success: 201,
    }),
  },
  '/resource_classes/{name}': {
    since: 2,
    GET: operation('showClass', 'One class', showClass),
    PUT: operation('putClass', 'Make sure that there is such a class (up to 1.6: rename it)', putClass, {
      takesJsonUntil: 6,
      success: 204,
    }),
    DELETE: operation('removeClass', 'Remove a custom class', remove('resource_classes')),
  },
  '/traits': {
    since: 6,
    GET: operation('listTraits', 'Traits', listTraits, { queryNames: Object.keys(LIST_QUERY) }),
  },
  '/traits/{name}': {
    since: 6,
    GET: operation('showTrait', 'Whether there is such a trait', showTrait, { success: 204 }),
    PUT: operation('putTrait', 'Make sure that there is such a trait', putTrait, { success: 201 }),
    DELETE: operation('removeTrait', 'Remove a custom trait', remove('traits')),
  },
};
