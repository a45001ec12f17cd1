/** Traits and aggregates of a provider. */
import { setAggregates, setTraits } from '../../../claims/changes/label-changes.ts';
import { canonicalUuid } from '../../../claims/model/names.ts';
import { nameViews } from '../../../claims/tables/names.ts';
import { aggregatesOf, traitsOf } from '../../../claims/tables/providers.ts';
import { badRequest } from '../../../http/api-error.ts';
import type { FormOf, JsonSchema } from '../../../http/json-check.ts';
import type { Reply } from '../../../http/route.ts';
import type { Session } from '../../../store/store.ts';
import { INTEGER, list, NAME, record, UUID } from '../protocol/forms.ts';
import { concurrentUpdate, PROVIDER_MOVED_ON } from '../service/faults.ts';
import {
  type Call,
  type CallWith,
  changeBy,
  lookedAt,
  made,
  modifiedOf,
  noProvider,
  noProviderHere,
  operation,
  providerOf,
  type Routes,
  requireProvider,
} from '../service/service.ts';

const PUT_TRAITS = record({ traits: list(NAME), resource_provider_generation: INTEGER }, [
  'traits',
  'resource_provider_generation',
]);
const AGGREGATES: JsonSchema<readonly string[]> = { ...list(UUID), uniqueItems: true };
const PUT_AGGREGATES_19 = record({ aggregates: AGGREGATES, resource_provider_generation: INTEGER }, [
  'aggregates',
  'resource_provider_generation',
]);
const putAggregates = (minor: number) => (minor >= 19 ? PUT_AGGREGATES_19 : AGGREGATES);

const MOVED_ON =
  "Resource provider's generation already changed. Please update the generation and try again.";

async function replyWithTraits(session: Session, call: Call): Promise<Reply> {
  const { id, generation } = await requireProvider(session, call.path.uuid!, noProviderHere(': '));
  const names = await traitsOf(session, id);
  const views = names.length === 0 ? [] : await nameViews(session, 'traits', { names });
  return {
    body: { traits: names, resource_provider_generation: generation },
    lastModified: modifiedOf(views, call),
  };
}

async function putTraits(call: CallWith<typeof PUT_TRAITS>): Promise<Reply> {
  const { traits, resource_provider_generation: generation } = call.json();
  const { uuid } = await providerOf(call);
  const change = lookedAt(setTraits, (session) => replyWithTraits(session, call));
  return made(changeBy(call, change, { provider: uuid, generation }, traits, 'keeps'), {
    conflict: () => concurrentUpdate(MOVED_ON),
    refused: (refusals) => {
      const unknown = refusals.flatMap((one) => (one.kind === 'unknown-trait' ? [one.trait] : []));
      // Otherwise the provider vanished meanwhile.
      return unknown.length > 0
        ? badRequest(`No such trait ${unknown.join(', ')}`)
        : concurrentUpdate(MOVED_ON);
    },
  });
}

async function dropTraits(call: Call): Promise<Reply> {
  const { uuid } = await providerOf(call);
  const outcome = await changeBy(call, setTraits, { provider: uuid }, [], 'keeps');
  if (outcome.kind === 'conflict') throw concurrentUpdate(PROVIDER_MOVED_ON);
  // Refused is only a provider that vanished meanwhile: it has no traits left, and Placement says 204 too.
  return { status: 204 };
}

/** @param given what was just set, shown in the order in which it came */
async function replyWithAggregates(
  session: Session,
  { path, minor, ledger }: Call,
  given?: readonly string[],
): Promise<Reply> {
  const { id, generation } = await requireProvider(session, path.uuid!);
  const aggregates = given ?? (await aggregatesOf(session, id)).map(({ uuid }) => uuid);
  return {
    body: minor >= 19 ? { aggregates, resource_provider_generation: generation } : { aggregates },
    // Nobody records when a provider joined an aggregate.
    lastModified: ledger.now(),
  };
}

/** Up to 1.18 a body is a list, and says nothing of the generation, which stays. */
const asked = (body: FormOf<typeof putAggregates>) =>
  'aggregates' in body
    ? { given: body.aggregates, seen: body.resource_provider_generation }
    : { given: body, seen: undefined };

async function setAll(call: CallWith<typeof putAggregates>): Promise<Reply> {
  const { uuid, generation } = await providerOf(call);
  const { given, seen } = asked(call.json());
  if (seen !== undefined && seen !== generation) throw concurrentUpdate(MOVED_ON);
  const aggregates = given.map(canonicalUuid);
  const target = { provider: uuid, generation: seen };
  const change = lookedAt(setAggregates, (session) => replyWithAggregates(session, call, aggregates));
  return made(changeBy(call, change, target, { aggregates, keepsGeneration: seen === undefined }), {
    conflict: 'Update conflict',
    refused: () => noProvider(uuid),
  });
}

export const LABEL_ROUTES: Routes = {
  '/resource_providers/{uuid}/traits': {
    since: 6,
    GET: operation('listProviderTraits', 'Traits of a provider', (call) =>
      call.read((session) => replyWithTraits(session, call)),
    ),
    PUT: operation('setProviderTraits', 'Set all traits of a provider', putTraits, {
      bodySchema: PUT_TRAITS,
    }),
    DELETE: operation('removeProviderTraits', 'Take all traits from a provider', dropTraits),
  },
  '/resource_providers/{uuid}/aggregates': {
    since: 1,
    GET: operation('listProviderAggregates', 'Aggregates of a provider', (call) =>
      call.read((session) => replyWithAggregates(session, call)),
    ),
    PUT: operation('setProviderAggregates', 'Set all aggregates of a provider', setAll, {
      bodySchema: putAggregates,
    }),
  },
};
