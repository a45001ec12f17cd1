/** What the commands have in common that change one provider. */
import type { ProviderOutcome } from '../../../claims/changes/provider-write.ts';
import { change } from '../../../claims/claim/ledger.ts';
import type { ChangeContext } from '../../../claims/tables/history.ts';
import type { ProviderRow } from '../../../claims/tables/providers.ts';
import type { Session } from '../../../store/store.ts';
import { reported } from '../../shared/document/ending.ts';
import { authorOf, type Options, requireProvider, withLedger } from './context.ts';

export type Edit<Value> = (
  session: Session,
  context: ChangeContext,
  provider: ProviderRow,
) => Promise<ProviderOutcome<Value>>;

/**
 * Changes the provider that the user names.
 * @param text what was done, for a provider of that name; the new generation is put behind it.
 */
export const editNamed = <Value extends object>(
  options: Options,
  nameOrUuid: string,
  edit: Edit<Value>,
  text: (name: string, value: Value) => string,
) =>
  withLedger(options, async (ledger) => {
    const { uuid, name } = await ledger.store.read((session) => requireProvider(session, nameOrUuid));
    const outcome = await change(ledger, authorOf(options), async (session, context) =>
      edit(session, context, await requireProvider(session, uuid)),
    );
    return reported(outcome, (value) => ({
      text: `${text(name, value)} (generation ${value.generation}).\n`,
      facts: { provider: uuid, ...value },
    }));
  });
