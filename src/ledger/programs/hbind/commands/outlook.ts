/** `hbind forecast`, and `simulate`: a simulated day in words. */

import { allSaid } from '../../../../kit/cli/all-said.ts';
import { readInput } from '../../../../kit/files/read-input.ts';
import { decodeUtf8 } from '../../../../kit/files/utf8.ts';
import { timeText } from '../../../../kit/report/moments.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import { count } from '../../../../kit/text/words.ts';
import type { PodForecast, QueueForecast } from '../../../binding/forecast/forecast.ts';
import type { Day, Moment } from '../../../binding/simulate/simulate.ts';
import { readDuration, required } from '../../shared/access/ledger-url.ts';
import { forecastOf, playDay } from '../../shared/binding/outlook.ts';
import { readEvents } from '../../shared/binding/read-events.ts';
import { type Command, withBook } from '../kit/context.ts';
import { readPolicy } from '../kit/read-words.ts';
import { affinityWords, percent, requestWords, whoWords } from '../text/words.ts';

const PODS = [...texts('Pod', 'Metric'), ...numbers('Used', 'Limit', 'A day'), ...texts('Reaches it')];
const QUEUES = [...texts('Zone', 'For'), ...numbers('Pods', 'Taking'), ...texts('Last one full')];

const figure = (value: number): string => String(Number(value.toFixed(2)));

type MetricForecast = PodForecast['metrics'][number];

function reachedWords({ isExhausted, readings }: PodForecast, { at, perDay }: MetricForecast): string {
  if (isExhausted) return 'exhausted';
  if (at !== null) return timeText(at);
  if (perDay !== null) return 'not in sight';
  return readings < 2 ? 'needs two readings' : 'needs readings an hour apart';
}

function podRows(forecast: PodForecast): readonly (readonly string[])[] {
  const { pod, metrics } = forecast;
  if (metrics.length === 0) return [[pod, '-', '-', '-', '-', 'not measured']];
  return metrics.map((metric) => {
    const { name, used, limit, perDay } = metric;
    const growth = perDay === null ? '-' : `${perDay > 0 ? '+' : ''}${figure(perDay)}`;
    return [pod, name, figure(used), figure(limit), growth, reachedWords(forecast, metric)];
  });
}

function endWords({ taking, unmeasured, first }: QueueForecast): string {
  if (taking === 0) return 'all are full';
  if (first) return `${timeText(first.at)} (${first.metric})`;
  return unmeasured > 0 ? `${unmeasured} not measured` : 'not in sight';
}

const queueRow = (queue: QueueForecast): readonly string[] => {
  const { az, affinity, pods, taking } = queue;
  return [az || '-', affinityWords(affinity), String(pods), String(taking), endWords(queue)];
};

export const forecast: Command<'forecast'> = (options) => {
  const window = readDuration('window', options.window);
  return withBook(options, async (book) => {
    const { pod } = options;
    const all = await forecastOf(book, window);
    const facts = pod === undefined ? all : { pods: all.pods.filter((one) => one.pod === pod), queues: [] };
    if (pod !== undefined && facts.pods.length === 0)
      return { kind: 'refused', refusals: [{ kind: 'unknown-pod', pod }] };
    const pods = reportTable('', PODS, facts.pods.flatMap(podRows));
    const queues = reportTable('', QUEUES, facts.queues.map(queueRow));
    const text =
      facts.queues.length === 0 ? pods : `${pods}\nPods that take over from each other:\n${queues}`;
    const isNothing = facts.pods.length === 0;
    return { kind: 'done', text: isNothing ? 'There are no pods.\n' : text, isNothing, facts };
  });
};

const SHOWN_SPLIT = 10;

const PLAYED = [...texts('Pod'), ...numbers('Requests', 'Tenants', 'Before', 'After'), ...texts('Exhausted')];

const momentWords = ({ event, at }: Moment): string =>
  at === null ? `event ${event}` : `${timeText(at)} (event ${event})`;

const share = (value: number | null): string => (value === null ? '-' : percent(value));

function dayText(day: Day): string {
  const rows = day.pods.map(
    ({ pod, requests, tenants, shareBefore, shareAfter, isExhausted, exhaustedAt }) => {
      const when = exhaustedAt ? momentWords(exhaustedAt) : isExhausted ? 'from the start' : '-';
      return [pod, String(requests), String(tenants), share(shareBefore), share(shareAfter), when];
    },
  );
  const lines = [
    `${count(day.requests, 'request')}: ${day.kept} kept their pod, ${day.bound} bound for the first time, ${day.rebound} rebound, ${day.refused} refused\n`,
    reportTable('', PLAYED, rows),
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
    lines.push(`${count(day.split.length, 'tenant')} split over several pods:\n`);
    for (const { pods, ...who } of day.split.slice(0, SHOWN_SPLIT))
      lines.push(`  ${whoWords({ ...who, az: '' })}: ${pods.join(', ')}\n`);
    if (day.split.length > SHOWN_SPLIT)
      lines.push(`  ... and ${day.split.length - SHOWN_SPLIT} more; all are in --json\n`);
  }
  return lines.join('');
}

export const simulate: Command<'simulate'> = (options) => {
  const [stated, events] = allSaid(
    () => readPolicy(options),
    () => {
      const file = required(
        options.inputFile,
        'hbind simulate: the requests are missing',
        'name their file: -f REQUESTS',
      );
      return readEvents(decodeUtf8(readInput(file), file), file);
    },
  );
  return withBook(options, async (book) => {
    const facts = await playDay(book, events, stated);
    const unknown = facts.unknownPods.join(', ');
    const notes = unknown === '' ? undefined : `Note: events about pods that there are not: ${unknown}\n`;
    return { kind: 'done', text: dayText(facts), notes, facts };
  });
};
