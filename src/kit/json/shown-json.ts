/** Values of documents in messages: JSON.stringify throws for those that are too deep or too long. */

const SHOWN_LENGTH = 60;
const SHOWN_DEPTH = 8;
const SHOWN_ITEMS = 20;

export const shownJson = (value: unknown): string => shownTo(value, 0).slice(0, SHOWN_LENGTH);

function shownTo(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN_LENGTH));
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  if (depth === SHOWN_DEPTH) return isList ? '[...]' : '{...}';
  const parts = isList
    ? value.slice(0, SHOWN_ITEMS).map((item) => shownTo(item, depth + 1))
    : Object.entries(value)
        .slice(0, SHOWN_ITEMS)
        .map(([name, inner]) => `${JSON.stringify(name)}:${shownTo(inner, depth + 1)}`);
  const text = parts.join(',').slice(0, SHOWN_LENGTH);
  return isList ? `[${text}]` : `{${text}}`;
}
