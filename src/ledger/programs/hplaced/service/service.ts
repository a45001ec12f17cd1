/** What all routes work on: the ledger, its forest in memory, and how this service was started. */
import { randomUUID } from 'node:crypto';
import { type Book, bookOn } from '../../../binding/book/book.ts';
import { LedgerForest } from '../../../candidates/records/ledger-forest.ts';
import type { Author, Ledger } from '../../../claims/claim/ledger.ts';
import type { StepMode } from '../../../claims/model/admission.ts';
import type { ClaimConflict } from '../../../claims/model/refusal.ts';
import { type ProviderView, providerView } from '../../../claims/placement/provider-views.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { OperationTable, Request } from '../../../http/route.ts';
import type { Session } from '../../../store/store.ts';
import { concurrentUpdate } from '../protocol/placement.ts';

/** How the service was started: plain data, for each thread has a service. */
export interface ServiceSettings {
  /** Candidates that a query may have. */
  readonly mostCandidates: number;
  readonly latestMinor: number;
  readonly mostMinor: number;
  /** Whether figures and description are for those who may read only. */
  readonly isClosed: boolean;
}

export interface Service extends ServiceSettings {
  readonly ledger: Ledger;
  readonly forest: LedgerForest;
  /** Pods and bindings, in the same database. */
  readonly book: Book;
  readonly stepMode: StepMode;
}

/** A part of the routing table. */
export type Routes = OperationTable<Service>;

/** Who is written into the ledger's history. */
export const authorOf = ({ caller, requestId }: Request): Author => ({
  actor: caller.name,
  request: requestId,
  reason: null,
});

export const newUuid = (): string => randomUUID();

/** @throws {ApiError} 404 */
export async function requireProvider(session: Session, uuid: string, forWhat = ''): Promise<ProviderView> {
  const view = await providerView(session, uuid.toLowerCase());
  if (!view) throw new ApiError(404, `No resource provider with uuid ${uuid} found${forWhat}`);
  return view;
}

/** The provider that the path names. @throws {ApiError} 404 */
export const providerOf = ({ ledger }: Service, { path }: Request, forWhat?: string): Promise<ProviderView> =>
  ledger.store.read((session) => requireProvider(session, path.uuid!, forWhat));

/** When the latest of them was changed; now where there is none. */
export const modifiedOf = (
  views: readonly { readonly updatedAt: number }[],
  { ledger }: Pick<Service, 'ledger'>,
): number => views.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), 0) || ledger.now();

/** What to answer when somebody else changed the same thing in between. */
export function conflictAnswer(conflict: ClaimConflict, what: string): ApiError {
  switch (conflict.kind) {
    case 'consumer-generation':
      return concurrentUpdate(
        `consumer generation conflict - expected ${conflict.found} but got ${conflict.expected}`,
      );
    case 'provider-generation':
      return concurrentUpdate(what);
    case 'busy':
      return concurrentUpdate(
        `${what}: Another thread concurrently updated the data. Please retry your update`,
      );
  }
}

export const serviceOn = (ledger: Ledger, settings: ServiceSettings): Service => ({
  ...settings,
  ledger,
  book: bookOn(ledger.store, ledger.now),
  forest: new LedgerForest(ledger.store, () => performance.now()),
  // Placement's rule; amounts must be multiples of the step.
  stepMode: 'strict',
});
