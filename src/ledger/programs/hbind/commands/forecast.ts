/** `hbind forecast`. */
import { timeText } from '../../../../kit/report/moments.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import type { PodForecast, QueueForecast } from '../../../binding/forecast/forecast.ts';
import { readDuration } from '../../shared/access/ledger-url.ts';
import { forecastOf } from '../../shared/binding/outlook.ts';
import { type Command, withBook } from '../kit/context.ts';
import { affinityWords } from '../text/words.ts';

const PODS = [...texts('Pod', 'Metric'), ...numbers('Used', 'Limit', 'A day'), ...texts('Reaches it')];
const QUEUES = [...texts('Zone', 'For'), ...numbers('Pods', 'Taking'), ...texts('Last one full')];

const figure = (value: number): string => String(Number(value.toFixed(2)));

function podRows(forecast: PodForecast): readonly (readonly string[])[] {
  if (forecast.metrics.length === 0) return [[forecast.pod, '-', '-', '-', '-', 'not measured']];
  return forecast.metrics.map(({ name, used, limit, perDay, at }) => [
    forecast.pod,
    name,
    figure(used),
    figure(limit),
    perDay === null ? '-' : `${perDay > 0 ? '+' : ''}${figure(perDay)}`,
    forecast.isExhausted
      ? 'exhausted'
      : at !== null
        ? timeText(at)
        : perDay === null
          ? forecast.readings < 2
            ? 'needs two readings'
            : 'needs readings an hour apart'
          : 'not in sight',
  ]);
}

function queueRow({ az, affinity, pods, taking, unmeasured, first }: QueueForecast): readonly string[] {
  const end =
    taking === 0
      ? 'all are full'
      : first
        ? `${timeText(first.at)} (${first.metric})`
        : unmeasured > 0
          ? `${unmeasured} not measured`
          : 'not in sight';
  return [az || '-', affinityWords(affinity), String(pods), String(taking), end];
}

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
