/** Figures of a plan that was carried out. */

import type { Family } from '../../../../kit/report/prometheus.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { each, family, sample } from '../../../../kit/results/samples.ts';
import type { execution } from '../../../results/parts/execution.ts';

/** None where nothing was carried out. */
export function executionFamilies(
  program: string,
  found: DocumentOf<typeof execution> | undefined,
): readonly Family[] {
  if (found === undefined) return [];
  const statuses = new Map<string, number>();
  for (const { status } of found.jobs) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return [
    each(`${program}_jobs`, 'Jobs of the plan by status.', [...statuses], ([status, jobs]) =>
      sample(jobs, { status }),
    ),
    family(
      `${program}_execution_done`,
      'Whether the plan was carried out to its end.',
      sample(found.outcome === 'done', { outcome: found.outcome }),
    ),
  ];
}
