/** How the commands of hclaim and hbind end: in words for people, in facts for `--json`. */
import { EXIT } from '../../../../kit/exit-status.ts';
import { documentHead } from '../../../../kit/report/json.ts';
import { printErr, printOut } from '../../../../kit/report/output.ts';
import { documentIn } from '../../../../kit/results/document-text.ts';
import type { SomeOptions } from '../../../options/program-table.ts';
import type { MigrationReport } from '../../../store/migrations.ts';
import type { Store } from '../../../store/store.ts';
import type { AnyDocument } from '../metrics/all.ts';

export const documentText = (options: SomeOptions<'format'>, document: AnyDocument): Promise<string> =>
  documentIn(options.format, document, async () => (await import('../metrics/all.ts')).familiesOf);

/** What the document of a command has besides the members that all have. */
export type FactsOf<Document, Command extends string> = Document extends { readonly command: Command }
  ? Omit<Document, 'schemaVersion' | 'program' | 'command' | 'outcome'>
  : never;

export interface Report<Facts> {
  readonly text: string;
  /** Whether the text says no more than that there is nothing to report: `--quiet` leaves it out. */
  readonly isNothing?: boolean;
  readonly facts: Facts;
  /** Beside the text, on standard error. With `--quiet` only where the status is not 0. */
  readonly notes?: string | undefined;
  /** Exit status; 0 unless stated. */
  readonly status?: number;
}

interface Refused<Refusal> {
  readonly kind: 'refused';
  readonly refusals: readonly Refusal[];
  /** How far it came. */
  readonly facts?: object;
}
interface Conflicting<Conflict> {
  readonly kind: 'conflict';
  readonly conflict: Conflict;
  readonly facts?: object;
}
export type Ending<Facts, Refusal, Conflict> =
  | (Report<Facts> & { readonly kind: 'done' })
  | Refused<Refusal>
  | Conflicting<Conflict>;

/** What became of a change. @param report one that was made, in words and facts */
export const reported = <Value, Facts, Refusal, Conflict = never>(
  outcome: { readonly kind: 'done'; readonly value: Value } | Refused<Refusal> | Conflicting<Conflict>,
  report: (value: Value) => Report<Facts>,
): Ending<Facts, Refusal, Conflict> =>
  outcome.kind === 'done' ? { kind: 'done', ...report(outcome.value) } : outcome;

/** Does `work` with what was opened, and closes it whatever happens. */
export async function closing<Opened extends { readonly store: Store }, Result>(
  opened: Opened,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(opened);
  } finally {
    await opened.store.close();
  }
}

/** Says how a command ended, `outcome` as the document has it. @returns the exit status */
export async function tell<Refusal, Conflict>(
  head: { readonly program: 'hclaim' | 'hbind'; readonly command: string; readonly outcome: string },
  options: SomeOptions<'format'> & { readonly json: boolean; readonly verbosity: number },
  { facts, ...ending }: Ending<object, Refusal, Conflict>,
  words: { refusal: (refusal: Refusal) => string; conflict: (conflict: Conflict) => string },
): Promise<number> {
  const { kind, ...why } = ending;
  if (options.json) {
    const { program, ...named } = head;
    const document = { ...documentHead(program), ...named, ...(kind === 'done' ? {} : why), ...facts };
    printOut(await documentText(options, document as unknown as AnyDocument));
  } else if (ending.kind === 'done') {
    const isQuiet = options.verbosity < 1;
    if (!isQuiet || !ending.isNothing) printOut(ending.text);
    if (!isQuiet || ending.status) printErr(ending.notes ?? '');
  } else if (ending.kind === 'refused')
    for (const refusal of ending.refusals) printErr(`${words.refusal(refusal)}\n`);
  else printErr(`${words.conflict(ending.conflict)}\n`);
  if (ending.kind === 'done') return ending.status ?? EXIT.done;
  return kind === 'refused' ? EXIT.no : EXIT.changed;
}

/** @param ready what a new one is ready for */
export function initialisedText(name: string, { from, to, backups }: MigrationReport, ready: string): string {
  const what =
    from === to
      ? `${name} is up to date (version ${to})`
      : from === 0
        ? `${name} is ${ready} (version ${to})`
        : `${name} was brought from version ${from} to ${to}`;
  return [`${what}.`, ...backups.map((backup) => `What was before is kept in ${backup}.`), ''].join('\n');
}
