/** What every command of hclaim works with. */
import { ExecutionError } from '../../../../kit/faults.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { ProviderOutcome } from '../../../claims/changes/provider-write.ts';
import { type Author, change, type Ledger, openLedger } from '../../../claims/claim/ledger.ts';
import { busy, type ClaimConflict } from '../../../claims/model/refusal.ts';
import type { ChangeContext } from '../../../claims/tables/history.ts';
import { idsOf } from '../../../claims/tables/names.ts';
import {
  findProvider,
  holdGeneration,
  providerByUuid,
  type StoredProvider,
} from '../../../claims/tables/providers.ts';
import type { ClaimCommand } from '../../../options/claim-commands.ts';
import type { ProgramOptions } from '../../../options/program-table.ts';
import type { hclaim } from '../../../results/hclaim.ts';
import type { Session } from '../../../store/store.ts';
import { checkHolders, ledgerUrl, thisUser } from '../../shared/access/ledger-url.ts';
import { openCurrentLedger, SURROUNDINGS } from '../../shared/access/open-current-ledger.ts';
import { closing, type Ending, type FactsOf, reported } from '../../shared/document/ending.ts';
import type { AnyRefusal } from '../text/words.ts';

export type Options = ProgramOptions<'hclaim'>;

type Document = DocumentOf<typeof hclaim>;

/** How a command ended; undefined where it has said so itself. */
export type Ended<C extends ClaimCommand> = Promise<
  Ending<FactsOf<Document, C>, AnyRefusal, ClaimConflict> | undefined
>;

export type Command<C extends ClaimCommand> = (options: Options, words: readonly string[]) => Ended<C>;

/** More warnings about a cluster are summed up: nobody reads one for each of 10,000 nodes. */
export const MOST_WARNINGS = 10;

export function authorOf({ actor, reason }: Options): Author {
  checkHolders({ '--actor': actor });
  return { actor: actor ?? thisUser(), reason };
}

/** Works with the ledger, which has given back what has expired. */
export const withLedger = async <T>(options: Options, work: (ledger: Ledger) => Promise<T>): Promise<T> =>
  closing(await openCurrentLedger(ledgerUrl(options)), work);

/** Works with the ledger with what has expired still in it. */
export const withWhole = async <T>(options: Options, work: (ledger: Ledger) => Promise<T>): Promise<T> =>
  closing(await openLedger(ledgerUrl(options), SURROUNDINGS), work);

/** In the order of their names. @throws {ExecutionError} with all of these that are no provider's. */
export async function requireProviders(
  session: Session,
  namesOrUuids: readonly string[],
): Promise<readonly StoredProvider[]> {
  const found = await Promise.all(namesOrUuids.map((name) => findProvider(session, name)));
  const missing = new Set(namesOrUuids.filter((_, at) => found[at] === undefined));
  if (missing.size === 0) return found as readonly StoredProvider[];
  throw new ExecutionError(
    `there is no provider '${[...missing].join("', '")}'`,
    'look at: hclaim provider list',
  );
}

/** @throws {ExecutionError} when there is no such provider. */
export const requireProvider = async (session: Session, nameOrUuid: string): Promise<StoredProvider> =>
  (await requireProviders(session, [nameOrUuid]))[0]!;

/** @throws {ExecutionError} when a class is named that there is not. */
export async function requireClass(session: Session, name: string | undefined): Promise<void> {
  if (name !== undefined && (await idsOf(session, 'resource_classes', [name])).size === 0)
    throw new ExecutionError(`there is no class '${name}'`, 'look at: hclaim usage');
}

export type Edit<Value> = (
  session: Session,
  context: ChangeContext,
  provider: StoredProvider,
) => Promise<ProviderOutcome<Value>>;

/** Changes the provider that the user names. @param text what was done; the generation is put behind it. */
export const editNamed = <Value extends object>(
  options: Options,
  nameOrUuid: string,
  edit: Edit<Value>,
  text: (name: string, value: Value) => string,
) =>
  withLedger(options, async (ledger) => {
    const { uuid, name } = await ledger.store.read((session) => requireProvider(session, nameOrUuid));
    const outcome = await change(ledger, authorOf(options), async (session, context) => {
      // Not by any name: another provider may be called as this one's UUID.
      const provider = await providerByUuid(session, uuid);
      // What `edit` reads of it before it changes it stays so.
      if (!provider || !(await holdGeneration(session, provider.id, provider.generation)))
        return busy(`provider ${name} changed meanwhile`);
      return edit(session, context, provider);
    });
    return reported(outcome, (value) => ({
      text: `${text(name, value)} (generation ${value.generation}).\n`,
      facts: { provider: uuid, ...value },
    }));
  });
