/** A schema as written: a flat list of spaces with expressions, read once, evaluated for each node. */
import type { Tree } from '../../kit/yaml/document.ts';
import { type CompiledExpression, compile, ExpressionError } from '../expressions/index.ts';
import type { Problems } from './problems.ts';
import { textOfTree } from './tree-values.ts';

/** What begins a text that is an expression. */
export const EXPRESSION_MARK = /^\s*yaql\s*=\s*/;
const EXAMPLE = 'write - {id: root, type: lv, min_size: 5000}';
const MAX_SPACES = 500;

export interface Schema {
  /** One mapping a space. */
  readonly entries: readonly (Tree & { kind: 'map' })[];
  /** By the text in the file that each was made of; undefined: it cannot be read, which has been said. */
  readonly expressions: ReadonlyMap<Tree, SchemaExpression | undefined>;
}

interface SchemaExpression {
  readonly compiled: CompiledExpression;
  /** Length of the mark before the expression: offsets in the text are this much larger. */
  readonly markLength: number;
}

type Expressions = Map<Tree, SchemaExpression | undefined>;

/** Names below which a schema may stand in a larger mapping. */
const WRAPPERS = ['dynamic_schema', 'schema', 'spaces'] as const;

/** @returns what could be read; what could not is in `problems`. */
export function readSchema(trees: readonly Tree[], problems: Problems): Schema {
  const entries: (Tree & { kind: 'map' })[] = [];
  const expressions: Expressions = new Map();
  if (trees.length === 0) problems.addEmpty(EXAMPLE);
  if (trees.length > 1)
    problems.add(trees[1]!.place, { problem: 'a schema is one document, and this is a second one' });
  const list = trees[0] && listOf(trees[0]);
  if (trees[0] && !list)
    problems.add(trees[0].place, {
      value: textOfTree(trees[0]),
      problem: 'a schema is a list of spaces',
      remedy: EXAMPLE,
    });
  const items = list?.items ?? [];
  if (items.length > MAX_SPACES)
    problems.add(list!.place, { problem: `the schema has more than ${MAX_SPACES} entries` });
  for (const item of items.slice(0, MAX_SPACES)) {
    if (item.kind === 'map') {
      entries.push(item);
      compileAll(item, nameOf(item), expressions, problems);
    } else
      problems.add(item.place, { value: textOfTree(item), problem: 'a space is a mapping', remedy: EXAMPLE });
  }
  return { entries, expressions };
}

function listOf(tree: Tree): (Tree & { kind: 'list' }) | undefined {
  if (tree.kind === 'list') return tree;
  if (tree.kind === 'scalar') return undefined;
  const inner = WRAPPERS.map((name) => tree.members.get(name)?.value).find((value) => value !== undefined);
  return inner?.kind === 'list' ? inner : undefined;
}

/** What a space is called in messages, also while its id is an expression. */
function nameOf(tree: Tree & { kind: 'map' }): string {
  const id = tree.members.get('id')?.value;
  return id?.kind === 'scalar' && id.value !== null ? textOfTree(id) : 'space';
}

function compileAll(tree: Tree, field: string, expressions: Expressions, problems: Problems): void {
  if (tree.kind === 'list') {
    for (const [at, item] of tree.items.entries()) compileAll(item, `${field}[${at}]`, expressions, problems);
    return;
  }
  if (tree.kind === 'map') {
    for (const [name, { value }] of tree.members)
      compileAll(value, `${field}.${name}`, expressions, problems);
    return;
  }
  const mark = typeof tree.value === 'string' ? EXPRESSION_MARK.exec(tree.value)?.[0] : undefined;
  if (mark === undefined) return;
  expressions.set(tree, undefined);
  try {
    const compiled = compile((tree.value as string).slice(mark.length));
    expressions.set(tree, { compiled, markLength: mark.length });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    addExpressionProblem(tree, field, mark.length, error, problems);
  }
}

/** Says in the file's terms what is wrong with an expression. */
export function addExpressionProblem(
  tree: Tree & { kind: 'scalar' },
  field: string,
  markLength: number,
  error: ExpressionError,
  problems: Problems,
): void {
  problems.add(tree.placeOf(error.offset + markLength), {
    field,
    problem: `the expression: ${error.message}`,
    remedy: error.remedy,
  });
}
