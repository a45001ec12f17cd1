/** How much of an amount is in use, as bars one below the other. */
import { type BarPart, stackedBars } from '../../../../kit/report/html/charts.ts';
import { html, type Markup } from '../../../../kit/report/html/markup.ts';
import { sizeWords } from './words.ts';

/** @param words everything that the bars show @param short what stands below them */
export const useBars = (words: string, bars: readonly (readonly BarPart[])[], short: string): Markup =>
  html`<div class="bars">${stackedBars(words, bars)}<small>${short}</small></div>`;

/** One bar of an amount in MiB. @param what it is of: `Memory` */
export function sizeBar(what: string, total: number | null, free: number | null): Markup {
  const used = (total ?? 0) - (free ?? 0);
  const words = `${sizeWords(used)} of ${sizeWords(total)}`;
  return useBars(`${what}: ${words} in use`, [[{ kind: 'used', share: total ? used / total : 0 }]], words);
}
