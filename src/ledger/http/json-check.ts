/**
 * Bodies against JSON schemas. What is wrong is said in the words that clients of the public interface look
 * for (those of its schema library), all faults of a body at once.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { ApiError } from './api-error.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const UUID_LIKE = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
const MOST_SHOWN = 200;

const ajv = new Ajv({
  // More faults than a person reads are no help; the work for a hostile body stays bounded by its size.
  allErrors: true,
  verbose: true,
  strict: false,
  messages: false,
});
ajv.addFormat('uuid', UUID_LIKE);

const compiled = new WeakMap<JsonSchema, ValidateFunction>();

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

/** What is wrong with `data`, in words; empty when nothing is. */
export function schemaFaults(data: unknown, schema: JsonSchema): string[] {
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

/**
 * The body as JSON of the given form.
 * @throws {ApiError} 400
 */
export function readJson<T>(body: Buffer | string, schema: JsonSchema): T {
  let data: unknown;
  try {
    data = JSON.parse(body.toString());
  } catch (error) {
    throw new ApiError(400, `Malformed JSON: ${(error as Error).message}`);
  }
  const faults = schemaFaults(data, schema);
  if (faults.length > 0) throw new ApiError(400, `JSON does not validate: ${faults.join('\n\n')}`);
  return data as T;
}
