/** `hclaim trait add` and `rm`, `hclaim aggregate add` and `rm`. */
import { setAggregates, setTraits } from '../../../claims/changes/label-changes.ts';
import { addName } from '../../../claims/changes/name-changes.ts';
import { canonicalUuid, isCustomName, isUuid } from '../../../claims/model/names.ts';
import { aggregatesOf, traitsOf } from '../../../claims/tables/providers.ts';
import type { Session } from '../../../store/store.ts';
import { badArgument } from '../../shared/access/ledger-url.ts';
import { type Command, type Edit, editNamed, type Options } from '../kit/context.ts';

/** Changes the labels of a provider. @param deed what is said of it @param edit gets the labels. */
const label = (
  options: Options,
  deed: string,
  [nameOrUuid = '', ...labels]: readonly string[],
  edit: (labels: readonly string[], ...more: Parameters<Edit<object>>) => ReturnType<Edit<object>>,
) =>
  editNamed(
    options,
    nameOrUuid,
    (...more) => edit(labels, ...more),
    (name) => `${deed} ${labels.join(', ')} of ${name}`,
  );

export const addTraits: Command<'trait add'> = (options, words) =>
  label(options, 'Added trait', words, async (traits, session, context, { id, uuid }) => {
    for (const name of traits) if (isCustomName(name)) await addName(session, context, 'traits', name);
    const present = await traitsOf(session, id);
    return setTraits(session, context, { provider: uuid }, [...present, ...traits]);
  });

export const removeTraits: Command<'trait rm'> = (options, words) =>
  label(options, 'Removed trait', words, async (traits, session, context, { id, uuid }) => {
    const present = await traitsOf(session, id);
    const missing = traits.filter((name) => !present.includes(name)).join(', ');
    if (missing !== '')
      throw badArgument(`the provider does not have the trait ${missing}`, 'look at: hclaim provider list');
    const staying = present.filter((name) => !traits.includes(name));
    return setTraits(session, context, { provider: uuid }, staying);
  });

/** UUIDs of aggregates that are named by UUID or name. @throws {UsageError} */
async function aggregateUuids(session: Session, words: readonly string[]): Promise<readonly string[]> {
  const uuids: string[] = [];
  for (const word of words) {
    const rows = await session.all<{ uuid: string }>(
      'SELECT uuid FROM aggregates WHERE name = ? OR uuid = ? ORDER BY uuid',
      [word, word.toLowerCase()],
    );
    if (rows.length > 1)
      throw badArgument(`${rows.length} aggregates are called '${word}'`, 'name one by its UUID');
    if (rows.length === 0 && !isUuid(word))
      throw badArgument(
        `'${word}' is no UUID, and no aggregate has that name`,
        'look at: hclaim provider list',
      );
    uuids.push(rows[0]?.uuid ?? canonicalUuid(word));
  }
  return uuids;
}

const memberships = async (session: Session, id: number): Promise<readonly string[]> =>
  (await aggregatesOf(session, id)).map(({ uuid }) => uuid);

export const addAggregates: Command<'aggregate add'> = (options, words) =>
  label(options, 'Added aggregate', words, async (names, session, context, { id, uuid }) => {
    const aggregates = [...(await memberships(session, id)), ...(await aggregateUuids(session, names))];
    return setAggregates(session, context, { provider: uuid }, { aggregates });
  });

export const removeAggregates: Command<'aggregate rm'> = (options, words) =>
  label(options, 'Removed aggregate', words, async (names, session, context, { id, uuid }) => {
    const present = await memberships(session, id);
    const leaving = await aggregateUuids(session, names);
    const missing = leaving.filter((one) => !present.includes(one)).join(', ');
    if (missing !== '')
      throw badArgument(`the provider is not in the aggregate ${missing}`, 'look at: hclaim provider list');
    const aggregates = present.filter((one) => !leaving.includes(one));
    return setAggregates(session, context, { provider: uuid }, { aggregates });
  });
