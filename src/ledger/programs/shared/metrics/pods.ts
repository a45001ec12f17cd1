/** Figures of hbind. */
import type { Family } from '../../../../kit/report/prometheus.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { figures, figuresOf } from '../../../../kit/results/samples.ts';
import type { hbind } from '../../../results/hbind.ts';
import { outcomeFamily } from './ledger.ts';

type Document = DocumentOf<typeof hbind>;
type Of<C extends Document['command']> = Extract<Document, { readonly command: C }>;

// biome-ignore format: a table
const podFamilies = (pods: Of<'pod list'>['pods']): readonly Family[] =>
  figuresOf('pod', pods, ({ name }) => ({ pod: name }),
    ['exhausted', 'Whether the pod takes nothing new for lack of room.', ({ isExhausted }) => isExhausted],
    ['open', 'Whether the pod is open.', ({ state }) => ({ state: { [state]: state === 'open' } })],
    ['fullest_ratio', 'Used share of what is fullest in the pod.',
      ({ fullest }) => fullest === null ? undefined : { metric: { [fullest.metric]: fullest.share } }],
    ['tenants', 'Tenants that are bound to the pod.', ({ tenants }) => tenants],
  );

const MS_PER_S = 1000;

// biome-ignore format: a table
const forecastFamilies = ({ pods }: Of<'forecast'>): readonly Family[] =>
  figuresOf('pod',
    pods.flatMap(({ pod, metrics }) => metrics.map((one) => ({ ...one, pod }))),
    ({ pod, name }) => ({ pod, metric: name }),
    ['full_timestamp_seconds', 'When the metric reaches its limit, if it grows on.',
      ({ at }) => at === null ? undefined : Date.parse(at) / MS_PER_S],
    ['growth_per_day', 'Growth of the metric a day.', ({ perDay }) => perDay ?? undefined],
  );

// biome-ignore format: a table
function factsOf(document: Document): readonly Family[] {
  if (document.outcome === 'conflict' || 'refusals' in document) return [];
  switch (document.command) {
    case 'pod list':
    case 'usage':
      return podFamilies(document.pods);
    case 'pod show':
      return podFamilies([document.pod]);
    case 'forecast':
      return forecastFamilies(document);
    case 'rebind': {
      const moved = document.rebound.filter(({ to }) => to !== null).length;
      return figures('hbind', document, ['rebound', 'Bindings by what became of them.',
        ({ rebound }) => ({ result: { moved, stays: rebound.length - moved } })]);
    }
    case 'empty':
      return figuresOf('pod', document.pods, ({ pod, verdict }) => ({ pod, verdict }),
        ['reclaimable', 'Whether the pod could be emptied.',
          ({ verdict }) => verdict === 'possible' || verdict === 'empty']);
    case 'audit':
      return figures('hbind', document,
        ['findings', 'Rules that bindings break.', ({ findings }) => findings.length]);
    default:
      return [];
  }
}

export const hbindFamilies = (document: Document): readonly Family[] => [
  ...outcomeFamily('hbind', document),
  ...factsOf(document),
];
