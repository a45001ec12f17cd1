/** `hclaim trait add` and `rm`, `hclaim aggregate add` and `rm`. */

import { setAggregates, setTraits } from '../../../claims/changes/label-changes.ts';
import { addName } from '../../../claims/changes/name-changes.ts';
import type { ProviderOutcome } from '../../../claims/changes/provider-write.ts';
import { change } from '../../../claims/claim/ledger.ts';
import { isCustomName, isUuid } from '../../../claims/model/names.ts';
import type { ChangeContext } from '../../../claims/tables/history.ts';
import { aggregatesOf, traitsOf } from '../../../claims/tables/labels.ts';
import type { ProviderRow } from '../../../claims/tables/providers.ts';
import type { Session } from '../../../store/store.ts';
import {
  authorOf,
  badArgument,
  type Command,
  type Options,
  requireProvider,
  say,
  withLedger,
} from '../kit/context.ts';

type Write = (
  session: Session,
  context: ChangeContext,
  provider: ProviderRow,
) => Promise<ProviderOutcome<object>>;

/** Changes the labels of a provider and says so. */
function label(
  options: Options,
  command: string,
  [nameOrUuid = '', ...labels]: readonly string[],
  write: Write,
) {
  return withLedger(options, async (ledger) => {
    const found = await ledger.store.read((session) => requireProvider(session, nameOrUuid));
    const outcome = await change(ledger, authorOf(options), async (session, context) =>
      write(session, context, await requireProvider(session, found.uuid)),
    );
    if (outcome.kind !== 'done') return say(command, options, outcome);
    const { generation } = outcome.value;
    const [what, done] = command.split(' ') as [string, string];
    const text = `${done === 'add' ? 'Added' : 'Removed'} ${what} ${labels.join(', ')} of ${found.name} (generation ${generation}).\n`;
    return say(command, options, { kind: 'done', text, facts: { provider: found.uuid, generation } });
  });
}

export const addTraits: Command = (options, words) =>
  label(options, 'trait add', words, async (session, context, { id, uuid }) => {
    const traits = words.slice(1);
    for (const name of traits) if (isCustomName(name)) await addName(session, context, 'traits', name);
    const present = (await traitsOf(session, [id])).get(id) ?? [];
    return setTraits(session, context, { provider: uuid }, [...present, ...traits]);
  });

export const removeTraits: Command = (options, words) =>
  label(options, 'trait rm', words, async (session, context, { id, uuid }) => {
    const present = (await traitsOf(session, [id])).get(id) ?? [];
    const missing = words.slice(1).find((name) => !present.includes(name));
    if (missing !== undefined)
      throw badArgument(`the provider does not have the trait ${missing}`, 'look at: hclaim provider list');
    return setTraits(
      session,
      context,
      { provider: uuid },
      present.filter((name) => !words.includes(name)),
    );
  });

/** UUIDs of aggregates that are named by UUID or name. @throws {UsageError} */
async function aggregateUuids(session: Session, words: readonly string[]): Promise<readonly string[]> {
  const uuids: string[] = [];
  for (const word of words) {
    const rows = await session.all<{ uuid: string }>(
      'SELECT uuid FROM aggregates WHERE name = ? ORDER BY uuid',
      [word],
    );
    if (rows.length > 1)
      throw badArgument(`${rows.length} aggregates are called '${word}'`, 'name one by its UUID');
    if (rows.length === 0 && !isUuid(word))
      throw badArgument(
        `'${word}' is no UUID, and no aggregate has that name`,
        'look at: hclaim provider list',
      );
    uuids.push(rows[0]?.uuid ?? word.toLowerCase());
  }
  return uuids;
}

export const addAggregates: Command = (options, words) =>
  label(options, 'aggregate add', words, async (session, context, { id, uuid }) => {
    const present = (await aggregatesOf(session, [id])).get(id) ?? [];
    const added = await aggregateUuids(session, words.slice(1));
    return setAggregates(
      session,
      context,
      { provider: uuid },
      { aggregates: [...present.map((one) => one.uuid), ...added] },
    );
  });

export const removeAggregates: Command = (options, words) =>
  label(options, 'aggregate rm', words, async (session, context, { id, uuid }) => {
    const present = ((await aggregatesOf(session, [id])).get(id) ?? []).map((one) => one.uuid);
    const leaving = await aggregateUuids(session, words.slice(1));
    const missing = leaving.find((one) => !present.includes(one));
    if (missing !== undefined)
      throw badArgument(`the provider is not in the aggregate ${missing}`, 'look at: hclaim provider list');
    return setAggregates(
      session,
      context,
      { provider: uuid },
      { aggregates: present.filter((one) => !leaving.includes(one)) },
    );
  });
