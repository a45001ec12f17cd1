/** `hclaim history` and `hclaim watch`. */
import { setTimeout as wait } from 'node:timers/promises';
import { printOut } from '../../../../kit/report/output.ts';
import type { Ledger } from '../../../claims/claim/ledger.ts';
import { type Change, type HistoryFilter, lastChange, readHistory } from '../../../claims/usage/history.ts';
import { sweep } from '../../shared/access/open-current-ledger.ts';
import { type Command, type Options, requireProvider, say, withLedger } from '../kit/context.ts';
import { readDuration } from '../kit/read-words.ts';
import { timeText } from '../text/usage-text.ts';

const MS_PER_SECOND = 1000;

const filterOf = (
  ledger: Ledger,
  { provider, consumer, since }: Options & { since?: string | undefined },
): Promise<HistoryFilter> =>
  ledger.store.read(async (session) => ({
    provider: provider === undefined ? undefined : (await requireProvider(session, provider)).id,
    consumer,
    since: since === undefined ? undefined : ledger.now() - readDuration('since', since),
  }));

/** Amounts as `VCPU:2,MEMORY_MB:512`, other data as JSON. */
function sideText(side: unknown): string {
  if (side === null) return '-';
  if (typeof side === 'string') return side;
  const entries = Object.entries(side as object);
  if (!Array.isArray(side) && entries.length > 0 && entries.every(([, value]) => typeof value === 'number'))
    return entries.map(([name, value]) => `${name}:${value}`).join(',');
  return JSON.stringify(side);
}

/** One change in one line. */
function changeText({
  at,
  actor,
  action,
  consumer,
  provider,
  generation,
  before,
  after,
  reason,
}: Change): string {
  const where = [
    consumer,
    provider === null ? null : `${provider}${generation === null ? '' : `@${generation}`}`,
  ];
  const words = [timeText(at), actor, action, ...where.filter((word) => word !== null)];
  return `${words.join(' ')}  ${sideText(before)} => ${sideText(after)}${reason === null ? '' : `  (${reason})`}\n`;
}

const documentOf = (change: Change): object => ({ ...change, at: new Date(change.at).toISOString() });

export const history: Command = (options) =>
  withLedger(options, async (ledger) => {
    const filter = await filterOf(ledger, options);
    const newest = await ledger.store.read((session) => readHistory(session, filter, options.limit));
    const changes = [...newest].reverse();
    const text = changes.map(changeText).join('') || 'Nothing was changed.\n';
    return say('history', options, { kind: 'done', text, facts: { changes: changes.map(documentOf) } });
  });

/**
 * Writers that run at the same time get their numbers in another order than they finish in (PostgreSQL): a
 * look goes back over so many numbers, and what was said is not said again.
 */
const LOOK_BACK = 1000;

export const watch: Command = (options) =>
  withLedger(options, async (ledger) => {
    const end =
      options.watchFor === undefined ? Infinity : ledger.now() + readDuration('for', options.watchFor);
    const filter = await filterOf(ledger, { ...options, since: undefined });
    let last = await ledger.store.read(lastChange);
    let said = new Set(
      (
        await ledger.store.read((session) =>
          readHistory(session, { ...filter, after: last - LOOK_BACK }, LOOK_BACK),
        )
      ).map(({ id }) => id),
    );
    while (ledger.now() < end) {
      await wait(Math.min(options.interval * MS_PER_SECOND, Math.max(1, end - ledger.now())));
      // Who may only read has been told so at the beginning.
      await sweep(ledger);
      const recent = await ledger.store.read((session) =>
        readHistory(session, { ...filter, after: last - LOOK_BACK }, Number.MAX_SAFE_INTEGER),
      );
      for (const change of [...recent].reverse())
        if (!said.has(change.id))
          printOut(options.json ? `${JSON.stringify(documentOf(change))}\n` : changeText(change));
      said = new Set(recent.map(({ id }) => id));
      last = Math.max(last, recent[0]?.id ?? 0);
    }
    return 0;
  });
