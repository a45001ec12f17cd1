/** `hbind simulate`: a simulated day in words. */
import { timeText } from '../../../../kit/report/moments.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import type { Day, Moment } from '../../../binding/simulate/simulate.ts';
import { badArgument } from '../../shared/access/ledger-url.ts';
import { playDay } from '../../shared/binding/outlook.ts';
import { readEvents } from '../../shared/binding/read-events.ts';
import { type Command, withBook } from '../kit/context.ts';
import { readTextFile } from '../kit/read-json.ts';
import { readPolicy } from '../kit/read-words.ts';
import { percent, requestWords, whoWords } from '../text/words.ts';

const SHOWN_SPLIT = 10;

const PODS = [...texts('Pod'), ...numbers('Requests', 'Tenants', 'Before', 'After'), ...texts('Exhausted')];

const momentWords = ({ event, at }: Moment): string =>
  at === null ? `at event ${event}` : `${timeText(at)} (event ${event})`;

const share = (value: number | null): string => (value === null ? '-' : percent(value));

export function dayText(day: Day): string {
  const rows = day.pods.map(
    ({ pod, requests, tenants, shareBefore, shareAfter, isExhausted, exhaustedAt }) => {
      const when = exhaustedAt ? momentWords(exhaustedAt) : isExhausted ? 'from the start' : '-';
      return [pod, String(requests), String(tenants), share(shareBefore), share(shareAfter), when];
    },
  );
  const lines = [
    `${day.requests} requests: ${day.kept} kept their pod, ${day.bound} bound for the first time, ${day.rebound} rebound, ${day.refused} refused\n`,
    reportTable('', PODS, rows),
  ];
  for (const { az, affinity, refused, lastPodAt, refusedAt } of day.queues) {
    const ask = requestWords(az, affinity) || 'general use';
    if (refusedAt)
      lines.push(`A pod for ${ask} is missing from ${momentWords(refusedAt)} on: ${refused} refused\n`);
    else if (lastPodAt)
      lines.push(
        `The last pod for ${ask} is in use from ${momentWords(lastPodAt)} on: the next is needed soon\n`,
      );
  }
  if (day.split.length === 0) lines.push('No tenant is split over several pods.\n');
  else {
    lines.push(`${day.split.length} tenants are split over several pods:\n`);
    for (const { pods, ...who } of day.split.slice(0, SHOWN_SPLIT))
      lines.push(`  ${whoWords({ ...who, az: '' })}: ${pods.join(', ')}\n`);
    if (day.split.length > SHOWN_SPLIT)
      lines.push(`  ... and ${day.split.length - SHOWN_SPLIT} more; all are in --json\n`);
  }
  return lines.join('');
}

export const simulate: Command<'simulate'> = (options) => {
  const { inputFile: file } = options;
  if (file === undefined)
    throw badArgument('hbind simulate: the requests are missing', 'name their file: -f REQUESTS');
  const stated = readPolicy(options);
  const events = readEvents(readTextFile(file), file);
  return withBook(options, async (book) => {
    const facts = await playDay(book, events, stated);
    const unknown = facts.unknownPods.join(', ');
    const notes = unknown === '' ? undefined : `Note: events about pods that there are not: ${unknown}\n`;
    return { kind: 'done', text: dayText(facts), notes, facts };
  });
};
