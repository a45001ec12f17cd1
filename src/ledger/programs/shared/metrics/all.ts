/** The figures of each document about ledgers, by its program. */
import { type Family, figures, figuresOf } from '../../../../kit/report/prometheus.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { MS_PER_S } from '../../../../kit/units.ts';
import type { UsageRow } from '../../../claims/usage/usage.ts';
import type { LEDGER_DOCUMENTS } from '../../../results/all.ts';
import type { hbind } from '../../../results/hbind.ts';
import type { hclaim } from '../../../results/hclaim.ts';

type ClaimDocument = DocumentOf<typeof hclaim>;
// biome-ignore format: a table
const usageFamilies = (by: string, rows: readonly UsageRow[]): readonly Family[] =>
  figuresOf('ledger', rows, (row) => ({ by, of: row.of ?? undefined, class: row.class }),
    ['used', 'Units in use, by class of resource.', ({ used }) => used],
    ['capacity', 'Units that there are, by class of resource.', ({ capacity }) => capacity ?? undefined],
  );

// biome-ignore format: a table
function claimFacts(document: ClaimDocument): readonly Family[] {
  if (document.outcome !== 'done') return [];
  switch (document.command) {
    case 'usage':
      return 'usage' in document
        ? usageFamilies(document.by, document.usage)
        : figuresOf('ledger', document.series, (one) => ({ class: one.class }),
            ['used', 'Units in use now, by class of resource.', ({ used }) => used.at(-1) ?? null]);
    case 'show':
      return 'providers' in document ? usageFamilies('provider', document.providers) : [];
    case 'audit':
      return figures('ledger', document,
        ['clean', 'Whether the ledger keeps its own rules.', ({ isClean }) => isClean],
        ['findings', 'What an audit found.', ({ findings }) => findings.length],
        ['differences', 'Differences from the cluster.', ({ differences }) => differences?.length],
      );
    case 'expire':
      return figures('ledger', document,
        ['expired', 'Claims that have expired just now.', ({ consumers }) => consumers.length]);
    case 'import':
      return figures('ledger', document,
        ['providers', 'Providers of the cluster.', ({ providers }) => providers],
        ['consumers', 'Consumers of the cluster.', ({ consumers }) => consumers],
        ['differences', 'Differences from the cluster.', ({ differences }) => differences.length],
      );
    default:
      return [];
  }
}

const outcomeFamily = (
  program: string,
  { command, outcome }: { readonly command: string; readonly outcome: string },
): readonly Family[] =>
  figuresOf(program, [1], () => ({ command, outcome }), [
    'outcome',
    'How the command ended: 1 for the outcome.',
    (one) => one,
  ]);

type BindingDocument = DocumentOf<typeof hbind>;
type Of<C extends BindingDocument['command']> = Extract<BindingDocument, { readonly command: C }>;

// biome-ignore format: a table
const podFamilies = (pods: Of<'pod list'>['pods']): readonly Family[] =>
  figuresOf('pod', pods, ({ name }) => ({ pod: name }),
    ['exhausted', 'Whether the pod takes nothing new for lack of room.', ({ isExhausted }) => isExhausted],
    ['open', 'Whether the pod is open.', ({ state }) => ({ state: { [state]: state === 'open' } })],
    ['fullest_ratio', 'Used share of what is fullest in the pod.',
      ({ fullest }) => fullest === null ? undefined : { metric: { [fullest.metric]: fullest.share } }],
    ['tenants', 'Tenants that are bound to the pod.', ({ tenants }) => tenants],
  );

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
function bindingFacts(document: BindingDocument): readonly Family[] {
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

type Programs = Exclude<keyof typeof LEDGER_DOCUMENTS, 'hclaim-change'>;
type OfProgram<P extends Programs> = DocumentOf<(typeof LEDGER_DOCUMENTS)[P]['schema']>;

export type AnyDocument = { [P in Programs]: OfProgram<P> }[Programs];

// biome-ignore format: a table
const FAMILIES: { readonly [P in Programs]: (document: OfProgram<P>) => readonly Family[] } = {
  hbind: (document) => [...outcomeFamily('hbind', document), ...bindingFacts(document)],
  hcand: (document) => figures('hcand', document,
    ['candidates', 'Candidates that were found.', ({ count }) => count],
    ['claimed', 'Whether one of them was claimed.', ({ claim }) => claim && claim.kind === 'claimed'],
  ),
  hclaim: (document) => [...outcomeFamily('hclaim', document), ...claimFacts(document)],
};

export const familiesOf = (document: AnyDocument): readonly Family[] =>
  (FAMILIES[document.program] as (document: AnyDocument) => readonly Family[])(document);
