/** Figures of hclaim and hcand. */
import type { Family } from '../../../../kit/report/prometheus.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { figures, figuresOf } from '../../../../kit/results/samples.ts';
import type { hcand } from '../../../results/hcand.ts';
import type { hclaim } from '../../../results/hclaim.ts';

type Document = DocumentOf<typeof hclaim>;
type UsageRow = {
  readonly of: string | null;
  readonly class: string;
  readonly used: number;
  readonly capacity: number | null;
};

// biome-ignore format: a table
const usageFamilies = (by: string, rows: readonly UsageRow[]): readonly Family[] =>
  figuresOf('ledger', rows, (row) => ({ by, of: row.of ?? undefined, class: row.class }),
    ['used', 'Units in use, by class of resource.', ({ used }) => used],
    ['capacity', 'Units that there are, by class of resource.', ({ capacity }) => capacity ?? undefined],
  );

// biome-ignore format: a table
function factsOf(document: Document): readonly Family[] {
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

/** How a command ended. */
export const outcomeFamily = (
  program: string,
  { command, outcome }: { readonly command: string; readonly outcome: string },
): readonly Family[] =>
  figuresOf(program, [1], () => ({ command, outcome }), [
    'outcome',
    'How the command ended: 1 for the outcome.',
    (one) => one,
  ]);

export const hclaimFamilies = (document: Document): readonly Family[] => [
  ...outcomeFamily('hclaim', document),
  ...factsOf(document),
];

// biome-ignore format: a table
export const hcandFamilies = (document: DocumentOf<typeof hcand>): readonly Family[] =>
  figures('hcand', document,
    ['candidates', 'Candidates that were found.', ({ count }) => count],
    ['claimed', 'Whether one of them was claimed.', ({ claim }) => claim && claim.kind === 'claimed'],
  );
