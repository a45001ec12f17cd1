/** Amounts for pages: short to read, exact for who points at them, copies them or sorts by them. */
import { type Content, html } from './markup.ts';

const DIGITS = 3;
/** More than any text says; what lies beyond is noise of the arithmetic. */
const EXACT_DIGITS = 9;
/** What is smaller is no more than "about nothing". */
const LEAST = 1e-4;

/** To three significant digits, whole numbers in full: `0.0123`, `11.3`, `272`, `3,200`. */
export function shortNumber(value: number): string {
  if (Math.abs(value) >= 10 ** (DIGITS - 1) || Number.isInteger(value))
    return Math.round(value).toLocaleString('en');
  return Math.abs(value) < LEAST ? '≈ 0' : value.toPrecision(DIGITS);
}

/** @param unit of the exact value, such as `MiB`; the page's script shows it */
export function amount(value: number, shown: string, unit = ''): Content {
  const exact = `${Number(value.toPrecision(EXACT_DIGITS))} ${unit}`.trimEnd();
  return shown === exact ? shown : html`<data value="${exact}">${shown}</data>`;
}
