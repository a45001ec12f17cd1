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

/** Those that stay when some leave. @throws {UsageError} with all that are not there */
function staying(present: readonly string[], leaving: readonly string[], lacks: string): readonly string[] {
  const missing = leaving.filter((one) => !present.includes(one)).join(', ');
  if (missing !== '') throw badArgument(`the provider ${lacks} ${missing}`, 'look at: hclaim provider list');
  return present.filter((one) => !leaving.includes(one));
}

export const addTraits: Command<'trait add'> = (options, words) =>
  label(options, 'Added trait', words, async (traits, session, context, { id, uuid }) => {
    for (const name of traits) if (isCustomName(name)) await addName(session, context, 'traits', name);
    const present = await traitsOf(session, id);
    return setTraits(session, context, { provider: uuid }, [...present, ...traits]);
  });

export const removeTraits: Command<'trait rm'> = (options, words) =>
  label(options, 'Removed trait', words, async (traits, session, context, { id, uuid }) => {
    const left = staying(await traitsOf(session, id), traits, 'does not have the trait');
    return setTraits(session, context, { provider: uuid }, left);
  });

/** UUIDs of aggregates that are named by UUID or name. @throws {UsageError} with all that are none */
async function aggregateUuids(session: Session, words: readonly string[]): Promise<readonly string[]> {
  const select = 'SELECT uuid FROM aggregates WHERE name = ? OR uuid = ? ORDER BY uuid';
  const found = await Promise.all(
    words.map((word) => session.all<{ uuid: string }>(select, [word, word.toLowerCase()])),
  );
  const unclear = words.filter((_, at) => found[at]!.length > 1).join("', '");
  if (unclear !== '') throw badArgument(`several aggregates are called '${unclear}'`, 'name them by UUIDs');
  const unknown = words.filter((word, at) => found[at]!.length === 0 && !isUuid(word)).join("', '");
  if (unknown !== '')
    throw badArgument(
      `'${unknown}' is no UUID, and no aggregate has that name`,
      'look at: hclaim provider list',
    );
  return words.map((word, at) => found[at]![0]?.uuid ?? canonicalUuid(word));
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
    const [present, leaving] = [await memberships(session, id), await aggregateUuids(session, names)];
    const aggregates = staying(present, leaving, 'is not in the aggregate');
    return setAggregates(session, context, { provider: uuid }, { aggregates });
  });
