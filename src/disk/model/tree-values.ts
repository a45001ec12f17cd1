/** Trees as values for expressions, as plain data, and as text in messages. */
import { shorten } from '../../kit/printable.ts';
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

/** An id: a text that is not empty, or a whole number. */
export function identifierIn(value: Plain | undefined): string | undefined {
  if (typeof value === 'number' && Number.isInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export const identifierOf = (tree: Tree | undefined): string | undefined =>
  tree && identifierIn(plainOfTree(tree));

/** A whole number of at least 0, which 1.0e5 is, too. */
export function sizeIn(tree: Tree | undefined): number | undefined {
  const value = tree && plainOfTree(tree);
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

export const textOfTree = (tree: Tree): string => shownPlain(plainOfTree(tree));

export const shownPlain = (plain: Plain): string =>
  shorten(typeof plain === 'string' ? plain : JSON.stringify(plain));
