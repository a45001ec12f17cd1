/** `hclaim history`. */
import { momentOf, timeText } from '../../../../kit/report/moments.ts';
import type { Ledger } from '../../../claims/claim/ledger.ts';
import { type Change, type HistoryFilter, historyStart, readHistory } from '../../../claims/usage/history.ts';
import { readDuration } from '../../shared/access/ledger-url.ts';
import { type Command, type Options, requireProvider, withLedger } from '../kit/context.ts';

export const filterOf = (
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

export function changeText(change: Change): string {
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
