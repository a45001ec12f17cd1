/** `hbind forecast`. */
import { reportTable } from '../../../../kit/report/report-table.ts';
import {
  forecastPods,
  forecastQueues,
  type PodForecast,
  type QueueForecast,
} from '../../../binding/forecast/forecast.ts';
import { measuresSince } from '../../../binding/tables/changes.ts';
import { allPods } from '../../../binding/tables/pods.ts';
import { readDuration } from '../../shared/access/duration.ts';
import { timeText } from '../../shared/access/time-text.ts';
import { forecastJson } from '../../shared/binding/outlook-json.ts';
import { type Command, say, sayRefused, withBook } from '../kit/context.ts';
import { affinityWords } from '../text/words.ts';

const left = (heading: string) => ({ heading, isNumeric: false });
const right = (heading: string) => ({ heading, isNumeric: true });
const PODS = [left('Pod'), left('Metric'), right('Used'), right('Limit'), right('A day'), left('Reaches it')];
const QUEUES = [left('Zone'), left('For'), right('Pods'), right('Taking'), left('Last one full')];

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

export const forecast: Command = (options) => {
  const window = readDuration('window', options.window);
  return withBook('forecast', options, async (book) => {
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
      return sayRefused('forecast', options, [{ kind: 'unknown-pod', pod }]);
    const every = forecastPods(pods, measures, at);
    const shown = every.filter((one) => pod === undefined || one.pod === pod);
    const queues = pod === undefined ? forecastQueues(every, at) : [];
    const text = [
      reportTable('', PODS, shown.flatMap(podRows)),
      ...(queues.length > 0
        ? ['\nPods that take over from each other:\n', reportTable('', QUEUES, queues.map(queueRow))]
        : []),
    ].join('');
    return say('forecast', options, {
      text: pods.length === 0 ? 'There are no pods.\n' : text,
      facts: forecastJson(shown, queues),
    });
  });
};
