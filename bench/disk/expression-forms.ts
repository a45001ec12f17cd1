/**
 * Calls of every function in every form: on what there is, with up to three arguments of any kind, with
 * names; and every operator.
 */
import { pick, type Random, randomFrom } from '../../test/disk/solve/random-problem.ts';

/** An expression, and the same with lists in the place of queries, as we read them. */
export interface Form {
  readonly expression: string;
  readonly withLists: string;
}

const VALUES: readonly string[] = [
  ...['[]', '[3, 1, 2]', '[1, 1.0, 2]', '[null]', '[[a, 1], [b, 2]]', '[[1, [2]], 3]', '[a, b]', '[9]'],
  ...["''", "'abcab'", "'a,b'", "'b'", 'a', "','", '{}', '{a => 1, b => 2}', '$.host', '$.disks'],
  ...['0', '1', '-1', '2', '5', '1.5', 'null', 'true', 'false'],
];
/** What gives its items by and by. */
const QUERIES: readonly string[] = [
  ...['$.disks.where($.type = hdd)', '$.disks.where(false)', '[1, 2, 3].where($ > 1)', '$.disks.id'],
  ...['range(4)', '[b, a].orderBy($)', '{a => 1, b => 2}.keys()', '[1, 2].select([$, $])'],
];
/** Expressions over items. */
const OVER_ITEMS: readonly string[] = ['$ > 1', '$ * 2', '$ = 2', '$1 + $2', '$[0]', '$.nope'];
const OPERATORS = '+ - * / mod = != < <= > >= in and or =~ !~'.split(' ');
const MOST_ARGUMENTS = 3;
/** Parts of all forms. */
const [OPERATIONS, INDEXES, METHODS, BY_NAME] = [0.12, 0.2, 0.7, 0.05];

const plain = (expression: string): Form => ({ expression, withLists: expression });
const query = (expression: string): Form => ({ expression, withLists: `${expression}.toList()` });

const OPERANDS: readonly Form[] = [...VALUES.map(plain), ...QUERIES.map(query)];
const ARGUMENTS: readonly Form[] = [...OPERANDS, ...OVER_ITEMS.map(plain)];

/** One form from parts. */
const form = (parts: readonly (Form | string)[]): Form => {
  const text = (key: keyof Form): string =>
    parts.map((part) => (typeof part === 'string' ? part : part[key])).join('');
  return { expression: text('expression'), withLists: text('withLists') };
};

function call(random: Random, name: string, parameters: readonly string[]): Form {
  const isMethod = random() < METHODS;
  const count = Math.floor(random() * (MOST_ARGUMENTS + 1));
  const given: (Form | string)[] = [];
  for (let at = 0; at < count; at++) {
    if (at > 0) given.push(', ');
    if (parameters.length > 0 && random() < BY_NAME) given.push(`${pick(random, parameters)} => `);
    given.push(pick(random, ARGUMENTS));
  }
  return isMethod
    ? form(['(', pick(random, OPERANDS), `).${name}(`, ...given, ')'])
    : form([`${name}(`, ...given, ')']);
}

function operation(random: Random): Form {
  const [left, right] = [pick(random, OPERANDS), pick(random, OPERANDS)];
  if (random() < INDEXES) return form(['(', left, ')[', right, ']']);
  return form(['(', left, `) ${pick(random, OPERATORS)} (`, right, ')']);
}

/**
 * Each form once.
 * @param functions by name, with the names that their arguments may be given by
 */
export function formsOf(
  functions: Readonly<Record<string, readonly string[]>>,
  count: number,
  seed: number,
): readonly Form[] {
  const random = randomFrom(seed);
  const names = Object.keys(functions);
  const forms = new Map<string, Form>();
  const add = (one: Form): unknown => forms.set(one.expression, one);
  for (const name of names)
    for (const operand of OPERANDS) {
      add(form(['(', operand, `).${name}()`]));
      add(form([`${name}(`, operand, ')']));
    }
  for (let at = 0; at < count; at++) {
    const name = names[at % names.length]!;
    add(random() < OPERATIONS ? operation(random) : call(random, name, functions[name]!));
  }
  return [...forms.values()];
}
