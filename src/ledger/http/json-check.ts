/**
 * Bodies against JSON schemas. What is wrong is said in the words that clients of the public interface look
 * for (those of its schema library), all faults of a body at once.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { ApiError } from './api-error.ts';

declare const FORM: unique symbol;
/** The schema of a `T`. */
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
  const ajv = new Ajv({ allErrors, verbose: true, strict: false, messages: false });
  ajv.addFormat('uuid', UUID_LIKE);
  return ajv;
};
const CHECKERS = {
  all: { ajv: makeAjv(true), compiled: new WeakMap<JsonSchema, ValidateFunction>() },
  first: { ajv: makeAjv(false), compiled: new WeakMap<JsonSchema, ValidateFunction>() },
};

/** A value as the other side's messages show it: texts in single quotes. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
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

function sentence({ keyword, data, params, schema, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return `'${params.missingProperty}' is a required property`;
    case 'additionalProperties': {
      const patterns = Object.keys((parentSchema as { patternProperties?: object }).patternProperties ?? {});
      return patterns.length > 0
        ? `'${params.additionalProperty}' does not match any of the regexes: ${patterns.map((p) => `'${p}'`).join(', ')} (Additional properties are not allowed)`
        : `Additional properties are not allowed ('${params.additionalProperty}' was unexpected)`;
    }
    case 'minimum':
      return `${shown(data)} is less than the minimum of ${schema}`;
    case 'maximum':
      return `${shown(data)} is greater than the maximum of ${schema}`;
    case 'minLength':
      return `${shown(data)} is too short`;
    case 'maxLength':
      return `${shown(data)} is too long`;
    case 'minItems':
      return `${shown(data)} is too short (should be non-empty)`;
    case 'minProperties':
      return `${shown(data)} does not have enough properties (should be non-empty)`;
    case 'uniqueItems':
      return `${shown(data)} has non-unique elements`;
    case 'pattern':
      return `${shown(data)} does not match '${schema}'`;
    case 'format':
      return `${shown(data)} is not a '${schema}'`;
    case 'type':
      return `${shown(data)} is not of type ${[schema]
        .flat()
        .map((type) => `'${type}'`)
        .join(', ')}`;
    default:
      return `${shown(data)} is not valid`;
  }
}

/** What is wrong with `data`, in words: all of it, or the first fault. Empty when nothing is. */
export function schemaFaults(data: unknown, schema: JsonSchema, which: 'all' | 'first' = 'all'): string[] {
  const { ajv, compiled } = CHECKERS[which];
  let check = compiled.get(schema);
  if (!check) {
    check = ajv.compile(schema);
    compiled.set(schema, check);
  }
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
  for (const [mark] of json.matchAll(/[[{]|[\]}]|"(?:[^"\\]|\\.)*"?/gs)) {
    if (mark === '[' || mark === '{') {
      if (++depth > MOST_LEVELS) return true;
    } else if (mark === ']' || mark === '}') depth--;
  }
  return false;
}

/** The body as JSON of the given form. @throws {ApiError} 400 */
export function readJson<T>(body: Uint8Array, schema: JsonSchema<T>): T {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = bytes.toString();
  if (isDeep(text)) throw new ApiError(400, `Malformed JSON: more than ${MOST_LEVELS} levels of brackets`);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new ApiError(400, `Malformed JSON: ${(error as Error).message}`);
  }
  const faults = schemaFaults(data, schema, bytes.length > MOST_FOR_ALL_FAULTS ? 'first' : 'all');
  if (faults.length > 0) throw new ApiError(400, `JSON does not validate: ${faults.join('\n\n')}`);
  return data as T;
}
