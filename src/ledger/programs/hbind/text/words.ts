/** Pods, bindings and refusals in words, as all commands say them. */
import { byKind } from '../../../../kit/kinds.ts';
import type { BookRefusal } from '../../../binding/book/book.ts';
import type { Rebound } from '../../../binding/book/rebind.ts';
import { ANY_METRIC, type Limits } from '../../../binding/model/limits.ts';
import type { Affinity } from '../../../binding/model/pod.ts';
import type { PodFacts } from '../../shared/binding/json.ts';

const PERCENT = 100;

export const percent = (share: number): string =>
  Number.isFinite(share) ? `${(share * PERCENT).toFixed(1)}%` : 'over';

const pairWords = (affinity: Affinity): readonly string[] =>
  Object.entries(affinity).map(([key, value]) => `${key}=${value}`);

/** `resource=CAD Modeling`; `-` for none. */
export const affinityWords = (affinity: Affinity): string => pairWords(affinity).join(',') || '-';

/** For whom: zone and affinity as requests state them; empty for any. */
export const requestWords = (az: string, affinity: Affinity): string =>
  [...(az === '' ? [] : [`az ${az}`]), ...pairWords(affinity)].join(', ');

export function whoWords({ tenant, az, affinity }: Pick<Rebound, 'tenant' | 'az' | 'affinity'>): string {
  const ask = requestWords(az, affinity);
  return ask === '' ? tenant : `${tenant} (${ask})`;
}

export const stateWord = ({ state, isExhausted }: Pick<PodFacts, 'state' | 'isExhausted'>): string =>
  state === 'open' && isExhausted ? 'exhausted' : state;

export const fillWords = ({ fullest }: PodFacts): string =>
  fullest === null ? 'not measured' : `${fullest.metric} ${percent(fullest.share)}`;

export function limitWords({ metrics, reopen }: Limits): string {
  const words = Object.entries(metrics).map(([name, limit]) => {
    const of = name === ANY_METRIC ? 'any metric' : name;
    return 'free' in limit ? `${of} with ${limit.free} free` : `${of} at ${percent(limit.share)}`;
  });
  return `exhausted with ${words.join(', ')}${reopen === null ? '' : `; open again at ${percent(reopen)}`}`;
}

export const reboundWords = (rebound: Rebound): string => {
  const { from, to, reason } = rebound;
  return to === null
    ? `${whoWords(rebound)} stays in ${from} (${reason}): no other pod takes it`
    : `${whoWords(rebound)}: ${from} -> ${to} (${reason})`;
};

export const refusalText = byKind<BookRefusal, string>({
  'unknown-pod': ({ pod }) => `Error: there is no pod '${pod}'\nMaybe look at: hbind pod list`,
  'name-taken': ({ pod }) => `Refused: there is a pod '${pod}' already\nMaybe change it with: hbind pod set`,
  'ever-bound': ({ pod }) =>
    `Refused: tenants are or were bound to ${pod}\nMaybe close it with: hbind pod set ${pod} --state closed`,
  closed: ({ pod }) =>
    `Refused: ${pod} is closed, and takes no requests\nMaybe send its tenants off with: hbind rebind --pod ${pod}`,
  'not-in-maintenance': ({ pod, state }) => `Refused: ${pod} is not under maintenance, but ${state}`,
  'does-not-suit': ({ pod, why }) =>
    `Refused: ${pod} ${why}: no such request would find the tenant there\nMaybe say for which requests, with --az and --spec`,
});
