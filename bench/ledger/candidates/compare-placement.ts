/**
 * Compares our candidates with OpenStack Placement's (Debian's python3-placement) on random models and
 * queries.
 *
 *   npm run compare -- placement --models 300 --queries 8 --seed 1
 *
 * Everything but the names of its known faults (docs/why/candidates.md) must be equal. Prints one JSON line.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Forest } from '../../../src/ledger/candidates/forest/forest.ts';
import type { ProviderRecord } from '../../../src/ledger/candidates/forest/provider.ts';
import { readRequest } from '../../../src/ledger/candidates/request/read-request.ts';
import { dialectOf, LATEST_MINOR } from '../../../src/ledger/candidates/request/reading.ts';
import type { CandidateRequest } from '../../../src/ledger/candidates/request/request.ts';
import { findCandidates } from '../../../src/ledger/candidates/search/find-candidates.ts';
import { SHARING_TRAIT } from '../../../src/ledger/claims/model/names.ts';
import { answerTexts } from '../../../test/ledger/candidates/builders/answer-text.ts';
import { ANY_NAME } from '../../../test/ledger/candidates/builders/ask.ts';
import { randomModel, randomQuery } from '../../../test/ledger/candidates/builders/random-model.ts';
import { readArguments } from '../../arguments.ts';
import { Random } from '../../generate/random.ts';
import { knownFault, losesAnchors } from './known-faults.ts';

const ORACLE = fileURLToPath(new URL('placement-oracle.py', import.meta.url));
const USAGE = 'usage: npm run compare -- placement [--models N] [--queries N] [--seed S]';

const { values } = readArguments(USAGE, {
  models: { type: 'string', default: '100' },
  queries: { type: 'string', default: '8' },
  seed: { type: 'string', default: '1' },
});

interface Answer {
  readonly status: number;
  readonly detail?: string;
  readonly candidates?: readonly string[];
}

const DIALECT = dialectOf(LATEST_MINOR);

function ours(
  model: readonly ProviderRecord[],
  pairs: readonly (readonly [string, string])[],
): Answer & { readonly request?: CandidateRequest } {
  const { request, problems } = readRequest(pairs, DIALECT).finish(ANY_NAME);
  if (!request) return { status: 400, detail: problems.map(({ problem }) => problem).join('; ') };
  return { status: 200, candidates: answerTexts(findCandidates(new Forest(model), request)).sort(), request };
}

/**
 * Placement looks a provider up among the trees whose roots it has seen, which leaves out a sharing one that
 * is no root.
 */
const hasNestedSharer = (model: readonly ProviderRecord[]): boolean =>
  model.some(({ parentUuid, traits }) => parentUuid !== undefined && traits.includes(SHARING_TRAIT));
const hasSharer = (model: readonly ProviderRecord[]): boolean =>
  model.some(({ traits }) => traits.includes(SHARING_TRAIT));

const seed = Number(values.seed);
const jobs = Array.from({ length: Number(values.models) }, (_, n) => {
  const random = new Random(seed * 1_000_003 + n, 'placement');
  const model = randomModel(random);
  const queries = Array.from({ length: Number(values.queries) }, () =>
    randomQuery(random, model, { beyond: false }),
  );
  return { model, queries };
});
const encode = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

const oracle = spawn('/usr/bin/python3', [ORACLE], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: oracle.stdout });
oracle.stdin.end(
  jobs.map(({ model, queries }) => `${JSON.stringify({ model, queries: queries.map(encode) })}\n`).join(''),
);

const count = { queries: 0, equal: 0, refused: 0, candidates: 0, different: 0 };
const explained: Record<string, number> = {};
let n = 0;
for await (const line of lines) {
  const { model, queries } = jobs[n++]!;
  const theirs = JSON.parse(line) as Answer[];
  queries.forEach((pairs, k) => {
    const mine = ours(model, pairs);
    const other = theirs[k]!;
    count.queries++;
    if (
      mine.status === other.status &&
      JSON.stringify(mine.candidates) === JSON.stringify(other.candidates)
    ) {
      count.equal++;
      if (mine.status === 200) count.candidates += mine.candidates!.length;
      else count.refused++;
      return;
    }
    const isLookupFault = other.status === 500 && mine.status === 200 && hasNestedSharer(model);
    const isPolicyNone = pairs.some(([name, value]) => name === 'group_policy' && value === 'none');
    const fault = isLookupFault
      ? 'status 500 with a sharing provider that is no root'
      : mine.request &&
        (knownFault(mine.request, isPolicyNone) ??
          (other.status === 200 &&
          hasSharer(model) &&
          losesAnchors(mine.request, mine.candidates!, other.candidates!)
            ? 'anchors of sharing providers lost'
            : undefined));
    if (fault) {
      explained[fault] = (explained[fault] ?? 0) + 1;
      return;
    }
    count.different++;
    if (count.different <= 3)
      console.error(
        JSON.stringify({ query: encode(pairs), ours: mine, theirs: other, model }, (key, value) =>
          key === 'request' ? undefined : value,
        ),
      );
  });
}
console.log(JSON.stringify({ name: 'compare-placement', seed, models: n, ...count, explained }));
process.exit(count.different > 0 || n < jobs.length ? 1 : 0);
