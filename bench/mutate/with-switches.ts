/**
 * A source file with all its mutants in it, each behind a switch: written once, loaded once, and tried one
 * after the other.
 */
import { fileURLToPath } from 'node:url';
import type TypeScript from 'typescript';
import { ts } from '../typescript.ts';
import { parsed, type Site, sitesOf } from './mutants.ts';

const SWITCH = fileURLToPath(new URL('./switch.ts', import.meta.url));

const OPERATORS: Readonly<Record<string, string>> = {
  '<': 'less',
  '<=': 'atMost',
  '>': 'more',
  '>=': 'atLeast',
  '===': 'same',
  '!==': 'other',
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
};

/** The children of a node, in the order of the text. */
function childrenOf(node: TypeScript.Node): readonly TypeScript.Node[] {
  const children: TypeScript.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  return children.sort((a, b) => a.pos - b.pos);
}

/**
 * The text with a switch at each numbered site.
 *
 * @param idOf a site's number by its place in `mutantsOf`; undefined leaves it as it stands
 * @param switchModule what the file imports the switches from
 */
export function withSwitches(
  path: string,
  source: string,
  idOf: (position: number) => number | undefined,
  switchModule = SWITCH,
): string {
  const file = parsed(path, source);
  const byNode = new Map<TypeScript.Node, (Site & { id: number })[]>();
  for (const [position, site] of sitesOf(path, file).entries()) {
    const id = idOf(position);
    if (id !== undefined) byNode.set(site.node, [...(byNode.get(site.node) ?? []), { ...site, id }]);
  }

  const plain = (node: TypeScript.Node): string => {
    let text = '';
    let at = node.getStart(file);
    for (const child of childrenOf(node)) {
      if (child.getStart(file) < at) continue;
      text += source.slice(at, child.getStart(file)) + render(child);
      at = child.getEnd();
    }
    return text + source.slice(at, node.getEnd());
  };

  const switched = ({ kind, node, mutant, id }: Site & { id: number }): string => {
    if (kind === 'assignment') {
      const { left, right } = node as TypeScript.BinaryExpression;
      const [target, value] = [render(left), render(right)];
      return `($m.on(${id}) ? ${target} ${mutant.to} ${value} : ${target} ${mutant.from} ${value})`;
    }
    if (kind === 'operator') {
      const { left, right } = node as TypeScript.BinaryExpression;
      const helper = OPERATORS[mutant.from];
      if (helper !== undefined) return `$m.${helper}(${id}, ${render(left)}, ${render(right)})`;
      const first = `$v = (${render(left)})`;
      return mutant.from === '&&'
        ? `($m.and(${id}, ${first}) ? ${render(right)} : $v)`
        : `($m.or(${id}, ${first}) ? ${render(right)} : $v)`;
    }
    if (kind === 'negation')
      return `$m.not(${id}, ${render((node as TypeScript.PrefixUnaryExpression).operand)})`;
    if (kind === 'name') {
      const { expression, questionDotToken } = node as TypeScript.PropertyAccessExpression;
      const dot = questionDotToken === undefined ? '' : '?.';
      return `${render(expression)}${dot}[$m.either(${id}, '${mutant.from}', '${mutant.to}')]`;
    }
    const either = `$m.either(${id}, ${mutant.from}, ${mutant.to})`;
    const isKey = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
    return isKey ? `[${either}]` : either;
  };

  const render = (node: TypeScript.Node): string => {
    const sites = byNode.get(node) ?? [];
    const own = sites.find(({ kind }) => kind !== 'condition');
    const text = own === undefined ? plain(node) : switched(own);
    const condition = sites.find(({ kind }) => kind === 'condition');
    return condition === undefined ? text : `$m.on(${condition.id}) ? false : (${text})`;
  };

  // On the first line, so that line numbers stay.
  return `import * as $m from ${JSON.stringify(switchModule)}; let $v; ${render(file)}${source.slice(file.getEnd())}`;
}
