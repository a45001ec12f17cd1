/** What two answers to the same request have that clients would tell apart. */
import type { Answered, Asked } from './wire.ts';

const SHOWN = 300;

interface ErrorDocument {
  readonly errors: readonly {
    readonly status: number;
    readonly title: string;
    readonly code?: string;
    readonly detail: string;
  }[];
}

/** The order of lists is promised nowhere. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(unordered).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, unordered(member)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** A document as it is compared: errors by what programs read of them. */
function comparable({ status, text, headers }: Answered, { target }: Asked): unknown {
  if (!headers['content-type']?.startsWith('application/json'))
    return text === '' ? '' : status >= 400 ? 'text' : text;
  const document = JSON.parse(text) as Record<string, unknown>;
  if (status >= 400 && !Array.isArray(document.errors)) return 'text';
  if (status >= 400)
    return (document as unknown as ErrorDocument).errors.map(({ detail: _, ...rest }) =>
      Object.fromEntries(
        Object.entries(rest).map(([name, value]) => [name, name === 'request_id' ? 'some' : value]),
      ),
    );
  // Which candidates a limit leaves is promised nowhere.
  if (/[?&]limit=/.test(target) && 'allocation_requests' in document)
    return (document.allocation_requests as object[]).length;
  return document;
}

const HEADERS = ['openstack-api-version', 'content-type', 'vary'] as const;
const PRESENT = ['last-modified', 'cache-control', 'x-openstack-request-id'] as const;

export const pathOf = (location: string | undefined): string | undefined =>
  location?.replace(/^https?:\/\/[^/]+/, '');
const listOf = (header: string | undefined): string | undefined => header?.split(/,\s*/).sort().join();

export interface Difference {
  /** Kind of request, and of difference. */
  readonly what: string;
  readonly shown: string;
}

const cut = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === undefined ? 'none' : text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
};

/** The first difference that two texts of documents have, and a little around it. */
function around(a: string, b: string): readonly [string, string] {
  let k = 0;
  while (k < a.length && a[k] === b[k]) k++;
  const from = Math.max(0, k - 60);
  return [a.slice(from, k + 120), b.slice(from, k + 120)];
}

/** @returns undefined for none */
export function difference(asked: Asked, ours: Answered, theirs: Answered): Difference | undefined {
  const { route } = asked;
  if (ours.status !== theirs.status)
    return {
      what: `${route}: ${ours.status}, there ${theirs.status}`,
      shown: `${cut(ours.text)}\n    there: ${cut(theirs.text)}`,
    };
  for (const name of HEADERS) {
    const [a, b] = [ours, theirs].map(({ headers }) => headers[name]);
    if (a !== b) return { what: `${asked.method} ${ours.status}: ${name} ${a}, there ${b}`, shown: route };
  }
  for (const name of PRESENT) {
    const [a, b] = [ours, theirs].map(({ headers }) => headers[name] !== undefined);
    if (a !== b)
      return { what: `${route} ${ours.status}: ${name} ${a ? 'here only' : 'there only'}`, shown: '' };
  }
  const places = [pathOf(ours.headers.location), pathOf(theirs.headers.location)];
  if (places[0] !== places[1])
    return { what: `${route} ${ours.status}: location`, shown: places.join(', there ') };
  const allowed = [listOf(ours.headers.allow), listOf(theirs.headers.allow)];
  if (allowed[0] !== allowed[1])
    return { what: `${route} ${ours.status}: allow`, shown: allowed.join(', there ') };
  const [a, b] = [ours, theirs].map((answer) => JSON.stringify(unordered(comparable(answer, asked))));
  if (a !== b) {
    const [x, y] = around(a!, b!);
    return { what: `${route} ${ours.status}: body`, shown: `${x}\n    there: ${y}` };
  }
  return undefined;
}
