/** Amounts in words, for pages: short, and exact for who points at them or copies them. */

import { amount, type Content, html, type Markup, shortNumber } from '../../../../kit/report/html/markup.ts';
import { duration } from '../../../../kit/report/sentences.ts';
import { someOf } from '../../../../kit/text/words.ts';
import { type AmountWords, inUnits, metricWords, moveWords } from '../questions/words.ts';

interface Unit {
  readonly unit: string;
  readonly size: number;
}

const UNITS_OF_SIZE: readonly Unit[] = [
  { unit: 'PiB', size: 1024 ** 3 },
  { unit: 'TiB', size: 1024 ** 2 },
  { unit: 'GiB', size: 1024 },
  { unit: 'MiB', size: 1 },
];
const UNITS_OF_TIME: readonly Unit[] = [
  { unit: 'd', size: 86_400 },
  { unit: 'h', size: 3600 },
  { unit: 'min', size: 60 },
  { unit: 's', size: 1 },
];

/** The largest unit that leaves a number of at least 1. */
const unitOf = (units: readonly Unit[], value: number): Unit =>
  units.find(({ size }) => Math.abs(value) >= size) ?? units.at(-1)!;

export function sizeText(mib: number): string {
  const { unit, size } = unitOf(UNITS_OF_SIZE, mib);
  return `${shortNumber(mib / size)} ${unit}`;
}

/** The unit of an axis that goes up to so many seconds. */
export const timeUnit = (mostSeconds: number): Unit => unitOf(UNITS_OF_TIME, mostSeconds);

/** @param mib null: not known */
export const size = (mib: number | null | undefined): Content =>
  mib === null || mib === undefined ? 'not known' : amount(mib, sizeText(mib), 'MiB');

export const time = (seconds: number): Content => amount(seconds, duration(seconds), 's');

const PERCENT = 100;
// Templates of markup hold no letters beyond ASCII: bundles would keep them as they are.
const PERCENT_SIGN = '\u00a0%';

export const percentText = (share: number): string => `${shortNumber(PERCENT * share)}${PERCENT_SIGN}`;
export const percent = (share: number | null): Content =>
  share === null ? 'not known' : amount(share, percentText(share));

/** A share as a whole number of percents. @param exact the amounts that it is of */
export const roughPercent = (share: number, exact: string): Markup =>
  html`<data value="${(PERCENT * share).toFixed(2)} %, ${exact}">${Math.round(PERCENT * share)}${PERCENT_SIGN}</data>`;

export const scoreText = (score: number | null): string =>
  score === null ? 'not a number' : shortNumber(score);
export const score = (value: number | null): Content =>
  value === null ? scoreText(value) : amount(value, scoreText(value));

const ARROW = ' \u2192 ';

export function change(before: Content, after: Content): Markup {
  const [was, is] = [html`${before}`, html`${after}`];
  return was.text === is.text ? is : html`${was}${ARROW}${is}`;
}

/** `1 step`, `1,013 steps`. */
export const many = (n: number, one: string, more = `${one}s`): string =>
  `${shortNumber(n)} ${n === 1 ? one : more}`;

export const metricName = (code: string): Markup => html`${metricWords(code)} <small>${code}</small>`;

/** How an instance moves, in words, with the short form that the text has. */
export const moveCell = (notation: string): Markup =>
  html`<span title="${notation}">${moveWords(notation)}</span>`;

export const marked = (isGood: boolean, word: string): Markup =>
  html`<span class="${isGood ? 'good' : 'bad'}">${word}</span>`;

/** A name that is cut, with the whole of it for who asks. */
export const nameCell = (name: string, short: (name: string) => string): Content =>
  short(name) === name ? name : html`<span title="${name}">${short(name)}</span>`;

/** `node1:node2`. */
export const placeWords = (
  place: { readonly primary: string | null; readonly secondary: string | null },
  short: (name: string) => string = (name) => name,
): string => [place.primary, place.secondary].flatMap((name) => (name === null ? [] : short(name))).join(':');

/** How names are cut: the ending that all of the cluster have in common goes, as in nodes' aliases. */
export function shortNames(
  nodes: readonly { readonly name: string; readonly alias: string }[],
): (name: string) => string {
  const [{ name, alias } = { name: '', alias: '' }] = nodes;
  const ending = name.slice(alias.length);
  return (full) => (ending !== '' && full.endsWith(ending) ? full.slice(0, -ending.length) : full);
}

const MOST_NAMES = 4;

/** The first of some names, and how many more there are, where that is shorter. */
export const someNames = (names: readonly string[]): string =>
  someOf(names, names.length === MOST_NAMES + 1 ? names.length : MOST_NAMES);

export const shortAmount: AmountWords = (value, unit) =>
  unit === 'MiB' ? sizeText(value) : inUnits(value, unit, shortNumber(value));

/** A sentence with amounts that are short, and exact for who points at it or copies it. */
export function withExact(say: (words?: AmountWords) => string): Content {
  const [short, exact] = [say(shortAmount), say()];
  return short === exact ? short : html`<data value="${exact}">${short}</data>`;
}
