/** Documents that nearly fit: one value of them is another, missing, unknown or named twice. */
import type { Random } from '../../../generate/random.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const MOST = 2 ** 31 - 1;
const UUID = '5e0dfd0b-1a0b-4d5b-9c62-51d5ac2a0d11';
/** Other values of any member. */
const ODD: readonly Json[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 2.0, MOST, MOST + 1, 2 ** 53, 1e300, -1e300, 1e-9, 0.001],
  ...['', ' ', 'x', '1', '0', 'null', 'a b', 'A\n', '\n', '\t', '\u0000', '\u007f', '\u202e', '\ud800'],
  ...[
    'é',
    'e\u0301',
    '😀',
    'ſ',
    'İ',
    '<b>&amp;</b>',
    '\'"\\',
    '{x}',
    '%41',
    '../x',
    '__proto__',
    'constructor',
  ],
  ...['a'.repeat(200), 'a'.repeat(201), 'a'.repeat(255), 'a'.repeat(256), '😀'.repeat(200), '😀'.repeat(128)],
  ...['VCPU', 'CUSTOM_', 'CUSTOM_A', 'custom_a', 'CUSTOM_Ä', 'all', 'unknown', 'INSTANCE'],
  ...[
    UUID,
    UUID.toUpperCase(),
    UUID.replaceAll('-', ''),
    `{${UUID}}`,
    `urn:uuid:${UUID}`,
    `${UUID} `,
    `${UUID}\n`,
  ],
  ...['-'.repeat(36), '0'.repeat(36), UUID.replaceAll('-', '').replace(/(..)/g, '$1-').slice(0, 47)],
  ...[[], {}, [[]], [null], [1], ['x', 'x'], [UUID, UUID], { x: 1 }, { '': 1 }, { VCPU: 1 }, { VCPU: 0 }],
  ...[{ [UUID]: { resources: { VCPU: 1 } } }, { inventories: {} }, { uuid: UUID }],
];
const NAMES = [
  'x',
  '',
  'uuid',
  'name',
  'generation',
  'VCPU',
  'vcpu',
  'CUSTOM_NO',
  'toString',
  '__proto__',
  UUID,
];

/** Texts instead of documents. */
const TEXTS = [
  ...[
    '',
    ' ',
    '{',
    '}',
    'null',
    '[]',
    '{}',
    '""',
    '1',
    'true',
    'NaN',
    'Infinity',
    '-Infinity',
    '{]',
    '\ufeff{}',
  ],
  ...[
    '{"a":1,}',
    "{'a':1}",
    '{"a":NaN}',
    '{"total":1e400}',
    '{} x',
    '// x\n{}',
    '[1',
    '"\\ud800"',
    '"\u0001"',
  ],
];

const isParent = (value: Json): value is readonly Json[] | { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null;

/** Every place in a document. */
function* placesOf(value: Json, path: readonly string[] = []): Generator<readonly string[]> {
  yield path;
  if (isParent(value))
    for (const [name, member] of Object.entries(value)) yield* placesOf(member, [...path, name]);
}

/** The document with another value at a place; undefined: none. */
function replaced(value: Json, [name, ...rest]: readonly string[], by: Json | undefined): Json {
  if (name === undefined || !isParent(value)) return by ?? null;
  if (Array.isArray(value)) {
    const list = [...value];
    if (rest.length === 0 && by === undefined) list.splice(Number(name), 1);
    else list[Number(name)] = replaced(list[Number(name)]!, rest, by);
    return list;
  }
  const members = Object.entries(value as { readonly [name: string]: Json });
  return Object.fromEntries(
    rest.length === 0 && by === undefined
      ? members.filter(([key]) => key !== name)
      : members.map(([key, member]) => [key, key === name ? replaced(member, rest, by) : member]),
  );
}

const at = (value: Json, path: readonly string[]): Json =>
  path.reduce<Json>((inner, name) => (inner as { readonly [name: string]: Json })[name]!, value);

/** A text that is the document but for one fault. */
export function spoilt(random: Random, document: unknown): string {
  const value = document as Json;
  if (random.chance(0.08)) return random.pick(TEXTS);
  const path = random.pick([...placesOf(value)]);
  const kind = random.below(10);
  if (kind === 0 && path.length > 0) return JSON.stringify(replaced(value, path, undefined));
  const target = at(value, path);
  if (kind <= 2 && isParent(target) && !Array.isArray(target))
    return JSON.stringify(
      replaced(value, path, { ...target, [random.pick(NAMES)]: random.pick(ODD) } as Json),
    );
  if (kind === 3 && typeof target === 'number')
    return JSON.stringify(replaced(value, path, '@')).replace(
      '"@"',
      random.pick(['1.0', '1e0', '-0', '01', '1E2', '1.00000000000000001']),
    );
  if (kind === 4 && isParent(target) && !Array.isArray(target) && Object.keys(target).length > 0) {
    const [name, member] = random.pick(Object.entries(target));
    // JSON may name a member twice: the last one counts.
    const twice = `{${JSON.stringify(name)}:${JSON.stringify(random.pick(ODD))},${JSON.stringify({ ...target, [name]: member }).slice(1)}`;
    return JSON.stringify(replaced(value, path, '@')).replace('"@"', () => twice);
  }
  return JSON.stringify(replaced(value, path, random.pick(ODD)));
}
