/** `hbind forecast`. */
import { timeText } from '../../../../kit/report/moments.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import {
  forecastPods,
  forecastQueues,
  type PodForecast,
  type QueueForecast,
} from '../../../binding/forecast/forecast.ts';
import { measuresSince } from '../../../binding/tables/changes.ts';
import { allPods } from '../../../binding/tables/pods.ts';
import { readDuration } from '../../shared/access/ledger-url.ts';
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
    const at = book.now();
    const { pods, measures } = await book.store.read(async (session) => {
      const all = await allPods(session);
      return {
        pods: all,
        measures: await measuresSince(
          session,
          all.map(({ id }) => id),
          at - window,
        ),
      };
    });
    const { pod } = options;
    if (pod !== undefined && !pods.some(({ name }) => name === pod))
      return { kind: 'refused', refusals: [{ kind: 'unknown-pod', pod }] };
    const every = forecastPods(pods, measures, at);
    const shown = every.filter((one) => pod === undefined || one.pod === pod);
    const queues = pod === undefined ? forecastQueues(every, at) : [];
    const text = [
      reportTable('', PODS, shown.flatMap(podRows)),
      ...(queues.length > 0
        ? ['\nPods that take over from each other:\n', reportTable('', QUEUES, queues.map(queueRow))]
        : []),
    ].join('');
    return {
      kind: 'done',
      text: pods.length === 0 ? 'There are no pods.\n' : text,
      facts: { pods: shown, queues },
    };
  });
};
