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
