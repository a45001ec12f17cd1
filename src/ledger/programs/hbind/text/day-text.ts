/** A simulated day in words. */

import { timeText } from '../../../../kit/report/moments.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import type { Day, Moment } from '../../../binding/simulate/simulate.ts';
import { percent, requestWords } from './words.ts';

const SHOWN_SPLIT = 10;

const PODS = [...texts('Pod'), ...numbers('Requests', 'Tenants', 'Before', 'After'), ...texts('Exhausted')];

const momentWords = ({ event, at }: Moment): string =>
  at === null ? `at event ${event}` : `${timeText(at)} (event ${event})`;

const share = (value: number | null): string => (value === null ? '-' : percent(value));

export function dayText(day: Day): string {
  const lines = [
    `${day.requests} requests: ${day.kept} kept their pod, ${day.bound} bound for the first time, ${day.rebound} rebound, ${day.refused} refused\n`,
    reportTable(
      '',
      PODS,
      day.pods.map((pod) => [
        pod.pod,
        String(pod.requests),
        String(pod.tenants),
        share(pod.shareBefore),
        share(pod.shareAfter),
        pod.exhaustedAt ? momentWords(pod.exhaustedAt) : pod.isExhausted ? 'from the start' : '-',
      ]),
    ),
  ];
  for (const { az, affinity, refused, lastPodAt, refusedAt } of day.queues) {
    const ask = requestWords(az, affinity) || 'general use';
    if (refusedAt)
      lines.push(`A pod for ${ask} is missing from ${momentWords(refusedAt)} on: ${refused} refused\n`);
    else if (lastPodAt)
      lines.push(
        `The last pod for ${ask} is in use from ${momentWords(lastPodAt)} on: the next is needed soon\n`,
      );
  }
  if (day.split.length === 0) lines.push('No tenant is split over several pods.\n');
  else {
    lines.push(`${day.split.length} tenants are split over several pods:\n`);
    for (const { tenant, affinity, pods } of day.split.slice(0, SHOWN_SPLIT)) {
      const ask = requestWords('', affinity);
      lines.push(`  ${tenant}${ask === '' ? '' : ` (${ask})`}: ${pods.join(', ')}\n`);
    }
    if (day.split.length > SHOWN_SPLIT)
      lines.push(`  ... and ${day.split.length - SHOWN_SPLIT} more; all are in --json\n`);
  }
  return lines.join('');
}
