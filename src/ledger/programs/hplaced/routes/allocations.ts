/** /allocations: what consumers have. */
import { groupedBy } from '../../../../kit/grouped.ts';
import { claim } from '../../../claims/claim/claim.ts';
import type { ConsumerClaim } from '../../../claims/claim/claim-request.ts';
import { setEnds } from '../../../claims/claim/renewal.ts';
import { isUuid, keptName, UNKNOWN_OWNER } from '../../../claims/model/names.ts';
import {
  type AllocationView,
  allocationsOfConsumer,
  allocationsOfProvider,
  type EndView,
  endViews,
} from '../../../claims/tables/allocations.ts';
import { ApiError, badRequest } from '../../../http/api-error.ts';
import { type Reply, TakesLonger } from '../../../http/route.ts';
import type { Session } from '../../../store/store.ts';
import { record } from '../protocol/forms.ts';
import {
  authorOf,
  type Call,
  type CallWith,
  changeBy,
  lookedAt,
  made,
  modifiedOf,
  noProvider,
  operation,
  type Routes,
  requireProvider,
} from '../service/service.ts';
import {
  CLAIM_CONFLICT,
  claimOf,
  claimsOf,
  consumersForm,
  ENDS_SINCE,
  endAfter,
  putAllocations,
  refusalAnswer,
  SECONDS,
} from './allocation-body.ts';

const postAllocations = (minor: number) => consumersForm(minor, 1);
const POST_RENEW = record({ lasts_seconds: SECONDS }, ['lasts_seconds']);

const consumerOf = ({ path }: Call): string => keptName(path.consumer_uuid!);

type Resources = Readonly<Record<string, number>>;

const endsBody = (ends: readonly EndView[]): readonly object[] =>
  [...groupedBy(ends, ({ at }) => at)].map(([at, same]): object => {
    const resources = Object.fromEntries(same.map((end) => [end.class, end.amount]));
    return { at: new Date(at).toISOString(), resources };
  });

/** Entries by provider or consumer, as `describe` makes them; from 1.41 on with ends. */
function byKey(
  key: 'provider' | 'consumer',
  views: readonly AllocationView[],
  ends: readonly EndView[],
  minor: number,
  describe: (view: AllocationView, resources: Resources) => object,
): object {
  const endsOf = groupedBy(ends, (end) => end[key]);
  const bodies = [...groupedBy(views, (view) => view[key])].map(([name, same]) => {
    const resources = Object.fromEntries(same.map((view) => [view.class, view.used]));
    const own = minor < ENDS_SINCE ? {} : { ends: endsBody(endsOf.get(name) ?? []) };
    return [name, { ...describe(same[0]!, resources), ...own }];
  });
  return Object.fromEntries(bodies);
}

async function ofConsumer(session: Session, call: Call): Promise<Reply> {
  const { minor } = call;
  const consumer = consumerOf(call);
  const [views, ends] = await Promise.all([
    allocationsOfConsumer(session, consumer),
    minor < ENDS_SINCE ? [] : endViews(session, { consumer }),
  ]);
  const [first] = views;
  return {
    body: {
      allocations: byKey('provider', views, ends, minor, ({ providerGeneration }, resources) => ({
        generation: providerGeneration,
        resources,
      })),
      ...(first && minor >= 12
        ? { project_id: first.project ?? UNKNOWN_OWNER, user_id: first.user ?? UNKNOWN_OWNER }
        : {}),
      ...(first && minor >= 28 ? { consumer_generation: first.consumerGeneration } : {}),
      ...(first && minor >= 38 ? { consumer_type: first.type ?? 'unknown' } : {}),
    },
    lastModified: modifiedOf(views, call),
  };
}

/** Of more, others would have to wait. */
const QUICK_ROWS = 3000;

const noneToAllocate = (uuid: string): ApiError =>
  new ApiError(404, `Resource provider '${uuid}' not found: ${noProvider(uuid).message}`);

const ofProvider = (call: Call): Promise<Reply> =>
  call.read(async (session) => {
    const { minor, isQuick } = call;
    const { id, generation } = await requireProvider(session, call.path.uuid!, noneToAllocate);
    const views = await allocationsOfProvider(session, id, isQuick ? QUICK_ROWS : undefined);
    if (isQuick && views.length === QUICK_ROWS) throw new TakesLonger();
    const ends = minor < ENDS_SINCE ? [] : await endViews(session, { providerId: id });
    const allocations = byKey('consumer', views, ends, minor, ({ consumerGeneration }, resources) => ({
      resources,
      ...(minor >= 28 ? { consumer_generation: consumerGeneration } : {}),
    }));
    return {
      body: { allocations, resource_provider_generation: generation },
      lastModified: modifiedOf(views, call),
    };
  });

/** All consumers get what is asked, or none. @param forConsumer how refusals say for whom */
async function settle(
  call: Call,
  consumers: readonly ConsumerClaim[],
  forConsumer = '',
  raises: 'claimed' | 'none' = 'claimed',
): Promise<Reply> {
  const { ledger, read, stepMode } = call;
  const action = consumers.every(({ allocations }) => allocations.length === 0) ? 'release' : 'claim';
  await made(claim(ledger, authorOf(call), { consumers, stepMode, action, raises }), {
    conflict: CLAIM_CONFLICT,
    refused: (refusals) =>
      read((session) => refusalAnswer(session, refusals, `Unable to allocate inventory${forConsumer}`)),
  });
  return { status: 204 };
}

async function putOne(call: CallWith<typeof putAllocations>): Promise<Reply> {
  const consumer = call.path.consumer_uuid!;
  if (!isUuid(consumer)) throw badRequest(`Malformed consumer_uuid: ${consumer}`);
  const uuid = keptName(consumer);
  return settle(call, [claimOf(uuid, call.json(), call)], ` for consumer ${uuid}:`);
}

const postMany = async (call: CallWith<typeof postAllocations>): Promise<Reply> =>
  settle(call, claimsOf(call.json(), call));

const nothingOf = (consumer: string): ApiError =>
  new ApiError(404, `No allocations for consumer '${consumer}'`);

async function remove(call: Call): Promise<Reply> {
  const consumer = consumerOf(call);
  const views = await call.read((session) => allocationsOfConsumer(session, consumer));
  if (views.length === 0) throw nothingOf(consumer);
  return settle(call, [{ consumer, allocations: [] }], '', 'none');
}

const EXPIRED = { code: 'hplaced.allocations_expired' };

/** Answers what is stored once the ends of what a consumer has are other ones. */
function renewed(call: Call, until: number | null): Promise<Reply> {
  const consumer = consumerOf(call);
  const change = lookedAt(setEnds, (session) => ofConsumer(session, call));
  return made(changeBy(call, change, [consumer], until), {
    conflict: CLAIM_CONFLICT,
    refused: ([first]) =>
      first!.kind === 'unknown-consumer'
        ? nothingOf(consumer)
        : new ApiError(
            409,
            `Unable to ${until === null ? 'confirm' : 'renew'} allocations: what consumer '${consumer}' has should have gone back already`,
            EXPIRED,
          ),
  });
}

const confirm = (call: Call): Promise<Reply> => renewed(call, null);

const renew = async (call: CallWith<typeof POST_RENEW>): Promise<Reply> =>
  renewed(call, endAfter(call.ledger.now(), call.json().lasts_seconds));

export const ALLOCATION_ROUTES: Routes = {
  '/allocations': {
    since: 13,
    POST: operation('setManyAllocations', 'Replace what several consumers have, all or nothing', postMany, {
      bodySchema: postAllocations,
      success: 204,
    }),
  },
  '/allocations/{consumer_uuid}': {
    GET: operation('showAllocations', 'What a consumer has', (call) =>
      call.read((session) => ofConsumer(session, call)),
    ),
    PUT: operation('setAllocations', 'Replace what a consumer has', putOne, {
      bodySchema: putAllocations,
      success: 204,
    }),
    DELETE: operation('removeAllocations', 'Give back what a consumer has', remove),
  },
  '/allocations/{consumer_uuid}/confirm': {
    since: ENDS_SINCE,
    POST: operation('confirmAllocations', 'What a consumer has stays for good', confirm, { givesJson: true }),
  },
  '/allocations/{consumer_uuid}/renew': {
    since: ENDS_SINCE,
    POST: operation('renewAllocations', 'What of a consumer would go back has a new end', renew, {
      givesJson: true,
      bodySchema: POST_RENEW,
    }),
  },
  '/resource_providers/{uuid}/allocations': {
    GET: operation('listProviderAllocations', 'What is allocated on a provider', ofProvider),
  },
};
