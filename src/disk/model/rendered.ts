/** A piece of a schema with what its expressions give for a node in their place; itself it stays as is. */
import type { FilePosition, Tree } from '../../kit/yaml/document.ts';
import { ExpressionError, type Plain, type Value } from '../expressions/index.ts';
import type { Problems } from './problems.ts';
import { addExpressionProblem, type Schema } from './schema.ts';
import { plainOfTree } from './tree-values.ts';

/** A value and where it, or the expression that gave it, stands. */
export interface Rendered {
  readonly place: FilePosition;
  readonly value: Plain;
}

/** Thrown away by the caller: something in this piece could not be evaluated, and that has been said. */
const FAILED = Symbol('failed');

/** @returns undefined when an expression failed; `problems` says why. */
export function render(
  tree: Tree,
  field: string,
  schema: Schema,
  record: Value,
  problems: Problems,
): Rendered | undefined {
  let hasFailed = false;
  const walk = (one: Tree, name: string): Plain => {
    if (one.kind === 'list') return one.items.map((item, at) => walk(item, `${name}[${at}]`));
    if (one.kind === 'map')
      return Object.fromEntries(
        [...one.members].map(([key, { value }]) => [key, walk(value, `${name}.${key}`)]),
      );
    const result = evaluated(one, name, schema, record, problems);
    if (result !== FAILED) return result;
    hasFailed = true;
    return null;
  };
  const value = walk(tree, field);
  return hasFailed ? undefined : { place: tree.place, value };
}

function evaluated(
  tree: Tree & { kind: 'scalar' },
  field: string,
  { expressions }: Schema,
  record: Value,
  problems: Problems,
): Plain | typeof FAILED {
  if (!expressions.has(tree)) return plainOfTree(tree);
  const expression = expressions.get(tree);
  if (!expression) return FAILED;
  try {
    return expression.compiled.over(record);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    addExpressionProblem(tree, field, expression.markLength, error, problems);
    return FAILED;
  }
}
