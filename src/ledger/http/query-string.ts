/** Query strings, whose order and repeats carry meaning here, and single parameters of them. */
import { badQuery } from './api-error.ts';

export type QueryPair = readonly [name: string, value: string];

interface Asked {
  readonly query: readonly QueryPair[];
}

/** Pairs in their order, divided by semicolons, too, as in Placement; and parts that cannot be decoded. */
export const parseQueryString = (text: string) => ({
  pairs: [...new URLSearchParams(text.replaceAll(';', '&'))],
  unreadable: text.split('&').filter((part) => !isText(part)),
});

/** Whether percent signs in it stand for text. */
export function isText(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}

/** The last use of a query parameter. */
export const parameter = ({ query }: Asked, name: string): string | undefined =>
  query.findLast(([key]) => key === name)?.[1];

/** @param rows one more than are shown, where there are so many @returns also the mark of the next page */
export function pageOf<Row, Mark>(rows: readonly Row[], limit: number, markOf: (last: Row) => Mark) {
  const shown = rows.slice(0, limit);
  return { shown, next: rows.length > limit ? markOf(shown.at(-1)!) : null };
}

/** @throws {ApiError} 400 */
export function wholeParameter(request: Asked, name: string, usual: number, most: number): number {
  const text = parameter(request, name);
  if (text === undefined) return usual;
  if (!/^[1-9]\d{0,15}$/.test(text)) throw badQuery(`${name}=${text} is not a whole number of at least 1`);
  return Math.min(Number(text), most);
}
