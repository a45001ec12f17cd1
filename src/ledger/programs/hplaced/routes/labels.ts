/** Traits and aggregates of a provider. */
import { canonicalUuid } from '../../../candidates/request/values.ts';
import { setAggregates, setTraits } from '../../../claims/changes/label-changes.ts';
import { change } from '../../../claims/claim/ledger.ts';
import { traitViews } from '../../../claims/placement/name-views.ts';
import { aggregatesOf, traitsOf } from '../../../claims/tables/labels.ts';
import { ApiError } from '../../../http/api-error.ts';
import { readJson } from '../../../http/json-check.ts';
import type { Reply, Request } from '../../../http/route.ts';
import { concurrentUpdate } from '../protocol/placement.ts';
import { PUT_TRAITS, putAggregates } from '../schemas/providers.ts';
import {
  authorOf,
  conflictAnswer,
  modifiedOf,
  providerOf,
  type Routes,
  requireProvider,
  type Service,
} from '../service/service.ts';

const MOVED_ON =
  "Resource provider's generation already changed. Please update the generation and try again.";

async function showTraits({ ledger }: Service, request: Request): Promise<Reply> {
  return ledger.store.read(async (session) => {
    const { id, generation } = await requireProvider(session, request.path.uuid!);
    const names = (await traitsOf(session, [id])).get(id) ?? [];
    const views = names.length === 0 ? [] : await traitViews(session, { names });
    return {
      body: { traits: names, resource_provider_generation: generation },
      lastModified: modifiedOf(views, { ledger }),
    };
  });
}

interface TraitsBody {
  readonly traits: readonly string[];
  readonly resource_provider_generation: number;
}

async function putTraits(service: Service, request: Request): Promise<Reply> {
  const { ledger } = service;
  const data = readJson<TraitsBody>(request.body, PUT_TRAITS);
  const { uuid } = await providerOf(service, request);
  const target = { provider: uuid, generation: data.resource_provider_generation };
  const outcome = await change(ledger, authorOf(request), (session, context) =>
    setTraits(session, context, target, data.traits),
  );
  if (outcome.kind === 'conflict') throw conflictAnswer(outcome.conflict, MOVED_ON);
  if (outcome.kind === 'refused') {
    const unknown = outcome.refusals.flatMap((refusal) =>
      refusal.kind === 'unknown-trait' ? [refusal.trait] : [],
    );
    throw new ApiError(400, `No such trait ${unknown.join(', ')}`);
  }
  return showTraits(service, request);
}

async function dropTraits(service: Service, request: Request): Promise<Reply> {
  const { uuid } = await providerOf(service, request);
  const outcome = await change(service.ledger, authorOf(request), (session, context) =>
    setTraits(session, context, { provider: uuid }, []),
  );
  if (outcome.kind === 'conflict') throw conflictAnswer(outcome.conflict, 'update conflict');
  return { status: 204 };
}

/** @param given what was just set, shown in the order in which it came */
async function showAggregates(
  { ledger }: Service,
  request: Request,
  given?: readonly string[],
): Promise<Reply> {
  return ledger.store.read(async (session) => {
    const { id, generation } = await requireProvider(session, request.path.uuid!);
    const aggregates = given ?? ((await aggregatesOf(session, [id])).get(id) ?? []).map(({ uuid }) => uuid);
    return {
      body: request.minor >= 19 ? { aggregates, resource_provider_generation: generation } : { aggregates },
      // Nobody records when a provider joined an aggregate.
      lastModified: ledger.now(),
    };
  });
}

interface AggregatesBody {
  readonly aggregates: readonly string[];
  readonly resource_provider_generation: number;
}

async function putAll(service: Service, request: Request): Promise<Reply> {
  const { ledger } = service;
  const { uuid, generation } = await providerOf(service, request);
  const data = readJson<AggregatesBody | readonly string[]>(request.body, putAggregates(request.minor));
  const isPlain = request.minor < 19;
  const aggregates = isPlain ? (data as readonly string[]) : (data as AggregatesBody).aggregates;
  const seen = isPlain ? undefined : (data as AggregatesBody).resource_provider_generation;
  if (seen !== undefined && seen !== generation) throw concurrentUpdate(MOVED_ON);
  const outcome = await change(ledger, authorOf(request), (session, context) =>
    setAggregates(
      session,
      context,
      { provider: uuid, generation: seen },
      { aggregates: aggregates.map(canonicalUuid), keepsGeneration: isPlain },
    ),
  );
  if (outcome.kind === 'conflict') throw conflictAnswer(outcome.conflict, MOVED_ON);
  return showAggregates(service, request, aggregates.map(canonicalUuid));
}

export const LABEL_ROUTES: Routes = {
  'GET /resource_providers/{uuid}/traits': {
    id: 'listProviderTraits',
    summary: 'Traits of a provider',
    since: 6,
    handle: showTraits,
  },
  'PUT /resource_providers/{uuid}/traits': {
    id: 'setProviderTraits',
    summary: 'Set all traits of a provider',
    since: 6,
    bodySchema: PUT_TRAITS,
    handle: putTraits,
  },
  'DELETE /resource_providers/{uuid}/traits': {
    id: 'removeProviderTraits',
    summary: 'Take all traits from a provider',
    since: 6,
    handle: dropTraits,
  },
  'GET /resource_providers/{uuid}/aggregates': {
    id: 'listProviderAggregates',
    summary: 'Aggregates of a provider',
    since: 1,
    handle: showAggregates,
  },
  'PUT /resource_providers/{uuid}/aggregates': {
    id: 'setProviderAggregates',
    summary: 'Set all aggregates of a provider',
    since: 1,
    bodySchema: putAggregates,
    handle: putAll,
  },
};
