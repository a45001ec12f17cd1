/** Figures of hbind. */

import type { Family } from '../../../../kit/report/prometheus.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { each, family, sample } from '../../../../kit/results/samples.ts';
import type { hbind } from '../../../results/hbind.ts';

type Document = DocumentOf<typeof hbind>;
type Of<C extends Document['command']> = Extract<Document, { readonly command: C }>;

const podFamilies = (pods: Of<'pod list'>['pods']): readonly Family[] => [
  each('pod_exhausted', 'Whether the pod takes nothing new for lack of room.', pods, (pod) =>
    sample(pod.isExhausted, { pod: pod.name }),
  ),
  each('pod_open', 'Whether the pod is open.', pods, (pod) =>
    sample(pod.state === 'open', { pod: pod.name, state: pod.state }),
  ),
  each('pod_fullest_ratio', 'Used share of what is fullest in the pod.', pods, (pod) =>
    pod.fullest === null ? [] : sample(pod.fullest.share, { pod: pod.name, metric: pod.fullest.metric }),
  ),
  each('pod_tenants', 'Tenants that are bound to the pod.', pods, (pod) =>
    pod.tenants === undefined ? [] : sample(pod.tenants, { pod: pod.name }),
  ),
];

const MS_PER_S = 1000;

const forecastFamilies = ({ pods }: Of<'forecast'>): readonly Family[] => [
  each('pod_full_timestamp_seconds', 'When the metric reaches its limit, if it grows on.', pods, (one) =>
    one.metrics.flatMap(({ name, at }) =>
      at === null ? [] : sample(Date.parse(at) / MS_PER_S, { pod: one.pod, metric: name }),
    ),
  ),
  each('pod_growth_per_day', 'Growth of the metric a day.', pods, (one) =>
    one.metrics.flatMap(({ name, perDay }) =>
      perDay === null ? [] : sample(perDay, { pod: one.pod, metric: name }),
    ),
  ),
];

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
    case 'rebind':
      return [
        family(
          'hbind_rebound',
          'Bindings by what became of them.',
          sample(document.rebound.filter(({ to }) => to !== null).length, { result: 'moved' }),
          sample(document.rebound.filter(({ to }) => to === null).length, { result: 'stays' }),
        ),
      ];
    case 'empty':
      return [
        each('pod_reclaimable', 'Whether the pod could be emptied.', document.pods, ({ pod, verdict }) =>
          sample(verdict === 'possible' || verdict === 'empty', { pod, verdict }),
        ),
      ];
    case 'audit':
      return [family('hbind_findings', 'Rules that bindings break.', sample(document.findings.length))];
    default:
      return [];
  }
}

export const hbindFamilies = (document: Document): readonly Family[] => [
  family(
    'hbind_outcome',
    'How the command ended: 1 for the outcome.',
    sample(1, { command: document.command, outcome: document.outcome }),
  ),
  ...factsOf(document),
];
