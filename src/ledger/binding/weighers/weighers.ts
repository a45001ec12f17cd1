/** All weighers, and what they make of the candidates. A new one is an entry of the list. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { weighing } from '../../results/hbind.ts';
import { shareOf } from '../model/limits.ts';
import type { Pod, Policy } from '../model/pod.ts';

interface Weigher {
  readonly name: string;
  /** More is better, in any unit, for it is scaled over the candidates. undefined: as good as the worst. */
  readonly value: (pod: Pod) => number | undefined;
}

export const WEIGHERS: readonly Weigher[] = [
  /** The pods stand in a queue in the order in which they were made: the older, the better. */
  { name: 'age', value: (pod) => -pod.createdAt },
  /** The smallest free share over the metrics; a pod that is not measured is idle. */
  {
    name: 'idle',
    value: ({ metrics }) =>
      metrics.reduce((least, metric) => Math.min(least, Math.max(0, 1 - shareOf(metric))), 1),
  },
  { name: 'weight', value: (pod) => pod.weight ?? undefined },
  /** What the pod costs, in any currency: the cheaper, the better. */
  { name: 'cost', value: (pod) => (pod.cost === null ? undefined : -pod.cost) },
];

export const weigherNames: readonly string[] = WEIGHERS.map(({ name }) => name);

type Weighing = DocumentOf<typeof weighing>;

export interface Candidate {
  readonly pod: Pod;
  /** Sum of scaled x multiplier. */
  readonly total: number;
  readonly weighings: readonly Weighing[];
}

/** The values from 0 to 1. Values that are not known are 0. */
function scaled(values: readonly (number | undefined)[]): readonly number[] {
  const known = values.filter((value) => value !== undefined);
  const least = known.reduce((a, b) => Math.min(a, b), Infinity);
  const span = known.reduce((a, b) => Math.max(a, b), -Infinity) - least;
  return values.map((value) => (value === undefined || span === 0 ? 0 : (value - least) / span));
}

/** The candidates, best first: largest total, then the older, then the smaller id. */
export function weigh(pods: readonly Pod[], { weighers }: Policy): readonly Candidate[] {
  const counting = WEIGHERS.filter(({ name }) => (weighers[name] ?? 0) !== 0);
  const columns = counting.map((weigher) => scaled(pods.map(weigher.value)));
  const candidates = pods.map((pod, at): Candidate => {
    const weighings = counting.map(({ name }, w) => ({
      weigher: name,
      scaled: columns[w]![at]!,
      multiplier: weighers[name]!,
    }));
    return { pod, total: weighings.reduce((sum, one) => sum + one.scaled * one.multiplier, 0), weighings };
  });
  return candidates.sort(
    (a, b) => b.total - a.total || a.pod.createdAt - b.pod.createdAt || a.pod.id - b.pod.id,
  );
}
