/**
 * Reads YAML, and JSON as a part of it, into trees that know where each piece stands. Nothing is made of a
 * piece here but plain values: tags for programs, endless aliases and doubled keys are problems of the file.
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
} from 'yaml';
import type { InputProblem } from '../faults.ts';

/** A place in a file; both count from 1. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

/** Whole numbers are bigint, so that 2 and 2.0 differ. */
type ScalarValue = null | boolean | bigint | number | string;

export type Tree = { readonly place: FilePosition } & (
  | {
      readonly kind: 'scalar';
      readonly value: ScalarValue;
      /** Where a character of a text stands: its offset in the value gives its place in the file. */
      readonly placeOf: (offset: number) => FilePosition;
    }
  | { readonly kind: 'list'; readonly items: readonly Tree[] }
  | { readonly kind: 'map'; readonly members: ReadonlyMap<string, Member> }
);

export interface Member {
  readonly place: FilePosition;
  readonly value: Tree;
}

/** Aliases repeat what they stand for; a file that grows beyond this is meant to. */
const MAX_NODES = 1_000_000;
const MAX_DEPTH = 100;
/** `<<: *name` takes over the members of a mapping. */
const MERGE_KEY = '<<';

/** The documents of a file (there is one unless `---` divides it), and all that is wrong with their form. */
export function readDocuments(text: string) {
  const lines = new LineCounter();
  const problems: InputProblem[] = [];
  const trees: Tree[] = [];
  // JSON may be indented by tabs, which YAML forbids in places.
  const spaced = /^\s*[[{]/.test(text)
    ? text.replace(/^[\t ]+/gm, (indent) => indent.replaceAll('\t', ' '))
    : text;
  const tooDeep = senselessDepth(spaced);
  if (tooDeep) return { trees, problems: [{ ...tooDeep, problem: `is nested deeper than ${MAX_DEPTH}` }] };
  const options = {
    ...{ lineCounter: lines, intAsBigInt: true, prettyErrors: false, stringKeys: false },
    // Dates, bytes and the like are no plain values, whatever version of YAML the file is in.
    ...({ schema: 'core', resolveKnownTags: false } as const),
  };
  let documents: readonly Document.Parsed[];
  try {
    documents = [...parseAllDocuments(spaced, options)] as readonly Document.Parsed[];
  } catch (error) {
    // The parser's stack ends before the brackets do.
    return { trees, problems: [{ line: 1, problem: `cannot be read: ${(error as Error).message}` }] };
  }
  for (const document of documents) {
    for (const { message, pos } of [...document.errors, ...document.warnings]) {
      const { line, col } = lines.linePos(pos[0]);
      problems.push({ line, column: col, problem: message });
    }
    if (document.errors.length > 0 || !document.contents) continue;
    trees.push(new TreeMaker(document, spaced, lines, problems).tree(document.contents));
  }
  return { trees, problems };
}

/** Where brackets are deeper than anybody means; the parser would take a minute for thousands of them. */
function senselessDepth(text: string): FilePosition | undefined {
  let depth = 0;
  for (const { 0: found, index } of text.matchAll(/[[{]|[\]}]|(?:- ){100}/g)) {
    if (found === ']' || found === '}') depth = Math.max(0, depth - 1);
    else if (found.length > 1 || ++depth > MAX_DEPTH) {
      const before = text.slice(0, index).split('\n');
      return { line: before.length, column: before.at(-1)!.length + 1 };
    }
  }
  return undefined;
}

const nothingAt = (place: FilePosition): Tree => ({
  kind: 'scalar',
  value: null,
  place,
  placeOf: () => place,
});

function addMissing(members: Map<string, Member>, others: ReadonlyMap<string, Member>): void {
  for (const [name, member] of others) if (!members.has(name)) members.set(name, member);
}

class TreeMaker {
  private nodes = 0;

  constructor(
    private readonly document: Document.Parsed,
    private readonly text: string,
    private readonly lines: LineCounter,
    private readonly problems: InputProblem[],
  ) {}

  tree(node: Node | null | undefined, depth = 0): Tree {
    const place = this.placeAt(node?.range?.[0] ?? 0);
    const isTooDeep = depth > MAX_DEPTH;
    if (++this.nodes === MAX_NODES || isTooDeep)
      this.problems.push({
        ...place,
        problem: isTooDeep ? `is nested deeper than ${MAX_DEPTH}` : `has more than ${MAX_NODES} values`,
      });
    if (!node || this.nodes >= MAX_NODES || isTooDeep) return nothingAt(place);
    if (isAlias(node)) {
      const anchored = node.resolve(this.document);
      if (anchored) return this.tree(anchored, depth + 1);
      this.problems.push({ ...place, problem: `there is no anchor '${node.source}' before this` });
      return nothingAt(place);
    }
    if (isSeq(node))
      return { kind: 'list', place, items: node.items.map((item) => this.tree(item as Node, depth + 1)) };
    if (isMap(node)) return { kind: 'map', place, members: this.membersOf(node.items, depth) };
    const value = isScalar(node) ? (node.value as ScalarValue) : null;
    return { kind: 'scalar', place, value, placeOf: (offset) => this.placeIn(node, value, offset) };
  }

  private membersOf(
    pairs: readonly { key: unknown; value: unknown }[],
    depth: number,
  ): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>();
    const merged: Tree[] = [];
    for (const { key, value: valueNode } of pairs) {
      const keyNode = key as Node | null;
      const place = this.placeAt(keyNode?.range?.[0] ?? 0);
      const value = this.tree(valueNode as Node | null, depth + 1);
      if (!isScalar(keyNode) || keyNode.value === null || typeof keyNode.value === 'object')
        this.problems.push({ ...place, problem: 'a key is not a name' });
      else if (keyNode.value === MERGE_KEY) merged.push(...(value.kind === 'list' ? value.items : [value]));
      else members.set(String(keyNode.value), { place, value: valueNode ? value : nothingAt(place) });
    }
    for (const one of merged) {
      if (one.kind === 'map') addMissing(members, one.members);
      else this.problems.push({ ...one.place, problem: "'<<' takes a mapping" });
    }
    return members;
  }

  private placeAt(offset: number): FilePosition {
    const { line, col } = this.lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  /** Exact for texts on one line and for literal blocks (`|`); elsewhere the beginning of the text. */
  private placeIn(node: Node, value: ScalarValue, offset: number): FilePosition {
    const [start, end] = node.range ?? [0, 0];
    const source = this.text.slice(start, end);
    const { line, column } = this.placeAt(start);
    if (typeof value === 'string' && isScalar(node) && node.type === 'BLOCK_LITERAL') {
      const before = value.slice(0, offset).split('\n');
      const body = source.split('\n').slice(1);
      const indent = Math.min(...body.filter((one) => one.trim() !== '').map((one) => one.search(/\S/)));
      return { line: line + before.length, column: indent + before.at(-1)!.length + 1 };
    }
    if (source === value) return { line, column: column + offset };
    const isQuotedPlainly = source.slice(1, -1) === value && !source.includes('\n');
    return { line, column: isQuotedPlainly ? column + 1 + offset : column };
  }
}
