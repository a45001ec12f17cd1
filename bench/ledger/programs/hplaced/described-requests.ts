/** Requests made from the service's own description: any path, method, query and form of body that it has. */
import type { Random } from '../../../generate/random.ts';
import { uuidOf } from './big-ledger.ts';

/** The parts of a JSON schema that the description uses. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly queryNames: readonly string[];
  readonly body: Schema | undefined;
}

export interface Description {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters: readonly { readonly name: string; readonly in: string }[];
            readonly requestBody?: {
              readonly content: { readonly 'application/json': { readonly schema: Schema } };
            };
          }
        >
      >
    >
  >;
}

export const operationsOf = ({ paths }: Description): readonly DescribedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      queryNames: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
      body: requestBody?.content['application/json'].schema,
    })),
  );

const UUIDS = Array.from({ length: 8 }, (_, k) => uuidOf(k));
/** What may be a name of something, or a part of a query. */
const WORDS = [
  ...UUIDS,
  ...[
    'VCPU',
    'MEMORY_MB',
    'VGPU',
    'CUSTOM_X',
    'CUSTOM_Y',
    'INSTANCE',
    'COMPUTE_NODE',
    'host00001',
    'p',
    'open',
  ],
  ...[
    '_A',
    '',
    'memory',
    'weight',
    '1',
    '3',
    '2026-01-01T00:00:00Z',
    'startswith:CUSTOM',
    '!CUSTOM_X',
    'true',
  ],
  ...['VCPU:1', 'VCPU:1,MEMORY_MB:512', 'VGPU:9', `in:${uuidOf(1)},${uuidOf(2)}`, '_A,_B', 'none', 'isolate'],
];
/** What a part of a path is the name of. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  uuid: UUIDS,
  consumer_uuid: UUIDS,
  resource_class: ['VCPU', 'VGPU', 'CUSTOM_X'],
  name: ['CUSTOM_X', 'CUSTOM_Y', 'VCPU'],
  pod: ['host00001', 'p', 'open'],
};
const ODD = [
  ...[null, true, '', 'x'.repeat(300), '\u0000', '\u202e', '__proto__', [], {}, [[]], { a: { b: [] } }],
  ...[-1, 0, 0.5, 1e308, 2 ** 31, 2 ** 53, -(2 ** 63)],
];
const ODDLY = 0.04;

const wordLike = (random: Random, pattern: string | undefined): string => {
  const fit = pattern === undefined ? WORDS : WORDS.filter((word) => new RegExp(pattern, 'u').test(word));
  return random.pick(fit.length > 0 ? fit : WORDS);
};

function objectOf(random: Random, schema: Schema): object {
  const { properties = {}, required = [], patternProperties = {}, additionalProperties: others } = schema;
  const named = Object.entries(properties)
    .filter(([name]) => random.chance(required.includes(name) ? 0.97 : 0.5))
    .map(([name, one]) => [name, drawn(random, one)]);
  const free = [
    ...Object.entries(patternProperties),
    ...(typeof others === 'object' ? [['', others] as const] : []),
  ].flatMap(([pattern, one]) =>
    Array.from({ length: random.below(4) }, () => [wordLike(random, pattern), drawn(random, one)]),
  );
  return Object.fromEntries([...named, ...free, ...(random.chance(ODDLY) ? [['unknown', 1]] : [])]);
}

function drawn(random: Random, schema: Schema): unknown {
  if (random.chance(ODDLY)) return random.pick(ODD);
  if (schema.anyOf) return drawn(random, random.pick(schema.anyOf));
  const type = typeof schema.type === 'object' ? random.pick(schema.type) : schema.type;
  const { minimum = 0, maximum = 100 } = schema;
  switch (type) {
    case 'object':
      return objectOf(random, schema);
    case 'array':
      return Array.from({ length: random.below(4) }, () => drawn(random, schema.items ?? {}));
    case 'integer':
      return random.pick([minimum, maximum, minimum + 1, random.below(5), random.below(1000)]);
    case 'number':
      return random.pick([minimum, maximum, random.fraction(), random.below(1000)]);
    case 'boolean':
      return random.chance(0.5);
    case 'string':
      return schema.format === 'uuid' ? random.pick(UUIDS) : wordLike(random, schema.pattern);
    default:
      return null;
  }
}

/** @returns method, path with query, and body */
export function describedRequest(random: Random, operations: readonly DescribedOperation[]) {
  const { method, path, queryNames, body } = random.pick(operations);
  const target = path.replace(/\{(\w+)\}/g, (_, part: string) =>
    encodeURIComponent(random.pick(random.chance(0.9) ? PARTS[part]! : WORDS)),
  );
  const query = queryNames
    .filter(() => random.chance(0.3))
    .map((name) => `${name}${random.chance(0.2) ? '_A' : ''}=${encodeURIComponent(random.pick(WORDS))}`);
  return {
    method,
    target: query.length > 0 ? `${target}?${query.join('&')}` : target,
    body: body === undefined ? '' : JSON.stringify(drawn(random, body)),
  };
}
