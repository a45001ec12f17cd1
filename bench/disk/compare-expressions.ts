/**
 * Compares our expressions with Debian's python3-yaql, on the table that the tests use and on calls of all
 * its functions in all forms: `npm run compare -- expressions --count 20000 --seed 1`. Where ours is an
 * error, a form is not taken; any other answer of its own is a surprise, unless the reference gives it once
 * lists stand in the place of queries, as docs/reference/differences.md has it.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FUNCTIONS } from '../../src/disk/expressions/functions/function-table.ts';
import { evaluateOver } from '../../test/disk/expressions/evaluate-over.ts';
import { outcomeOf } from '../../test/disk/expressions/shown.ts';
import { DATA, DIFFERENCES, NOT_TAKEN, OUTCOMES } from '../../test/disk/expressions/table.ts';
import { readArguments } from '../arguments.ts';
import { type Form, formsOf } from './expression-forms.ts';

const { values } = readArguments('usage: npm run compare -- expressions [--count N] [--seed S]', {
  count: { type: 'string', default: '20000' },
  seed: { type: 'string', default: '1' },
});

const SCRIPT = fileURLToPath(new URL('yaql-outcomes.py', import.meta.url));
// The distribution's own Python has the package; another one on the path need not.
const PYTHON = '/usr/bin/python3';
const MOST_OUTPUT_BYTES = 2 ** 30;
const EXIT_DIFFERENT = 1;
const ERROR = 'error';
/** Parts of the language, no functions. */
const BEFORE_ARROW: ReadonlySet<string> = new Set(['let', 'with']);

interface Reference {
  readonly functions: Readonly<Record<string, readonly string[]>>;
  readonly outcomes: readonly string[];
}

function ask(expressions: readonly string[]): Reference {
  const { stdout, stderr, status } = spawnSync(PYTHON, [SCRIPT], {
    input: JSON.stringify({ data: DATA, expressions }),
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT_BYTES,
  });
  if (status === 0) return JSON.parse(stdout) as Reference;
  console.error(`python3-yaql cannot be asked: ${stderr?.trim().split('\n').at(-1) ?? PYTHON}`);
  process.exit(EXIT_DIFFERENT);
}

/** Ours, where it can be written: no list is a key of a mapping there. */
function writtenOutcome(expression: string): string {
  const ours = outcomeOf(expression, DATA);
  try {
    if (ours !== ERROR) evaluateOver(expression, DATA);
    return ours;
  } catch {
    return ERROR;
  }
}

const expected = [
  ...OUTCOMES.map(([expression, outcome]) => ({ expression, outcome, reference: outcome })),
  ...DIFFERENCES,
];
const { functions, outcomes: listed } = ask(expected.map(({ expression }) => expression));
const surprises = expected.flatMap(({ expression, outcome, reference }, at) => {
  const ours = outcomeOf(expression, DATA);
  const isAsListed = ours === outcome && listed[at] === reference;
  return isAsListed ? [] : [`${expression}\n  ours      ${ours}\n  reference ${listed[at]}`];
});
for (const { expression, outcome, reference, reason } of DIFFERENCES)
  console.log(`listed: ${expression}: ${outcome}, not ${reference}: ${reason}`);

const missing = Object.keys(functions).filter(
  (name) => !Object.hasOwn(FUNCTIONS, name) && !BEFORE_ARROW.has(name),
);
if (missing.join() !== [...NOT_TAKEN].sort().join())
  surprises.push(
    `functions that are not taken\n  listed    ${NOT_TAKEN.join(' ')}\n  there are ${missing.join(' ')}`,
  );

const taken = Object.fromEntries(
  Object.entries(functions).filter(([name]) => Object.hasOwn(FUNCTIONS, name)),
);
const forms = formsOf(taken, Number(values.count), Number(values.seed));
const { outcomes } = ask(forms.map(({ expression }) => expression));
const own: (Form & { readonly ours: string; readonly reference: string })[] = [];
const counts = { alike: 0, refused: 0, withLists: 0 };
for (const [at, one] of forms.entries()) {
  const [ours, reference] = [writtenOutcome(one.expression), outcomes[at]!];
  if (ours === reference) counts.alike++;
  else if (ours === ERROR) counts.refused++;
  else own.push({ ...one, ours, reference });
}
// The items of a mapping can be read, and cannot be written by the reference.
const { outcomes: again } = ask(own.flatMap(({ withLists }) => [withLists, `(${withLists}).toList()`]));
for (const [at, { expression, ours, reference }] of own.entries()) {
  if (ours === again[2 * at] || ours === again[2 * at + 1]) counts.withLists++;
  else surprises.push(`${expression}\n  ours      ${ours}\n  reference ${reference}`);
}

for (const surprise of surprises) console.log(surprise);
console.log(
  `${expected.length} expressions, ${OUTCOMES.length} alike, ${DIFFERENCES.length} listed differences; ${forms.length} forms of ` +
    `${Object.keys(taken).length} functions, ${counts.alike} alike, ${counts.refused} refused by ours alone, ${counts.withLists} with lists ` +
    `in the place of queries; ${surprises.length} surprises`,
);
process.exit(surprises.length > 0 ? EXIT_DIFFERENT : 0);
