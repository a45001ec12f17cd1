/** Figures of hclaim and hcand. */

import type { Family } from '../../../../kit/report/prometheus.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { each, family, sample } from '../../../../kit/results/samples.ts';
import type { hcand } from '../../../results/hcand.ts';
import type { hclaim } from '../../../results/hclaim.ts';

type Document = DocumentOf<typeof hclaim>;
type UsageRow = {
  readonly of: string | null;
  readonly class: string;
  readonly used: number;
  readonly capacity: number | null;
};

const usageFamilies = (by: string, rows: readonly UsageRow[]): readonly Family[] => [
  each('ledger_used', 'Units in use, by class of resource.', rows, (row) =>
    sample(row.used, { by, of: row.of ?? undefined, class: row.class }),
  ),
  each('ledger_capacity', 'Units that there are, by class of resource.', rows, (row) =>
    row.capacity === null ? [] : sample(row.capacity, { by, of: row.of ?? undefined, class: row.class }),
  ),
];

function factsOf(document: Document): readonly Family[] {
  if (document.outcome !== 'done') return [];
  switch (document.command) {
    case 'usage':
      return 'usage' in document
        ? usageFamilies(document.by, document.usage)
        : [
            each('ledger_used', 'Units in use now, by class of resource.', document.series, (one) =>
              sample(one.used.at(-1), { class: one.class }),
            ),
          ];
    case 'show':
      return 'providers' in document ? usageFamilies('provider', document.providers) : [];
    case 'audit':
      return [
        family('ledger_clean', 'Whether the ledger keeps its own rules.', sample(document.isClean)),
        family('ledger_findings', 'What an audit found.', sample(document.findings.length)),
        ...(document.differences
          ? [
              family(
                'ledger_differences',
                'Differences from the cluster.',
                sample(document.differences.length),
              ),
            ]
          : []),
      ];
    case 'expire':
      return [
        family('ledger_expired', 'Claims that have expired just now.', sample(document.consumers.length)),
      ];
    case 'import':
      return [
        family('ledger_providers', 'Providers of the cluster.', sample(document.providers)),
        family('ledger_consumers', 'Consumers of the cluster.', sample(document.consumers)),
        family('ledger_differences', 'Differences from the cluster.', sample(document.differences.length)),
      ];
    default:
      return [];
  }
}

export const hclaimFamilies = (document: Document): readonly Family[] => [
  family(
    'hclaim_outcome',
    'How the command ended: 1 for the outcome.',
    sample(1, { command: document.command, outcome: document.outcome }),
  ),
  ...factsOf(document),
];

export const hcandFamilies = (document: DocumentOf<typeof hcand>): readonly Family[] => [
  family('hcand_candidates', 'Candidates that were found.', sample(document.count)),
  ...(document.claim
    ? [family('hcand_claimed', 'Whether one of them was claimed.', sample(document.claim.kind === 'claimed'))]
    : []),
];
