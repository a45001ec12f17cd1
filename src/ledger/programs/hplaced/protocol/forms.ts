/** Forms that several bodies have in common. Bounds and patterns are facts of the public interface. */
import { PRINTABLE_TEXT } from '../../../../kit/printable.ts';
import type { FormOf, JsonSchema } from '../../../http/json-check.ts';

export const CLASS_PATTERN = '^[A-Z0-9_]+$';
export const UUID_KEY_PATTERN = '^[0-9a-fA-F-]{36}$';
const LONGEST_NAME = 255;

export const TEXT: JsonSchema<string> = { type: 'string' };
export const UUID: JsonSchema<string> = { type: 'string', format: 'uuid' };
export const INTEGER: JsonSchema<number> = { type: 'integer' };
export const FLAG: JsonSchema<boolean> = { type: 'boolean' };
/** As the command line takes it: nothing that a terminal obeys or that turns the writing around. */
export const NAME: JsonSchema<string> = {
  type: 'string',
  minLength: 1,
  maxLength: LONGEST_NAME,
  pattern: `^${PRINTABLE_TEXT}*$`,
};
export const CUSTOM_NAME: JsonSchema<string> = { ...NAME, pattern: '^CUSTOM_[A-Z0-9_]+$' };

/** As long as any time of the command line: a hundred years. */
export const MOST_SECONDS = 100 * 365 * 86_400;

type Members = Readonly<Record<string, JsonSchema>>;
type RecordOf<All extends Members, Needed> = {
  readonly [Key in keyof All as Key extends Needed ? Key : never]-?: FormOf<All[Key]>;
} & { readonly [Key in keyof All as Key extends Needed ? never : Key]?: FormOf<All[Key]> };

/** An object with these members and no others; `required` are those that it cannot do without. */
export const record = <All extends Members, Needed extends keyof All & string = never>(
  properties: All,
  required: readonly Needed[] = [],
): JsonSchema<RecordOf<All, Needed>> => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** An object whose members' names follow a pattern. */
export const keyed = <T>(
  pattern: string,
  value: JsonSchema<T>,
  least = 0,
): JsonSchema<Readonly<Record<string, T>>> => ({
  type: 'object',
  ...(least > 0 ? { minProperties: least } : {}),
  patternProperties: { [pattern]: value },
  additionalProperties: false,
});

export const list = <T>(items: JsonSchema<T>): JsonSchema<readonly T[]> => ({ type: 'array', items });
