/** What all routes work on: the ledger, its forest in memory, how this service was started; and a request. */
import { type Book, bookOn } from '../../../binding/book/book.ts';
import { LedgerForest } from '../../../candidates/records/ledger-forest.ts';
import { type Author, change, type Ledger } from '../../../claims/claim/ledger.ts';
import type { StepMode } from '../../../claims/model/inventory.ts';
import type { Outcome } from '../../../claims/model/refusal.ts';
import type { ChangeContext } from '../../../claims/tables/history.ts';
import { providerByUuid, type StoredProvider } from '../../../claims/tables/providers.ts';
import { ApiError } from '../../../http/api-error.ts';
import { type FormOf, type JsonSchema, readJson } from '../../../http/json-check.ts';
import type { Method, Operation, Reply, Request, Route } from '../../../http/route.ts';
import type { Session, Store } from '../../../store/store.ts';
import { conflictAnswer } from './faults.ts';

/** How the service was started: plain data, for each thread has a service. */
export interface ServiceSettings {
  readonly mostCandidates: number;
  readonly latestMinor: number;
  readonly mostMinor: number;
  /** Whether figures and description are for those who may read only. */
  readonly isClosed: boolean;
}

export interface Service extends ServiceSettings {
  readonly ledger: Ledger;
  readonly read: Store['read'];
  readonly forest: LedgerForest;
  /** Pods and bindings, in the same database. */
  readonly book: Book;
  readonly stepMode: StepMode;
}

export const serviceOn = (ledger: Ledger, settings: ServiceSettings): Service => ({
  ...settings,
  ledger,
  read: (work) => ledger.store.read(work),
  book: bookOn(ledger.store, ledger.now),
  forest: new LedgerForest(ledger.store),
  // Placement's rule; amounts must be multiples of the step.
  stepMode: 'strict',
});

/** What a handler is given: who answers, and the request. */
export type Call<Body = unknown> = Service &
  Request & {
    /** The body. @throws {ApiError} 400 when it has not the form that its schema says */
    readonly json: () => Body;
  };
/** One whose body has the form of a schema. */
export type CallWith<Schema> = Call<FormOf<Schema>>;

/** What is not usual about an operation, such as `since` and `bodySchema`. */
export type Particulars<Body> = Partial<Omit<Operation, 'id' | 'summary' | 'bodySchema' | 'handle'>> & {
  /** One for all versions, or that of a minor number. */
  readonly bodySchema?: JsonSchema<Body> | ((minor: number) => JsonSchema<Body>);
};

/** An operation, once it is known who answers, to which method, and since when there is its path. */
type Stated = (service: Service, method: string, since: number) => Operation;

/** A part of the routing table; `since` of a path holds for operations that state none. */
export type Routes = Readonly<
  Record<`/${string}`, Partial<Readonly<Record<Method, Stated>>> & { readonly since?: number }>
>;

export const operation =
  <Body>(
    id: string,
    summary: string,
    handle: (call: Call<Body>) => Promise<Reply>,
    { bodySchema, ...more }: Particulars<Body> = {},
  ): Stated =>
  (service, method, since) => {
    const success = more.success ?? (method === 'DELETE' ? 204 : 200);
    // Each version's schema is made once, so that its compiled form is kept.
    const kept: JsonSchema<Body>[] = [];
    const schemaAt = (minor: number): JsonSchema<Body> =>
      (kept[minor] ??= typeof bodySchema === 'function' ? bodySchema(minor) : bodySchema!);
    return {
      id,
      summary,
      since,
      access: method === 'GET' ? 'read' : 'write',
      givesJson: method === 'GET' && success === 200 && !more.isAtDoor,
      success,
      ...(bodySchema && { takesJsonUntil: Number.POSITIVE_INFINITY, bodySchema: schemaAt }),
      ...more,
      handle: (request) =>
        handle({ ...service, ...request, json: () => readJson(request.body, schemaAt(request.minor)) }),
    };
  };

/** @param finish what all operations have in common */
export const routesOf = (
  service: Service,
  table: Routes,
  finish = (operation: Operation) => operation,
): readonly Route[] =>
  Object.entries(table).map(([path, { since = 0, ...stated }]) => ({
    path,
    operations: Object.fromEntries(
      Object.entries(stated).map(([method, one]) => [method, finish(one(service, method, since))]),
    ),
  }));

export const authorOf = ({ caller, requestId }: Request): Author => ({
  actor: caller.name,
  request: requestId,
  reason: null,
});

/** Work, and behind it a look at what is there now, in its transaction: nobody comes in between. */
export const lookedAt =
  <Args extends unknown[], Value, Why, Seen>(
    work: (...of: [Session, ChangeContext, ...Args]) => Promise<Outcome<Value, Why>>,
    look: (session: Session) => Promise<Seen>,
  ) =>
  async (...of: [Session, ChangeContext, ...Args]): Promise<Outcome<Seen, Why>> => {
    const outcome = await work(...of);
    return outcome.kind === 'done' ? { kind: 'done', value: await look(of[0]) } : outcome;
  };

export const changeBy = <Args extends unknown[], Value, Why>(
  call: Call,
  work: (session: Session, context: ChangeContext, ...args: Args) => Promise<Outcome<Value, Why>>,
  ...args: Args
): Promise<Outcome<Value, Why>> =>
  change(call.ledger, authorOf(call), (session, context) => work(session, context, ...args));

interface Otherwise<Why> {
  /** Somebody else was quicker: in what; or the whole answer. */
  readonly conflict: string | (() => ApiError);
  readonly refused: (refusals: readonly Why[]) => ApiError | Promise<ApiError>;
}

/** What came of a change that was made. @throws {ApiError} where it was not */
export async function made<Value, Why>(
  changing: Promise<Outcome<Value, Why>>,
  { conflict, refused }: Otherwise<Why>,
): Promise<Value> {
  const outcome = await changing;
  if (outcome.kind === 'done') return outcome.value;
  if (outcome.kind === 'refused') throw await refused(outcome.refusals);
  throw typeof conflict === 'string' ? conflictAnswer(outcome.conflict, conflict) : conflict();
}

export const noProvider = (uuid: string, forWhat = ''): ApiError =>
  new ApiError(404, `No resource provider with uuid ${uuid} found${forWhat}`);

/** As Placement says it where it looks what a provider has: twice. */
export const noProviderHere =
  (mark: ': ' | ' : '): typeof noProvider =>
  (uuid) =>
    noProvider(uuid, mark + noProvider(uuid).message);

/** @throws {ApiError} 404 */
export async function requireProvider(session: Session, uuid: string, lacking = noProvider) {
  const view = await providerByUuid(session, uuid.toLowerCase());
  if (!view) throw lacking(uuid);
  return view;
}

/** The provider that the path names. @throws {ApiError} 404 */
export const providerOf = ({ read, path }: Call, lacking?: typeof noProvider): Promise<StoredProvider> =>
  read((session) => requireProvider(session, path.uuid!, lacking));

/** When the latest of them was changed; now where there is none. */
export const modifiedOf = (views: readonly { readonly updatedAt: number }[], { ledger }: Service): number =>
  views.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), 0) || ledger.now();
