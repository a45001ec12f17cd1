/** What of a node is in use, as bars and in words. */
import { type BarPart, stackedBars } from '../../../../kit/report/html/charts.ts';
import { type Content, html, type Markup } from '../../../../kit/report/html/markup.ts';
import type { Card } from '../../../../kit/report/html/page.ts';
import type { NodeRow } from '../../../results/parts/tables.ts';
import { change, percentText, roughPercent, score, size, sizeText } from './words.ts';

interface Use {
  readonly used: number;
  readonly kept: number;
  readonly total: number;
}

export const memoryOf = (node: NodeRow): Use => {
  const free = Math.max(0, node.unallocatedMemMib);
  const kept = Math.min(free, node.reservedMemMib);
  return { used: node.totalMemMib - free, kept, total: node.totalMemMib };
};
export const diskOf = ({ totalDiskMib, freeDiskMib }: NodeRow): Use => ({
  used: totalDiskMib - freeDiskMib,
  kept: 0,
  total: totalDiskMib,
});

export const shareOf = ({ used, total }: Use): number => (total > 0 ? used / total : 0);
export const ratioOf = ({ vcpuRatio, totalCpus }: NodeRow): number => (totalCpus > 0 ? vcpuRatio : 0);

const sizes = ({ used, kept, total }: Use): string =>
  `${sizeText(used)} in use${kept > 0 ? `, ${sizeText(kept)} kept for N+1` : ''}, of ${sizeText(total)}`;
const exact = ({ used, total }: Use): string => `${used} of ${total} MiB`;

const useShare = (use: Use): Markup => roughPercent(shareOf(use), exact(use));

/** Bars one below the other, and what they show in short. */
const barCell = (words: string, bars: readonly (readonly BarPart[])[], short: Content): Markup =>
  html`<div class="bars${bars.length > 1 && ' two'}">${stackedBars(words, bars)}<small>${short}</small></div>`;

export const shareBar = (what: string, share: number, short: Content): Markup =>
  barCell(`${what}: ${percentText(share)}`, [[{ kind: 'after', share }]], short);

export function sizeBar(what: string, total: number | null, free: number | null): Markup {
  const used = (total ?? 0) - (free ?? 0);
  return shareBar(what, total ? used / total : 0, html`${size(used)} of ${size(total)}`);
}

export function fullness(nodes: readonly NodeRow[], question: string): Card {
  const online = nodes.filter(({ isOffline }) => !isOffline);
  const sum = (of: (node: NodeRow) => number): number => online.reduce((all, one) => all + of(one), 0);
  const [memory, disk] = [memoryOf, diskOf].map((of) => ({
    used: sum((node) => of(node).used),
    kept: sum((node) => of(node).kept),
    total: sum((node) => of(node).total),
  })) as [Use, Use];
  const cpus = sum(({ totalCpus }) => totalCpus);
  return {
    question,
    answer: html`${useShare(memory)} of memory`,
    lines: [
      html`${size(memory.total - memory.used)} of memory free, ${size(memory.kept)} of it kept for N+1`,
      html`${useShare(disk)} of disk`,
      html`${score(cpus > 0 ? sum(({ usedVcpus }) => usedVcpus) / cpus : 0)} virtual cpus a cpu`,
    ],
  };
}

/** A state of several: the last one is what is or will be. */
export const kindOf = (k: number, count: number): 'before' | 'after' =>
  k === count - 1 ? 'after' : 'before';

export const either = <T>(values: readonly T[], words: (value: T) => string): string =>
  values.length > 1 ? `before ${words(values[0]!)}; after ${words(values[1]!)}` : words(values[0]!);

export function useCell(what: string, uses: readonly Use[]): Content {
  if (uses.every(({ total }) => total <= 0)) return '-';
  const bars = uses.map((use, k): readonly BarPart[] => [
    { kind: kindOf(k, uses.length), share: shareOf(use) },
    { kind: 'kept', share: use.kept / use.total },
  ]);
  return barCell(`${what}: ${either(uses, sizes)}`, bars, change(useShare(uses[0]!), useShare(uses.at(-1)!)));
}

export function ratioCell(states: readonly NodeRow[], most: number): Content {
  if (states.every(({ totalCpus }) => totalCpus <= 0)) return '-';
  const ratios = states.map(ratioOf);
  const words = (ratio: number): string => `${ratio.toFixed(2)} a cpu`;
  const bars = ratios.map((ratio, k) => [{ kind: kindOf(k, ratios.length), share: ratio / most }]);
  return barCell(
    `Virtual cpus: ${either(ratios, words)}`,
    bars,
    change(score(ratios[0]!), score(ratios.at(-1)!)),
  );
}
