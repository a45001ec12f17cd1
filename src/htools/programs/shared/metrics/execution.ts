/** Figures of a plan that was carried out. */
import { countsOf, type Family, figures } from '../../../../kit/report/prometheus.ts';
import type { ExecutionFacts } from '../../../results/parts/execution.ts';

/** None where nothing was carried out. */
// biome-ignore format: a table
export const executionFamilies = ({ program, execution }: {
  readonly program: string;
  readonly execution?: ExecutionFacts | undefined;
}): readonly Family[] =>
  execution === undefined ? [] : figures(program, execution,
    ['jobs', 'Jobs of the plan by status.',
      ({ jobs }) => ({ status: countsOf(jobs.map(({ status }) => status)) })],
    ['execution_done', 'Whether the plan was carried out to its end.',
      ({ outcome }) => ({ outcome: { [outcome]: outcome === 'done' } })],
  );
