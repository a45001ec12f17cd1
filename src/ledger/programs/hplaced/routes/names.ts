/** /resource_classes and /traits: the names there are. */
import { addName, removeName } from '../../../claims/changes/name-changes.ts';
import { change } from '../../../claims/claim/ledger.ts';
import { type NameView, nameView, nameViews, traitViews } from '../../../claims/placement/name-views.ts';
import { renameClass } from '../../../claims/placement/rename-class.ts';
import type { ChangeContext } from '../../../claims/tables/history.ts';
import type { NamedTable } from '../../../claims/tables/names.ts';
import { ApiError } from '../../../http/api-error.ts';
import { readJson, schemaFaults } from '../../../http/json-check.ts';
import { parameter } from '../../../http/query-string.ts';
import type { Reply, Request } from '../../../http/route.ts';
import type { Session } from '../../../store/store.ts';
import { CUSTOM_NAME } from '../schemas/common.ts';
import { CLASS_NAME } from '../schemas/providers.ts';
import { authorOf, type Routes, type Service } from '../service/service.ts';

const isStandard = (name: string): boolean => !name.startsWith('CUSTOM_');
const classUrl = (name: string): string => `/resource_classes/${name}`;
const serializeClass = (name: string): object => ({ name, links: [{ rel: 'self', href: classUrl(name) }] });

/** Standard names were always there: now is as good a time as any. */
const modifiedOf = (views: readonly NameView[], now: number): number =>
  views.some(({ updatedAt }) => updatedAt === 0) || views.length === 0
    ? now
    : Math.max(...views.map(({ updatedAt }) => updatedAt));

const notFound = (table: NamedTable, name: string): ApiError =>
  new ApiError(404, table === 'traits' ? `No such trait(s): ${name}.` : `No such resource class ${name}.`);

const viewOf = async ({ ledger }: Service, table: NamedTable, name: string): Promise<NameView> => {
  const view = await ledger.store.read((session) => nameView(session, table, name));
  if (!view) throw notFound(table, name);
  return view;
};

/** @returns undefined while others are in the way */
async function done<Value, Args extends unknown[]>(
  { ledger }: Service,
  request: Request,
  work: (session: Session, context: ChangeContext, ...args: Args) => Promise<Value>,
  ...args: Args
): Promise<Value | undefined> {
  const outcome = await change(ledger, authorOf(request), async (session, context) => ({
    kind: 'done' as const,
    value: await work(session, context, ...args),
  }));
  return outcome.kind === 'done' ? outcome.value : undefined;
}

/** @returns whether it is new */
async function add(service: Service, request: Request, table: NamedTable, name: string): Promise<boolean> {
  return (await done(service, request, addName, table, name)) ?? false;
}

async function remove(service: Service, request: Request, table: NamedTable): Promise<Reply> {
  const name = request.path.name!;
  await viewOf(service, table, name);
  const isClass = table === 'resource_classes';
  if (isStandard(name))
    throw new ApiError(
      400,
      isClass
        ? `Error in delete resource class: Cannot delete standard resource class ${name}.`
        : `Cannot delete standard trait ${name}.`,
    );
  const outcome = await done(service, request, removeName, table, name);
  if (outcome === 'removed') return { status: 204 };
  if (outcome === 'unknown') throw notFound(table, name);
  throw new ApiError(
    409,
    isClass
      ? `Error in delete resource class: Cannot delete resource class ${name}. Class is in use in inventory.`
      : `The trait ${name} is in use by a resource provider.`,
  );
}

async function listClasses({ ledger }: Service): Promise<Reply> {
  const views = await ledger.store.read((session) => nameViews(session, 'resource_classes'));
  return {
    body: { resource_classes: views.map(({ name }) => serializeClass(name)) },
    lastModified: modifiedOf(views, ledger.now()),
  };
}

async function createClass(service: Service, request: Request): Promise<Reply> {
  const { name } = readJson<{ name: string }>(request.body, CLASS_NAME);
  if (!(await add(service, request, 'resource_classes', name)))
    throw new ApiError(409, `Conflicting resource class already exists: ${name}`);
  return { status: 201, location: classUrl(name) };
}

async function showClass(service: Service, request: Request): Promise<Reply> {
  const view = await viewOf(service, 'resource_classes', request.path.name!);
  return { body: serializeClass(view.name), lastModified: modifiedOf([view], service.ledger.now()) };
}

/** Up to 1.6 this renames; later it makes sure that there is such a class. */
async function putClass(service: Service, request: Request): Promise<Reply> {
  const name = request.path.name!;
  if (request.minor >= 7) {
    const faults = schemaFaults({ name }, CLASS_NAME);
    if (faults.length > 0) throw new ApiError(400, `JSON does not validate: ${faults.join('\n\n')}`);
    const isNew = await add(service, request, 'resource_classes', name);
    return { status: isNew ? 201 : 204, location: classUrl(name) };
  }
  const { name: newName } = readJson<{ name: string }>(request.body, CLASS_NAME);
  await viewOf(service, 'resource_classes', name);
  if (isStandard(name)) throw new ApiError(400, `Cannot update standard resource class ${name}`);
  const outcome = await done(service, request, renameClass, name, newName);
  if (outcome === undefined || outcome === 'taken')
    throw new ApiError(409, `Resource class already exists: ${newName}`);
  return { body: serializeClass(newName) };
}

const LIST_NAMES = ['name', 'associated'];

async function listTraits({ ledger }: Service, request: Request): Promise<Reply> {
  for (const [key] of request.query)
    if (!LIST_NAMES.includes(key))
      throw new ApiError(
        400,
        `Invalid query string parameters: Additional properties are not allowed ('${key}' was unexpected)`,
      );
  const name = parameter(request, 'name');
  const associated = parameter(request, 'associated')?.toLowerCase();
  if (name !== undefined && !name.includes(':'))
    throw new ApiError(
      400,
      `Badly formatted name parameter. Expected name query string parameter in form: ?name=[in|startswith]:[name1,name2|prefix]. Got: "${name}"`,
    );
  if (associated !== undefined && associated !== 'true' && associated !== 'false')
    throw new ApiError(400, 'The query parameter "associated" only accepts "true" or "false"');
  const operator = name?.slice(0, name.indexOf(':'));
  const operand = name?.slice(name.indexOf(':') + 1);
  const views = await ledger.store.read((session) =>
    traitViews(session, {
      names: operator === 'in' ? operand!.split(',') : undefined,
      prefix: operator === 'startswith' ? operand : undefined,
      isAssociated: associated === undefined ? undefined : associated === 'true',
    }),
  );
  return { body: { traits: views.map((view) => view.name) }, lastModified: modifiedOf(views, ledger.now()) };
}

async function showTrait(service: Service, request: Request): Promise<Reply> {
  const view = await viewOf(service, 'traits', request.path.name!);
  return { status: 204, lastModified: modifiedOf([view], service.ledger.now()) };
}

async function putTrait(service: Service, request: Request): Promise<Reply> {
  const name = request.path.name!;
  if (schemaFaults(name, CUSTOM_NAME).length > 0)
    throw new ApiError(
      400,
      'The trait is invalid. A valid trait must be no longer than 255 characters, start with the prefix "CUSTOM_" and use following characters: "A"-"Z", "0"-"9" and "_"',
    );
  const isNew = await add(service, request, 'traits', name);
  const view = await viewOf(service, 'traits', name);
  return { status: isNew ? 201 : 204, location: `/traits/${name}`, lastModified: view.updatedAt };
}

export const NAME_ROUTES: Routes = {
  'GET /resource_classes': {
    id: 'listClasses',
    summary: 'Classes of resources',
    since: 2,
    handle: listClasses,
  },
  'POST /resource_classes': {
    id: 'createClass',
    summary: 'Make a custom class',
    since: 2,
    bodySchema: CLASS_NAME,
    success: 201,
    handle: createClass,
  },
  'GET /resource_classes/{name}': { id: 'showClass', summary: 'One class', since: 2, handle: showClass },
  'PUT /resource_classes/{name}': {
    id: 'putClass',
    summary: 'Make sure that there is such a class (up to 1.6: rename it)',
    since: 2,
    takesJsonUntil: 6,
    success: 204,
    handle: putClass,
  },
  'DELETE /resource_classes/{name}': {
    id: 'removeClass',
    summary: 'Remove a custom class',
    since: 2,
    handle: (service, request) => remove(service, request, 'resource_classes'),
  },
  'GET /traits': {
    id: 'listTraits',
    summary: 'Traits',
    since: 6,
    queryNames: LIST_NAMES,
    handle: listTraits,
  },
  'GET /traits/{name}': {
    id: 'showTrait',
    summary: 'Whether there is such a trait',
    since: 6,
    success: 204,
    handle: showTrait,
  },
  'PUT /traits/{name}': {
    id: 'putTrait',
    summary: 'Make sure that there is such a trait',
    since: 6,
    success: 201,
    handle: putTrait,
  },
  'DELETE /traits/{name}': {
    id: 'removeTrait',
    summary: 'Remove a custom trait',
    since: 6,
    handle: (service, request) => remove(service, request, 'traits'),
  },
};
