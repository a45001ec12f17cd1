/**
 * Small mistakes, one at a time, in a source file: a comparison off by one, a sum for a difference, a
 * condition left out. Only the operator is another one: what it joins stays the same, as if it stood in
 * parentheses.
 */
import type TypeScript from 'typescript';
import { ts } from '../typescript.ts';

export interface Mutant {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The line as it stands, without blanks around it. */
  readonly text: string;
  readonly from: string;
  readonly to: string;
  /** Where in the file `from` stands. */
  readonly start: number;
}

/**
 * Where a mistake can be made: what is wrong there, and the part of the program that a switch for it goes
 * around.
 */
export interface Site {
  readonly mutant: Mutant;
  readonly kind: 'operator' | 'assignment' | 'negation' | 'literal' | 'number' | 'name' | 'condition';
  readonly node: TypeScript.Node;
}

const SWAPS: Readonly<Partial<Record<TypeScript.SyntaxKind, string>>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.PlusEqualsToken]: '-=',
  [ts.SyntaxKind.MinusEqualsToken]: '+=',
};
const NAMES: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  some: 'every',
  every: 'some',
};

export const parsed = (path: string, source: string): TypeScript.SourceFile =>
  ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);

const isAssignment = (kind: TypeScript.SyntaxKind): boolean =>
  kind === ts.SyntaxKind.PlusEqualsToken || kind === ts.SyntaxKind.MinusEqualsToken;

/** All sites of a file, in the order of the text. @param path for the record */
export function sitesOf(path: string, file: TypeScript.SourceFile): readonly Site[] {
  const lines = file.text.split('\n');
  const sites: Site[] = [];
  const note = (kind: Site['kind'], node: TypeScript.Node, wrong: TypeScript.Node, to: string): void => {
    const start = wrong.getStart(file);
    const { line } = file.getLineAndCharacterOfPosition(start);
    const from = wrong.getText(file);
    sites.push({ kind, node, mutant: { path, line: line + 1, text: lines[line]!.trim(), from, to, start } });
  };
  const visit = (node: TypeScript.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const { operatorToken } = node;
      const to = SWAPS[operatorToken.kind];
      const kind = isAssignment(operatorToken.kind) ? 'assignment' : 'operator';
      if (to !== undefined) note(kind, node, operatorToken, to);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      note('negation', node, node, node.operand.getText(file));
    else if (node.kind === ts.SyntaxKind.TrueKeyword) note('literal', node, node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) note('literal', node, node, 'true');
    else if (ts.isNumericLiteral(node) && (node.text === '0' || node.text === '1'))
      note('number', node, node, node.text === '0' ? '1' : '0');
    else if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent)) {
      const to = NAMES[node.name.text];
      if (to !== undefined) note('name', node, node.name, to);
    } else if (ts.isIfStatement(node)) note('condition', node.expression, node.expression, 'false');
    ts.forEachChild(node, visit);
  };
  visit(file);
  return sites;
}

export const mutantsOf = (path: string, source: string): readonly Mutant[] =>
  sitesOf(path, parsed(path, source)).map(({ mutant }) => mutant);
