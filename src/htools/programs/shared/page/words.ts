/** Amounts in words, for pages. */
import { html, type Markup } from '../../../../kit/report/html/markup.ts';

const KIB = 1024;

/** MiB in the largest unit that leaves a number above 1. */
export function sizeWords(mib: number | null | undefined): string {
  if (mib === null || mib === undefined) return 'not known';
  if (Math.abs(mib) < KIB) return `${Math.round(mib)} MiB`;
  const gib = mib / KIB;
  return Math.abs(gib) < KIB ? `${gib.toFixed(1)} GiB` : `${(gib / KIB).toFixed(2)} TiB`;
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

export function timeWords(seconds: number): string {
  if (seconds < MINUTE) return `${Math.ceil(seconds)} s`;
  if (seconds < HOUR) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < DAY) return `${(seconds / HOUR).toFixed(1)} h`;
  return `${(seconds / DAY).toFixed(1)} d`;
}

const PERCENT = 100;

export const shareWords = (share: number | null): string =>
  share === null ? 'not known' : `${(share * PERCENT).toFixed(1)}\u00a0%`;

const DIGITS = 6;

export const scoreWords = (score: number | null): string =>
  score === null ? 'not a number' : score.toFixed(DIGITS);

/** A word that is good news or bad. */
export const marked = (isGood: boolean, word: string): Markup =>
  html`<span class="${isGood ? 'good' : 'bad'}">${word}</span>`;

export const yesOrNo = (isGood: boolean): Markup => marked(isGood, isGood ? 'yes' : 'no');

/** A name that is cut, with the whole of it for who asks. */
export const nameCell = (name: string, short: (name: string) => string): Markup =>
  html`<span class="line" title="${name}">${short(name)}</span>`;

/** `node1:node2`. */
export const placeWords = (
  place: { readonly primary: string | null; readonly secondary: string | null },
  short: (name: string) => string = (name) => name,
): string => [place.primary, place.secondary].flatMap((name) => (name === null ? [] : short(name))).join(':');

/**
 * How names are cut: the ending that all of the cluster have in common goes, as in the nodes' short names.
 */
export function shortNames(
  nodes: readonly { readonly name: string; readonly alias: string }[],
): (name: string) => string {
  const [{ name, alias } = { name: '', alias: '' }] = nodes;
  const ending = name.slice(alias.length);
  return (full) => (ending !== '' && full.endsWith(ending) ? full.slice(0, -ending.length) : full);
}
