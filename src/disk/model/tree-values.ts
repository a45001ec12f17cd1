/** Trees as values for expressions, as plain data, and as text in messages. */
import type { Tree } from '../../kit/yaml/document.ts';
import { Dict, type Plain, type Value } from '../expressions/index.ts';

export function valueOfTree(tree: Tree): Value {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'list') return tree.items.map(valueOfTree);
  return new Dict([...tree.members].map(([name, { value }]) => [name, valueOfTree(value)]));
}

/** As JSON says it; integers that JSON readers would get wrong become text. */
export function plainOfTree(tree: Tree): Plain {
  if (tree.kind === 'list') return tree.items.map(plainOfTree);
  if (tree.kind === 'map')
    return Object.fromEntries([...tree.members].map(([name, { value }]) => [name, plainOfTree(value)]));
  if (typeof tree.value !== 'bigint') return tree.value;
  const number = Number(tree.value);
  return Number.isSafeInteger(number) ? number : tree.value.toString();
}

const MOST_SHOWN = 60;

export const textOfTree = (tree: Tree): string => shownPlain(plainOfTree(tree));

export function shownPlain(plain: Plain): string {
  const text = typeof plain === 'string' ? plain : JSON.stringify(plain);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text;
}
