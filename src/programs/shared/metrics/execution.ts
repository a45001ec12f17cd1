/** Figures of a plan that was carried out. */
import type { DocumentOf } from '../../../documents/parts/common.ts';
import type { execution } from '../../../documents/parts/execution.ts';
import type { Family } from '../../../report/prometheus.ts';
import { each, family, sample } from './samples.ts';

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
