/** What became of a request, and why. */
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import type { Selected } from '../../../binding/book/select.ts';
import type { PodWord } from '../../../binding/choice/choose.ts';
import type { Candidate } from '../../../binding/weighers/weighers.ts';
import { whoWords } from './words.ts';

/** The pod, `kept` or `new`, and the binding's number; then which pod the tenant leaves, if any, and why. */
export function selectedText(selected: Selected, isDry: boolean): string {
  if (selected.kind === 'none') return '';
  if (selected.kind === 'kept') return `${selected.pod.name} kept ${selected.binding.id}\n`;
  const { pod, binding, ended, left } = selected;
  const leaves = ended ? `, leaves ${left!.name}: ${ended.endReason}` : '';
  return `${pod.name} ${isDry ? 'would be new' : `new ${binding.id}`}${leaves}\n`;
}

export function noneText(tenant: string, selected: Selected & { readonly kind: 'none' }): string {
  const { question, refusedBy, left, words } = selected;
  const who = whoWords({ tenant, ...question });
  const counts = Object.entries(refusedBy)
    .map(([filter, count]) => `${count} by ${filter}`)
    .join(', ');
  const stays = left ? `; it stays bound to ${left.name}` : '';
  return `Refused: no pod takes ${who}: ${counts === '' ? 'there are no pods' : `refused ${counts}`}${stays}\n${words ? '' : 'Maybe see why: hbind select --explain --dry-run ...\n'}`;
}

const figure = (value: number): string => String(Number(value.toFixed(4)));

export function weightsTable(candidates: readonly Candidate[]): string {
  const names = candidates[0]?.weighings.map(({ weigher }) => weigher) ?? [];
  return reportTable(
    '',
    [...texts('Pod'), ...numbers('Total', ...names)],
    candidates.map(({ pod, total, weighings }) => [
      pod.name,
      figure(total),
      ...weighings.map(({ scaled, multiplier }) => `${figure(scaled)}x${multiplier}`),
    ]),
  );
}

/** Each filter's and weigher's word for each pod: candidates by rank, then the refused with all reasons. */
export function explanationText(words: readonly PodWord[]): string {
  const lines = words.map(({ pod, filters, place, total, weighings }) => {
    const passed = filters.filter(({ why }) => why === null).map(({ filter }) => filter);
    const refused = filters.filter(({ why }) => why !== null);
    const weights = weighings
      .map(({ weigher, scaled, multiplier }) => `${weigher} ${figure(scaled)} x ${multiplier}`)
      .join(', ');
    const head =
      place !== null
        ? `${place}. ${pod}: ${figure(total!)}${weights === '' ? '' : ` (${weights})`}`
        : `-  ${pod}: ${refused.length === 0 ? 'left out, the tenant is leaving it' : 'refused'}`;
    return [
      head,
      ...refused.map(({ filter, why }) => `     ${filter}: ${why}`),
      `     passes ${passed.join(', ') || 'none'}`,
    ].join('\n');
  });
  return `${lines.join('\n')}\n`;
}
