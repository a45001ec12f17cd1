/** Differences that stay, by their reasons: docs/reference/differences.md has them. */
import { readRequest } from '../../../../src/ledger/candidates/request/read-request.ts';
import { dialectOf } from '../../../../src/ledger/candidates/request/reading.ts';
import { ANY_NAME } from '../../../../test/ledger/candidates/builders/ask.ts';
import { knownFault, losesAnchors } from '../../candidates/known-faults.ts';
import type { Difference } from './differences.ts';
import type { Answered, Asked } from './wire.ts';

interface Case extends Difference {
  readonly asked: Asked;
  readonly ours: Answered;
  readonly theirs: Answered;
  readonly path: string;
}

/** The reason, and whether it explains a difference. */
const REASONS: readonly (readonly [reason: string, explains: (one: Case) => boolean])[] = [
  ['Placement fails', ({ ours, theirs }) => theirs.status === 500 && ours.status < 500],
  ['HEAD of what is open', ({ asked: { method }, ours }) => method === 'HEAD' && ours.status === 200],
  ['Vary on every answer', ({ what }) => /: vary .*, there undefined/.test(what)],
  [
    'errors as JSON',
    ({ what, asked: { method, headers } }) =>
      /: content-type /.test(what) && (headers.accept !== undefined || method === 'HEAD'),
  ],
  ['errors as JSON', ({ ours, theirs }) => ours.status === 401 && theirs.status === 401],
  [
    'media types by the standard',
    ({ asked: { headers } }) =>
      /charset|version|^x$/.test(headers.accept ?? '') || headers['content-type'] === 'APPLICATION/JSON',
  ],
  [
    'versions with an underscore',
    ({ asked }) => asked.headers['openstack-api-version']?.includes('_') === true,
  ],
  ['Last-Modified more often', ({ what }) => /last-modified here only/.test(what)],
  [
    'what cannot be decoded',
    ({ ours, path }) =>
      ours.status === 400 && (/cannot be decoded/.test(ours.text) || /%(?![0-9a-f]{2})|%[89a-f]/i.test(path)),
  ],
  ['what is written in paths as a part of a name', ({ path }) => /\/\.{1,2}$|%0[0-9a-f]|%2[ef]/i.test(path)],
  [
    'an underscore is an underscore',
    ({ asked, what }) => /name=startswith(:|%3A).*(_|%25)/.test(asked.target) && /: body/.test(what),
  ],
  [
    'names are looked up in any case',
    ({ asked, ours }) =>
      asked.method === 'GET' && ours.status === 400 && /No such (resource class|trait)/.test(ours.text),
  ],
  [
    'what cannot be kept',
    ({ ours }) =>
      ours.status === 400 &&
      /p\{Cc\}|\\n' does not match|cannot be kept|digits than are kept|'minLength' in schema\['properties'\]\['name'\]/.test(
        ours.text,
      ),
  ],
  [
    'amounts are whole numbers that can be told apart',
    ({ ours }) => ours.status === 400 && /expected positive integer amount. Got: \p{Nd}/u.test(ours.text),
  ],
  [
    'UUIDs in one spelling',
    ({ asked, ours, theirs, what, path }) =>
      (ours.status === 400 &&
        /is not a 'uuid'|(Malformed consumer_uuid|valid UUID\(s\). Got): (%7B|\{|urn:)/.test(ours.text)) ||
      /member_of\w*=(!|%21)?[0-9a-f]{32}/i.test(asked.target) ||
      (theirs.status === 404 && /[0-9A-F]{8}-[0-9A-F]{4}-/.test(path)) ||
      (/aggregates 200: body/.test(what) && /"[0-9a-fA-F]{32}"|[A-F]-/.test(theirs.text)),
  ],
  [
    'more reserved than there is',
    ({ ours }) => ours.status === 400 && ours.text.includes('The reserved value is'),
  ],
  [
    'the last of several counts',
    ({ asked, theirs, ours }) =>
      asked.method === 'GET' &&
      ours.status === 200 &&
      theirs.status === 400 &&
      /[?&](\w+)(=[^&]*)?&(.*&)?\1=/.test(asked.target),
  ],
  [
    'one of several faults is said',
    ({ ours, theirs }) =>
      (ours.status === 404 && [406, 415].includes(theirs.status)) ||
      (ours.status === 400 && theirs.text.includes('consumer generation conflict - expected')),
  ],
  ['faults of candidates', hasFaultyCandidates],
];

const textsOf = ({ text }: Answered): string[] =>
  (JSON.parse(text).allocation_requests as object[]).map((one) => JSON.stringify(one));

function hasFaultyCandidates({ asked, ours, theirs, path }: Case): boolean {
  if (path !== '/allocation_candidates' || ours.status !== 200 || theirs.status !== 200) return false;
  const pairs = [...new URLSearchParams(asked.target.slice(path.length))];
  const { request } = readRequest(pairs, dialectOf(asked.minor)).finish(ANY_NAME);
  if (!request) return false;
  const isPolicyNone = pairs.some(([name, value]) => name === 'group_policy' && value === 'none');
  return (
    knownFault(request, isPolicyNone) !== undefined || losesAnchors(request, textsOf(ours), textsOf(theirs))
  );
}

/** @returns the reason; undefined: none is known */
export function knownDifference(
  asked: Asked,
  ours: Answered,
  theirs: Answered,
  one: Difference,
): string | undefined {
  const path = asked.target.split('?')[0]!;
  return REASONS.find(([, explains]) => explains({ ...one, asked, ours, theirs, path }))?.[0];
}
