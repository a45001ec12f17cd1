/** `hclaim provider add`, `set`, `rm` and `list`. */
import { randomUUID } from 'node:crypto';
import { allSaid } from '../../../../kit/cli/all-said.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import { setTraits } from '../../../claims/changes/label-changes.ts';
import { changeProvider, createProvider, removeProvider } from '../../../claims/changes/provider-changes.ts';
import { change } from '../../../claims/claim/ledger.ts';
import { readImage } from '../../../claims/cluster/read-image.ts';
import {
  canonicalUuid,
  isProviderName,
  isUuid,
  MAX_PROVIDER_NAME_LENGTH,
  SHARING_TRAIT,
} from '../../../claims/model/names.ts';
import type { Session } from '../../../store/store.ts';
import { badArgument, refuse } from '../../shared/access/ledger-url.ts';
import { reported } from '../../shared/document/ending.ts';
import { authorOf, type Command, type Edit, editNamed, requireProvider, withLedger } from '../kit/context.ts';

const ROOT = 'none';

function checkName(name: string): void {
  if (!isProviderName(name))
    throw badArgument(
      `'${name}' is not a name for a provider`,
      `give 1 to ${MAX_PROVIDER_NAME_LENGTH} printable characters`,
    );
}

const parentOf = async (session: Session, above: string): Promise<string | null> =>
  above === ROOT ? null : (await requireProvider(session, above)).uuid;

export const add: Command<'provider add'> = (options, [name = '']) => {
  const { parent: above = ROOT, pool } = options;
  const { uuid: stated = randomUUID() } = options;
  const [author] = allSaid(
    () => authorOf(options),
    () => checkName(name),
    refuse(!isUuid(stated), `--uuid: '${stated}' is no UUID`, 'leave it out: one is made'),
  );
  const uuid = canonicalUuid(stated);
  return withLedger(options, async (ledger) => {
    const outcome = await change(ledger, author, async (session, context) => {
      const parent = await parentOf(session, above);
      const made = await createProvider(session, context, { uuid, name, parent, canHost: !pool });
      if (made.kind !== 'done' || !pool) return made;
      return setTraits(session, context, { provider: uuid }, [SHARING_TRAIT]);
    });
    return reported(outcome, () => ({ text: `Added ${name} (${uuid}).\n`, facts: { provider: uuid, name } }));
  });
};

export const set: Command<'provider set'> = (options, [nameOrUuid = '']) => {
  const { rename, parent: above } = options;
  if (rename === undefined && above === undefined)
    throw badArgument('hclaim provider set: nothing is to be set', 'say --name NAME or --parent PROVIDER');
  if (rename !== undefined) checkName(rename);
  const edit: Edit<object> = async (session, context, { uuid }) => {
    const parent = above === undefined ? undefined : await parentOf(session, above);
    return changeProvider(session, context, { provider: uuid }, { name: rename, parent });
  };
  return editNamed(options, nameOrUuid, edit, () => `Changed ${rename ?? nameOrUuid}`);
};

export const remove: Command<'provider rm'> = (options, [nameOrUuid = '']) =>
  withLedger(options, async (ledger) => {
    const { uuid, name } = await ledger.store.read((session) => requireProvider(session, nameOrUuid));
    const outcome = await change(ledger, authorOf(options), (session, context) =>
      removeProvider(session, context, { provider: uuid }),
    );
    return reported(outcome, () => ({ text: `Removed ${name}.\n`, facts: { provider: uuid, name } }));
  });

const COLUMNS = [
  ...texts('Provider', 'Kind'),
  ...numbers('Generation'),
  ...texts('Traits', 'Groups', 'UUID'),
];

export const list: Command<'provider list'> = (options) =>
  withLedger(options, async (ledger) => {
    const image = await ledger.store.read(readImage);
    const depth = new Map<string, number>();
    const providers = [...image.providers.values()].map((provider) => {
      const level = provider.parent === null ? 0 : depth.get(provider.parent)! + 1;
      depth.set(provider.uuid, level);
      return { ...provider, level, generation: provider.generation! };
    });
    const rows = providers.map(({ name, level, canHost, generation, traits, aggregates, uuid }) => [
      '  '.repeat(level) + name,
      canHost ? 'node' : 'pool',
      String(generation),
      traits.join(',') || '-',
      aggregates.map((one) => one.name ?? one.uuid).join(',') || '-',
      uuid,
    ]);
    const facts = { providers: providers.map(({ inventories, level, ...provider }) => provider) };
    const isNothing = rows.length === 0;
    const text = isNothing ? 'There are no providers.\n' : reportTable('', COLUMNS, rows);
    return { kind: 'done', text, isNothing, facts };
  });
