/** `hclaim history`, and `watch`: changes as they happen, whatever becomes of the database meanwhile. */
import { setTimeout as wait } from 'node:timers/promises';
import { BackendError } from '../../../../kit/faults.ts';
import { momentOf, timeText } from '../../../../kit/report/moments.ts';
import { printErr, printOut } from '../../../../kit/report/output.ts';
import { warning } from '../../../../kit/report/tone.ts';
import { MS_PER_S } from '../../../../kit/units.ts';
import type { Ledger } from '../../../claims/claim/ledger.ts';
import { keptName } from '../../../claims/model/names.ts';
import { newsBehind, type Tail, tailBehind, tailNow } from '../../../claims/tables/history.ts';
import { type Change, type HistoryFilter, historyStart, readHistory } from '../../../claims/usage/history.ts';
import type { Session } from '../../../store/store.ts';
import { badArgument, readDuration } from '../../shared/access/ledger-url.ts';
import { sweep } from '../../shared/access/open-current-ledger.ts';
import { type Command, type Options, requireProvider, withLedger } from '../kit/context.ts';

const filterOf = (ledger: Ledger, { provider, consumer, since }: Options): Promise<HistoryFilter> =>
  ledger.store.read(async (session) => ({
    provider: provider === undefined ? undefined : (await requireProvider(session, provider)).id,
    consumer: consumer && keptName(consumer),
    since: since === undefined ? undefined : ledger.now() - readDuration('since', since),
  }));

/** Amounts as `VCPU:2,MEMORY_MB:512`, an end as a time, other data as JSON. */
function sideText(side: unknown): string {
  if (side === null) return '-';
  if (typeof side === 'string') return side;
  const { expires_at: end } = side as { readonly expires_at?: number | null };
  if (end !== undefined) return `expires_at:${end === null ? 'never' : timeText(end)}`;
  const entries = Object.entries(side as object);
  if (!Array.isArray(side) && entries.length > 0 && entries.every(([, value]) => typeof value === 'number'))
    return entries.map(([name, value]) => `${name}:${value}`).join(',');
  return JSON.stringify(side);
}

function changeText(change: Change): string {
  const { at, actor, action, consumer, provider, generation, before, after, reason } = change;
  const where = provider === null || generation === null ? provider : `${provider}@${generation}`;
  const words = [timeText(at), actor, action, consumer, where].filter((word) => word !== null);
  return `${words.join(' ')}  ${sideText(before)} => ${sideText(after)}${reason === null ? '' : `  (${reason})`}\n`;
}

export const history: Command<'history'> = (options) =>
  withLedger(options, async (ledger) => {
    const filter = await filterOf(ledger, options);
    const { newest, start } = await ledger.store.read(async (session) => ({
      newest: await readHistory(session, filter, options.limit),
      start: await historyStart(session),
    }));
    const changes = [...newest].reverse();
    // The last ones are told; whether older ones are missing is of interest where there are no more.
    const reachesStart = start !== null && newest.length < options.limit && start > (filter.since ?? 0);
    const pruned = reachesStart ? `(Removed: changes before ${timeText(start)}.)\n` : '';
    const text = pruned + changes.map(changeText).join('') || 'Nothing was changed.\n';
    const facts = { changes, wholeSince: momentOf(start) };
    return { kind: 'done', text, isNothing: changes.length === 0 && pruned === '', facts };
  });

const watchedText = (change: Change): string => `${change.id} ${changeText(change)}`;

/** Longest wait for a database that does not answer. */
const LONGEST_MS = 30_000;

const MOST_AT_ONCE = 10_000;

/** What changed behind a tail, as far as it is asked for. */
async function look(session: Session, filter: HistoryFilter, behind: Tail) {
  const { news, tail } = await newsBehind(session, behind, MOST_AT_ONCE);
  const among = news.map(({ id }) => id);
  // Mostly there is nothing new, and the database is not asked for it.
  const isNone = among.length === 0;
  const recent = isNone ? [] : await readHistory(session, { ...filter, among }, among.length, 'oldest');
  return { recent, tail, isMore: among.length >= MOST_AT_ONCE };
}

export const watch: Command<'watch'> = async (options) => {
  const { json, format } = options;
  if (json && format !== 'json')
    throw badArgument(
      `hclaim watch: changes are lines of text or of JSON, and nothing in ${format}`,
      'leave --format out, or say --format=json',
    );
  return withLedger(options, (ledger) => follow(ledger, options));
};

/** Ends when the time is over, or nobody reads any more. */
async function follow(ledger: Ledger, options: Options): Promise<undefined> {
  const end =
    options.watchFor === undefined ? Infinity : performance.now() + readDuration('for', options.watchFor);
  const filter = await filterOf(ledger, options);
  let said = options.after === undefined ? await ledger.store.read(tailNow) : tailBehind(options.after);
  const textOf = options.json ? (change: Change) => `${JSON.stringify(change)}\n` : watchedText;
  const intervalMs = options.interval * MS_PER_S;
  /** Whether there is more to read at once. */
  let isBehind = options.after !== undefined;
  let failures = 0;
  for (;;) {
    const pauseMs = Math.min(intervalMs * 2 ** failures, Math.max(intervalMs, LONGEST_MS));
    if (!isBehind) await wait(Math.min(pauseMs, Math.max(1, end - performance.now())));
    try {
      // Who may only read has been told so at the beginning.
      await sweep(ledger);
      const { recent, tail, isMore } = await ledger.store.read((session) => look(session, filter, said));
      if (failures > 0) printErr(warning('the database answers again'));
      failures = 0;
      // There is nobody to watch for.
      if (!recent.every((change) => printOut(textOf(change)))) return undefined;
      said = tail;
      isBehind = isMore;
      if (!isBehind && performance.now() >= end) return undefined;
    } catch (error) {
      if (!(error instanceof BackendError) || performance.now() >= end) throw error;
      isBehind = false;
      if (failures++ === 0) printErr(warning(`${error.message}; trying again`));
    }
  }
}
