/** The imports and global names of our source files, read with the TypeScript parser. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type TypeScript from 'typescript';
import { ts } from '../../bench/typescript.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  /** Path of a file under src/, or the name of a package or built-in module. */
  readonly target: string;
  /** Erased by the compiler. */
  readonly isTypeOnly: boolean;
  /** `import()`: loaded when it is called. */
  readonly isLazy: boolean;
}

export interface SourceFile {
  /** Path under src/, as in `kit/cli/parse/parse.ts`. */
  readonly path: string;
  /** Folder of the file; the file itself when it stands in src/. */
  readonly room: string;
  readonly imports: readonly Import[];
  /**
   * Names that the file uses and does not get from itself: a superset of the globals that it touches.
   * `Math.random` is one name.
   */
  readonly names: ReadonlySet<string>;
}

/** Each folder is a room; a file that stands in src/ itself is one, too. */
export const roomOf = (path: string): string => (path.includes('/') ? dirname(path) : path);

const isOurs = (specifier: string): boolean => specifier.startsWith('.');

const targetOf = (path: string, specifier: string): string =>
  isOurs(specifier) ? join(dirname(path), specifier) : specifier;

/** Whether an import clause leaves nothing behind at run time. */
function isErased(node: TypeScript.ImportDeclaration | TypeScript.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const clause = node.importClause;
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const bindings = clause.namedBindings;
  if (clause.name || !bindings || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}

/** A name that stands for itself, not the member or key `x` of something. */
function isFreeName(node: TypeScript.Identifier, parent: TypeScript.Node): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  return !('name' in parent && parent.name === node);
}

const WITHOUT_COMMENTS = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

function readSource(folder: string, path: string): SourceFile {
  const text = readFileSync(join(folder, path), 'utf8');
  const tree = ts.createSourceFile(path, text, WITHOUT_COMMENTS);
  const imports: Import[] = [];
  const names = new Set<string>();
  const visit = (node: TypeScript.Node, parent: TypeScript.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    )
      imports.push({
        target: targetOf(path, node.moduleSpecifier.text),
        isTypeOnly: isErased(node),
        isLazy: false,
      });
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument))
        imports.push({ target: targetOf(path, argument.text), isTypeOnly: false, isLazy: true });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const specifier = node.argument.getText(tree).slice(1, -1);
      imports.push({ target: targetOf(path, specifier), isTypeOnly: true, isLazy: false });
    } else if (
      ts.isPropertyAccessExpression(node) &&
      node.name.text === 'random' &&
      node.getText(tree) === 'Math.random'
    )
      names.add('Math.random');
    else if (ts.isIdentifier(node) && isFreeName(node, parent)) names.add(node.text);
    ts.forEachChild(node, (child) => visit(child, node));
  };
  visit(tree, tree);
  return { path, room: roomOf(path), imports, names };
}

const pathsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

/** All source files of src/ by path. */
export function readSources(): readonly SourceFile[] {
  const folder = join(ROOT, 'src');
  return pathsIn(folder).map((path) => readSource(folder, path));
}

/** What each file of a folder imports, of whatever kind: found without a tree, in a third of the time. */
export function readImports(top: string): ReadonlyMap<string, readonly string[]> {
  const folder = join(ROOT, top);
  return new Map(
    pathsIn(folder).map((path) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(folder, path), 'utf8'));
      return [path, importedFiles.map(({ fileName }) => targetOf(path, fileName))];
    }),
  );
}

/**
 * A circle in a graph as the list of its points, the first one again at its end; undefined when there is
 * none.
 */
export function findCircle(graph: ReadonlyMap<string, Iterable<string>>): readonly string[] | undefined {
  const done = new Set<string>();
  const trail: string[] = [];
  const search = (point: string): readonly string[] | undefined => {
    const start = trail.indexOf(point);
    if (start >= 0) return [...trail.slice(start), point];
    if (done.has(point)) return undefined;
    trail.push(point);
    for (const next of graph.get(point) ?? []) {
      const circle = search(next);
      if (circle) return circle;
    }
    trail.pop();
    done.add(point);
    return undefined;
  };
  for (const point of graph.keys()) {
    const circle = search(point);
    if (circle) return circle;
  }
  return undefined;
}
