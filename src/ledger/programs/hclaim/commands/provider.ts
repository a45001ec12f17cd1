/** `hclaim provider add`, `set`, `rm` and `list`. */
import { randomUUID } from 'node:crypto';
import { textTable } from '../../../../kit/report/text-table.ts';
import { setTraits } from '../../../claims/changes/label-changes.ts';
import { changeProvider, createProvider, removeProvider } from '../../../claims/changes/provider-changes.ts';
import { change } from '../../../claims/claim/ledger.ts';
import { SHARING_TRAIT } from '../../../claims/cluster/from-snapshot.ts';
import { readImage } from '../../../claims/cluster/read-image.ts';
import { isProviderName, isUuid, MAX_PROVIDER_NAME_LENGTH } from '../../../claims/model/names.ts';
import { allProviders } from '../../../claims/tables/providers.ts';
import { authorOf, badArgument, type Command, requireProvider, say, withLedger } from '../kit/context.ts';

const ROOT = 'none';

function checkName(name: string): void {
  if (!isProviderName(name))
    throw badArgument(
      `'${name}' is not a name for a provider`,
      `give 1 to ${MAX_PROVIDER_NAME_LENGTH} printable characters`,
    );
}

export const add: Command = (options, [name = '']) => {
  checkName(name);
  const { uuid = randomUUID(), parent: above, pool } = options;
  if (!isUuid(uuid)) throw badArgument(`--uuid: '${uuid}' is no UUID`, 'leave it out: one is made');
  return withLedger(options, async (ledger) => {
    const parent =
      above === undefined || above === ROOT
        ? null
        : await ledger.store.read(async (session) => (await requireProvider(session, above)).uuid);
    const outcome = await change(ledger, authorOf(options), async (session, context) => {
      const made = await createProvider(session, context, {
        uuid: uuid.toLowerCase(),
        name,
        parent,
        canHost: !pool,
      });
      if (made.kind !== 'done' || !pool) return made;
      return setTraits(session, context, { provider: uuid.toLowerCase() }, [SHARING_TRAIT]);
    });
    if (outcome.kind !== 'done') return say('provider add', options, outcome);
    const facts = { provider: uuid, name };
    return say('provider add', options, { kind: 'done', text: `Added ${name} (${uuid}).\n`, facts });
  });
};

export const set: Command = (options, [nameOrUuid = '']) => {
  const { rename, parent: above } = options;
  if (rename === undefined && above === undefined)
    throw badArgument('hclaim provider set: nothing is to be set', 'say --name NAME or --parent PROVIDER');
  if (rename !== undefined) checkName(rename);
  return withLedger(options, async (ledger) => {
    const { uuid, parent } = await ledger.store.read(async (session) => ({
      uuid: (await requireProvider(session, nameOrUuid)).uuid,
      parent:
        above === undefined
          ? undefined
          : above === ROOT
            ? null
            : (await requireProvider(session, above)).uuid,
    }));
    const outcome = await change(ledger, authorOf(options), (session, context) =>
      changeProvider(session, context, { provider: uuid }, { name: rename, parent }),
    );
    if (outcome.kind !== 'done') return say('provider set', options, outcome);
    const { generation } = outcome.value;
    const text = `Changed ${rename ?? nameOrUuid} (generation ${generation}).\n`;
    return say('provider set', options, { kind: 'done', text, facts: { provider: uuid, generation } });
  });
};

export const remove: Command = (options, [nameOrUuid = '']) =>
  withLedger(options, async (ledger) => {
    const { uuid, name } = await ledger.store.read((session) => requireProvider(session, nameOrUuid));
    const outcome = await change(ledger, authorOf(options), (session, context) =>
      removeProvider(session, context, { provider: uuid }),
    );
    if (outcome.kind !== 'done') return say('provider rm', options, outcome);
    return say('provider rm', options, {
      kind: 'done',
      text: `Removed ${name}.\n`,
      facts: { provider: uuid, name },
    });
  });

const COLUMNS = ['Provider', 'Kind', 'Generation', 'Traits', 'Groups', 'UUID'].map((heading) => ({
  heading,
  isNumeric: heading === 'Generation',
}));

export const list: Command = (options) =>
  withLedger(options, async (ledger) => {
    const { image, generations } = await ledger.store.read(async (session) => ({
      image: await readImage(session),
      generations: new Map((await allProviders(session)).map(({ uuid, generation }) => [uuid, generation])),
    }));
    const depth = new Map<string, number>();
    const providers = [...image.providers.values()].map((provider) => {
      const level = provider.parent === null ? 0 : depth.get(provider.parent)! + 1;
      depth.set(provider.uuid, level);
      return { ...provider, level, generation: generations.get(provider.uuid)! };
    });
    const rows = providers.map(({ name, level, canHost, generation, traits, aggregates, uuid }) => [
      '  '.repeat(level) + name,
      canHost ? 'node' : 'pool',
      String(generation),
      traits.join(',') || '-',
      aggregates.map((one) => one.name ?? one.uuid).join(',') || '-',
      uuid,
    ]);
    const facts = {
      providers: providers.map(({ uuid, name, parent, canHost, generation, traits, aggregates }) => ({
        uuid,
        name,
        parent,
        canHost,
        generation,
        traits,
        aggregates,
      })),
    };
    const text = rows.length === 0 ? 'There are no providers.\n' : textTable('', COLUMNS, rows);
    return say('provider list', options, { kind: 'done', text, facts });
  });
