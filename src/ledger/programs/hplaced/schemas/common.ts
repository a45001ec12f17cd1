/** Pieces that several bodies have in common. Bounds and patterns are facts of the public interface. */
import { PRINTABLE_TEXT } from '../../../../kit/printable.ts';
import type { JsonSchema } from '../../../http/json-check.ts';

export const CLASS_PATTERN = '^[A-Z0-9_]+$';
const CUSTOM_PATTERN = '^CUSTOM_[A-Z0-9_]+$';
export const UUID_KEY_PATTERN = '^[0-9a-fA-F-]{36}$';
export const SUFFIX_PATTERN = '[a-zA-Z0-9_-]{1,64}';
export const MOST_INTEGER = 2 ** 31 - 1;
/** Largest single-precision number. */
export const MOST_RATIO = 3.40282e38;
const LONGEST_NAME = 255;

export const UUID: JsonSchema = { type: 'string', format: 'uuid' };
export const INTEGER: JsonSchema = { type: 'integer' };
/** As the command line takes it: nothing that a terminal obeys or that turns the writing around. */
export const PRINTABLE_PATTERN = `^${PRINTABLE_TEXT}*$`;
export const NAME: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: LONGEST_NAME,
  pattern: PRINTABLE_PATTERN,
};
export const CUSTOM_NAME: JsonSchema = { ...NAME, pattern: CUSTOM_PATTERN };

/** An object with these members and no others. */
export const record = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema => ({ type: 'object', properties, required, additionalProperties: false });

/** An object whose members' names follow a pattern. */
export const keyed = (pattern: string, value: JsonSchema, least = 0): JsonSchema => ({
  type: 'object',
  ...(least > 0 ? { minProperties: least } : {}),
  patternProperties: { [pattern]: value },
  additionalProperties: false,
});
