/** Bodies against JSON schemas, with all faults, in the words that clients of Placement look for. */
import { isUtf8 } from 'node:buffer';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { kept } from '../../kit/kept.ts';
import { badBody, badQuery, badRequest } from './api-error.ts';
import type { QueryPair } from './query-string.ts';

declare const FORM: unique symbol;
export type JsonSchema<T = unknown> = Readonly<Record<string, unknown>> & { readonly [FORM]?: T };
/** What a schema describes, or all those that it is by version. */
export type FormOf<S> = S extends (minor: number) => infer Made
  ? FormOf<Made>
  : S extends JsonSchema<infer T>
    ? T
    : never;

const UUID_LIKE = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
const MOST_SHOWN = 200;

/** Of larger bodies only the first fault is looked for: each takes time and memory. */
const MOST_FOR_ALL_FAULTS = 64 * 1024;
/** What reads a body may go down into it by calling itself. */
const MOST_LEVELS = 100;

const makeAjv = (allErrors: boolean): Ajv => {
  // strictNumbers: 1e999 is Infinity when it is read, and null when it is written
  const ajv = new Ajv({ allErrors, verbose: true, strict: false, strictNumbers: true, messages: false });
  ajv.addFormat('uuid', UUID_LIKE);
  return ajv;
};
const CHECKERS = {
  all: { ajv: makeAjv(true), compiled: new WeakMap<JsonSchema, ValidateFunction>() },
  first: { ajv: makeAjv(false), compiled: new WeakMap<JsonSchema, ValidateFunction>() },
};

/** A value as the other side's messages show it: texts in single quotes. */
function shown(value: unknown): string {
  const text =
    typeof value === 'string' ? `'${value}'` : typeof value === 'number' ? `${value}` : JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text;
}

const unescaped = (part: string): string =>
  decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');

/** `#/properties/total/minimum` as `['properties']['total']`. */
const placeOf = (schemaPath: string): string =>
  schemaPath
    .split('/')
    .slice(1, -1)
    .map((part) => `['${unescaped(part)}']`)
    .join('');

const SENTENCES: Readonly<Record<string, (fault: ErrorObject) => string>> = {
  required: ({ params }) => `'${params.missingProperty}' is a required property`,
  additionalProperties: ({ params: { additionalProperty: name }, parentSchema }) => {
    const patterns = Object.keys((parentSchema as { patternProperties?: object }).patternProperties ?? {});
    return patterns.length > 0
      ? `'${name}' does not match any of the regexes: ${patterns.map((p) => `'${p}'`).join(', ')} (Additional properties are not allowed)`
      : `Additional properties are not allowed ('${name}' was unexpected)`;
  },
  minimum: ({ data, schema }) => `${shown(data)} is less than the minimum of ${schema}`,
  maximum: ({ data, schema }) => `${shown(data)} is greater than the maximum of ${schema}`,
  minLength: ({ data }) => `${shown(data)} is too short`,
  maxLength: ({ data }) => `${shown(data)} is too long`,
  minItems: ({ data }) => `${shown(data)} is too short (should be non-empty)`,
  minProperties: ({ data }) => `${shown(data)} does not have enough properties (should be non-empty)`,
  uniqueItems: ({ data }) => `${shown(data)} has non-unique elements`,
  pattern: ({ data, schema }) => `${shown(data)} does not match '${schema}'`,
  format: ({ data, schema }) => `${shown(data)} is not a '${schema}'`,
  type: ({ data, schema }) =>
    `${shown(data)} is not of type ${[schema]
      .flat()
      .map((type) => `'${type}'`)
      .join(', ')}`,
};

const sentence = (fault: ErrorObject): string =>
  SENTENCES[fault.keyword]?.(fault) ?? `${shown(fault.data)} is not valid`;

/** What is wrong with `data`, in words: all of it, or the first fault. Empty when nothing is. */
export function schemaFaults(data: unknown, schema: JsonSchema, which: 'all' | 'first' = 'all'): string[] {
  const { ajv, compiled } = CHECKERS[which];
  const check = kept(compiled, schema, () => ajv.compile(schema));
  if (check(data)) return [];
  return check
    .errors!.filter(({ keyword }) => keyword !== 'anyOf')
    .slice(0, 10)
    .map(
      (error) =>
        `${sentence(error)}\n\nFailed validating '${error.keyword}' in schema${placeOf(error.schemaPath)}, on instance ${error.instancePath || '/'}`,
    );
}

/** Whether brackets outside of texts are opened within each other more often than that. */
function isDeep(json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length && depth <= MOST_LEVELS; at++) {
    const mark = json[at]!;
    if (mark === '"') isInText = !isInText;
    else if (isInText) at += mark === '\\' ? 1 : 0;
    else if (mark === '[' || mark === '{') depth++;
    else if (mark === ']' || mark === '}') depth--;
  }
  return depth > MOST_LEVELS;
}

/** A query as the members of a form: of a name that comes twice, the last counts. @throws {ApiError} 400 */
export function readQuery<T>({ query }: { readonly query: readonly QueryPair[] }, form: JsonSchema<T>): T {
  const members: unknown = Object.fromEntries(query);
  const faults = schemaFaults(members, form);
  if (faults.length > 0) throw badQuery(faults.join('\n\n'));
  return members as T;
}

/** The body as JSON of the given form. @throws {ApiError} 400 */
export function readJson<T>(body: Uint8Array, schema: JsonSchema<T>): T {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!isUtf8(bytes)) throw badRequest('Malformed JSON: the body is not UTF-8');
  const text = bytes.toString();
  if (isDeep(text)) throw badRequest(`Malformed JSON: more than ${MOST_LEVELS} levels of brackets`);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw badRequest(`Malformed JSON: ${(error as Error).message}`);
  }
  const faults = schemaFaults(data, schema, bytes.length > MOST_FOR_ALL_FAULTS ? 'first' : 'all');
  if (faults.length > 0) throw badBody(faults.join('\n\n'));
  return data as T;
}
