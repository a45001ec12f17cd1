/** Small mistakes, one at a time, in a source file: a comparison off by one, a sum for a difference, a condition left out. */
import ts from 'typescript';

export interface Mutant {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The line as it stands, without blanks around it. */
  readonly text: string;
  readonly from: string;
  readonly to: string;
  /** The file with the mistake. */
  readonly source: string;
}

const SWAPS: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
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

/** All mutants of a file, in the order of the text. @param path for the record */
export function mutantsOf(path: string, source: string): readonly Mutant[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const lines = source.split('\n');
  const mutants: Mutant[] = [];
  const note = (node: ts.Node, to: string): void => {
    const start = node.getStart(file);
    const { line } = file.getLineAndCharacterOfPosition(start);
    mutants.push({
      path,
      line: line + 1,
      text: lines[line]!.trim(),
      from: node.getText(file),
      to,
      source: source.slice(0, start) + to + source.slice(node.getEnd()),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const to = SWAPS[node.operatorToken.kind];
      if (to !== undefined) note(node.operatorToken, to);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      note(node, node.operand.getText(file));
    else if (node.kind === ts.SyntaxKind.TrueKeyword) note(node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) note(node, 'true');
    else if (ts.isNumericLiteral(node) && (node.text === '0' || node.text === '1'))
      note(node, node.text === '0' ? '1' : '0');
    else if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent)) {
      const to = NAMES[node.name.text];
      if (to !== undefined) note(node.name, to);
    } else if (ts.isIfStatement(node)) note(node.expression, 'false');
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}
