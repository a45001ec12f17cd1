/** What every command of hclaim works with. */
import { randomUUID } from 'node:crypto';
import { EXIT } from '../../../../kit/exit-status.ts';
import { ExecutionError, UsageError } from '../../../../kit/faults.ts';
import { documentHead } from '../../../../kit/report/json.ts';
import { printErr, printOut } from '../../../../kit/report/output.ts';
import type { Author, Ledger, openLedger, Surroundings } from '../../../claims/claim/ledger.ts';
import { isOwnerName, MAX_NAME_LENGTH } from '../../../claims/model/names.ts';
import type { ClaimConflict, Outcome } from '../../../claims/model/refusal.ts';
import { findProvider, type ProviderRow } from '../../../claims/tables/providers.ts';
import type { ProgramOptions } from '../../../options/command-options.ts';
import type { Session } from '../../../store/store.ts';
import { ledgerUrl } from '../../shared/access/ledger-url.ts';
import { openCurrentLedger } from '../../shared/access/open-current-ledger.ts';
import { thisUser } from '../../shared/access/this-user.ts';
import { type AnyDocument, documentText } from '../../shared/document/document-text.ts';
import { type AnyRefusal, conflictText, refusalText } from '../text/refusal-text.ts';

export type Options = ProgramOptions<'hclaim'>;

/** Runs a command with the words behind it. @returns the exit status. */
export type Command = (options: Options, words: readonly string[]) => Promise<number>;

/** More warnings about a cluster are summed up: nobody reads one for each of 10,000 nodes. */
export const MOST_WARNINGS = 10;

export const SURROUNDINGS: Surroundings = { now: () => Date.now(), newRequest: () => randomUUID() };

export function authorOf({ actor, reason }: Options): Author {
  if (actor !== undefined && !isOwnerName(actor))
    throw badArgument(
      `--actor: '${actor}' is not a name`,
      `give 1 to ${MAX_NAME_LENGTH} printable characters`,
    );
  return { actor: actor ?? thisUser(), reason };
}

/**
 * Opens the ledger for `work`, and closes it whatever happens.
 * @param open with what has expired still in it, for who asks for that.
 */
export async function withLedger<T>(
  options: Options,
  work: (ledger: Ledger) => Promise<T>,
  open: typeof openLedger = openCurrentLedger,
): Promise<T> {
  const ledger = await open(ledgerUrl(options), SURROUNDINGS);
  try {
    return await work(ledger);
  } finally {
    await ledger.store.close();
  }
}

/** What a command found or did: `text` for people, `facts` for `--json`. */
interface Report {
  readonly text: string;
  readonly facts: object;
}

type Ending =
  | (Report & { readonly kind: 'done'; readonly status?: number })
  | { readonly kind: 'refused'; readonly refusals: readonly AnyRefusal[]; readonly facts?: object }
  | { readonly kind: 'conflict'; readonly conflict: ClaimConflict; readonly facts?: object };

/** Says how a command ended. @returns the exit status. */
export async function say(command: string, options: Options, ending: Ending): Promise<number> {
  if (options.json) printOut(await documentText(options, documentOf(command, ending)));
  else if (ending.kind === 'done') printOut(ending.text);
  if (ending.kind === 'done') return ending.status ?? 0;
  if (!options.json)
    for (const line of ending.kind === 'refused'
      ? ending.refusals.map(refusalText)
      : [conflictText(ending.conflict)])
      printErr(`${line}\n`);
  return ending.kind === 'refused' ? EXIT.no : EXIT.changed;
}

/** Says what became of a change. @param report a done one in words and facts. @returns the exit status. */
export const sayOutcome = <Value, Refusal extends AnyRefusal>(
  command: string,
  options: Options,
  outcome: Outcome<Value, Refusal>,
  report: (value: Value) => Report,
): Promise<number> =>
  say(command, options, outcome.kind === 'done' ? { kind: 'done', ...report(outcome.value) } : outcome);

/** What a command tells besides is its own; the tests hold each against the schema. */
function documentOf(command: string, ending: Ending): AnyDocument {
  const found =
    ending.kind === 'done'
      ? {}
      : ending.kind === 'refused'
        ? { refusals: ending.refusals }
        : { conflict: ending.conflict };
  const head = { ...documentHead('hclaim'), command, outcome: ending.kind };
  return { ...head, ...found, ...ending.facts } as unknown as AnyDocument;
}

/** A value of the command line that cannot be. */
export const badArgument = (message: string, remedy: string): UsageError =>
  new UsageError(message, EXIT.bad, remedy);

/** @throws {ExecutionError} when there is no such provider. */
export async function requireProvider(session: Session, nameOrUuid: string): Promise<ProviderRow> {
  const provider = await findProvider(session, nameOrUuid);
  if (provider === undefined)
    throw new ExecutionError(`there is no provider '${nameOrUuid}'`, 'look at: hclaim provider list');
  return provider;
}
