/** JSON values in memory, and objects whose members' order is kept. */

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
  /** All members in the document's order, where that is not what the object itself says. */
  readonly [MEMBERS]?: readonly (readonly [string, JsonValue])[];
}

/** Where the scanner keeps the members of an object whose names repeat or are whole numbers. */
export const MEMBERS: unique symbol = Symbol('members in document order');

export type ParsedDocument =
  | { readonly value: JsonValue }
  /** Why the text is no JSON document, in the words of the stock reader. */
  | { readonly problem: string };

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What `read` makes of each member of an object, in the document's order. */
export function mapMembers<T>(
  object: JsonObject,
  read: (name: string, value: JsonValue, index: number) => T,
): T[] {
  const members = object[MEMBERS];
  if (members) return members.map(([name, value], index) => read(name, value, index));
  return Object.keys(object).map((name, index) => read(name, object[name]!, index));
}
