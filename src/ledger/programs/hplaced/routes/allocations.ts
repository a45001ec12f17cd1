/** /allocations: what consumers have. */
import { groupedBy } from '../../../../kit/grouped.ts';
import { isUuidLike } from '../../../candidates/request/values.ts';
import { claim } from '../../../claims/claim/claim.ts';
import type { ConsumerClaim } from '../../../claims/claim/claim-request.ts';
import { confirmClaims, renewClaims } from '../../../claims/claim/renewal.ts';
import { UNKNOWN_OWNER } from '../../../claims/model/names.ts';
import {
  allocationsOfConsumer,
  allocationsOfProvider,
  type EndView,
  endViews,
} from '../../../claims/placement/allocation-views.ts';
import { ApiError } from '../../../http/api-error.ts';
import { readJson } from '../../../http/json-check.ts';
import { type Reply, type Request, TakesLonger } from '../../../http/route.ts';
import {
  type ConsumerBody,
  claimConflict,
  claimOf,
  endAfter,
  refusalAnswer,
  uuidKey,
} from '../bodies/allocation-body.ts';
import { ENDS_SINCE } from '../protocol/microversion.ts';
import { POST_RENEW, postAllocations, putAllocations } from '../schemas/allocations.ts';
import { authorOf, modifiedOf, type Routes, requireProvider, type Service } from '../service/service.ts';

interface EndBody {
  readonly at: string;
  readonly resources: Record<string, number>;
}

/** From 1.41 on: what goes back when, by time. */
function endsBody(minor: number, ends: readonly EndView[] = []): { readonly ends?: readonly EndBody[] } {
  if (minor < ENDS_SINCE) return {};
  const bodies = new Map<number, EndBody>();
  for (const { at, class: name, amount } of ends) {
    const body = bodies.get(at) ?? { at: new Date(at).toISOString(), resources: {} };
    body.resources[name] = amount;
    bodies.set(at, body);
  }
  return { ends: [...bodies.values()] };
}

async function ofConsumer({ ledger }: Service, { path, minor }: Request): Promise<Reply> {
  const consumer = uuidKey(path.consumer_uuid!);
  const [views, ends] = await ledger.store.read((session) =>
    Promise.all([
      allocationsOfConsumer(session, consumer),
      minor < ENDS_SINCE ? [] : endViews(session, { consumer }),
    ]),
  );
  const endsOf = groupedBy(ends, (end) => end.provider);
  const allocations: Record<string, { generation: number; resources: Record<string, number> }> = {};
  for (const { provider, providerGeneration, class: name, used } of views) {
    allocations[provider] ??= {
      generation: providerGeneration,
      resources: {},
      ...endsBody(minor, endsOf.get(provider)),
    };
    allocations[provider].resources[name] = used;
  }
  const [first] = views;
  return {
    body: {
      allocations,
      ...(first && minor >= 12
        ? { project_id: first.project ?? UNKNOWN_OWNER, user_id: first.user ?? UNKNOWN_OWNER }
        : {}),
      ...(first && minor >= 28 ? { consumer_generation: first.consumerGeneration } : {}),
      ...(first && minor >= 38 ? { consumer_type: first.type ?? 'unknown' } : {}),
    },
    lastModified: modifiedOf(views, { ledger }),
  };
}

/** Of more, others would have to wait. */
const QUICK_ROWS = 3000;

async function ofProvider({ ledger }: Service, { path, minor, isQuick }: Request): Promise<Reply> {
  return ledger.store.read(async (session) => {
    const { id, generation } = await requireProvider(session, path.uuid!);
    const views = await allocationsOfProvider(session, id, isQuick ? QUICK_ROWS : undefined);
    if (isQuick && views.length === QUICK_ROWS) throw new TakesLonger();
    const endsOf = groupedBy(
      minor < ENDS_SINCE ? [] : await endViews(session, { providerId: id }),
      (end) => end.consumer,
    );
    const allocations: Record<string, { resources: Record<string, number>; consumer_generation?: number }> =
      {};
    for (const { consumer, consumerGeneration, class: name, used } of views) {
      allocations[consumer] ??= {
        resources: {},
        ...(minor >= 28 ? { consumer_generation: consumerGeneration } : {}),
        ...endsBody(minor, endsOf.get(consumer)),
      };
      allocations[consumer].resources[name] = used;
    }
    return {
      body: { allocations, resource_provider_generation: generation },
      lastModified: modifiedOf(views, { ledger }),
    };
  });
}

/** All consumers get what is asked, or none. */
async function settle(
  service: Service,
  request: Request,
  consumers: readonly ConsumerClaim[],
  forConsumer: string,
  raises: 'claimed' | 'none' = 'claimed',
): Promise<Reply> {
  const action = consumers.every(({ allocations }) => allocations.length === 0) ? 'release' : 'claim';
  const outcome = await claim(service.ledger, authorOf(request), {
    consumers,
    stepMode: service.stepMode,
    action,
    raises,
  });
  if (outcome.kind === 'done') return { status: 204 };
  if (outcome.kind === 'conflict') throw claimConflict(outcome.conflict);
  throw await service.ledger.store.read((session) => refusalAnswer(session, outcome.refusals, forConsumer));
}

async function putOne(service: Service, request: Request): Promise<Reply> {
  const consumer = request.path.consumer_uuid!;
  if (!isUuidLike(consumer)) throw new ApiError(400, `Malformed consumer_uuid: ${consumer}`);
  const body = readJson<ConsumerBody>(request.body, putAllocations(request.minor));
  const uuid = uuidKey(consumer);
  return settle(
    service,
    request,
    [claimOf(uuid, body, request.minor, service.ledger.now())],
    ` for consumer ${uuid}`,
  );
}

async function postMany(service: Service, request: Request): Promise<Reply> {
  const bodies = readJson<Record<string, ConsumerBody>>(request.body, postAllocations(request.minor));
  const claims = Object.entries(bodies).map(([consumer, body]) =>
    claimOf(uuidKey(consumer), body, request.minor, service.ledger.now()),
  );
  if (new Set(claims.map(({ consumer }) => consumer)).size < claims.length)
    throw new ApiError(400, 'JSON does not validate: one consumer is named twice, in different spellings');
  return settle(service, request, claims, '');
}

const nothingOf = (consumer: string): ApiError =>
  new ApiError(404, `No allocations for consumer '${consumer}'`);

async function remove(service: Service, request: Request): Promise<Reply> {
  const consumer = uuidKey(request.path.consumer_uuid!);
  const views = await service.ledger.store.read((session) => allocationsOfConsumer(session, consumer));
  if (views.length === 0) throw nothingOf(consumer);
  return settle(service, request, [{ consumer, allocations: [] }], '', 'none');
}

const EXPIRED = { code: 'hplaced.allocations_expired' };

/** Confirms what a consumer has, or gives it a new end. Answers what is stored then. */
async function setEnds(service: Service, request: Request, what: 'confirm' | 'renew'): Promise<Reply> {
  const { ledger } = service;
  const consumer = uuidKey(request.path.consumer_uuid!);
  const author = authorOf(request);
  const outcome =
    what === 'confirm'
      ? await confirmClaims(ledger, author, [consumer])
      : await renewClaims(
          ledger,
          author,
          [consumer],
          endAfter(ledger.now(), readJson<{ lasts_seconds: number }>(request.body, POST_RENEW).lasts_seconds),
        );
  if (outcome.kind === 'done') return ofConsumer(service, request);
  if (outcome.kind === 'conflict') throw claimConflict(outcome.conflict);
  if (outcome.refusals[0]!.kind === 'unknown-consumer') throw nothingOf(consumer);
  throw new ApiError(
    409,
    `Unable to ${what} allocations: what consumer '${consumer}' has should have gone back already`,
    EXPIRED,
  );
}

export const ALLOCATION_ROUTES: Routes = {
  'POST /allocations': {
    id: 'setManyAllocations',
    summary: 'Replace what several consumers have, all or nothing',
    since: 13,
    bodySchema: postAllocations,
    success: 204,
    handle: postMany,
  },
  'GET /allocations/{consumer_uuid}': {
    id: 'showAllocations',
    summary: 'What a consumer has',
    handle: ofConsumer,
  },
  'PUT /allocations/{consumer_uuid}': {
    id: 'setAllocations',
    summary: 'Replace what a consumer has',
    bodySchema: putAllocations,
    success: 204,
    handle: putOne,
  },
  'DELETE /allocations/{consumer_uuid}': {
    id: 'removeAllocations',
    summary: 'Give back what a consumer has',
    handle: remove,
  },
  'POST /allocations/{consumer_uuid}/confirm': {
    id: 'confirmAllocations',
    summary: 'What a consumer has stays for good',
    since: ENDS_SINCE,
    givesJson: true,
    handle: (service, request) => setEnds(service, request, 'confirm'),
  },
  'POST /allocations/{consumer_uuid}/renew': {
    id: 'renewAllocations',
    summary: 'What of a consumer would go back has a new end',
    since: ENDS_SINCE,
    givesJson: true,
    bodySchema: POST_RENEW,
    handle: (service, request) => setEnds(service, request, 'renew'),
  },
  'GET /resource_providers/{uuid}/allocations': {
    id: 'listProviderAllocations',
    summary: 'What is allocated on a provider',
    handle: ofProvider,
  },
};
