/** Nodes with the same figures are one class: what holds for one member, to the last bit, holds for all. */

/** A table of figures: `width` numbers a node, at `node * width`. */
export interface Figures {
  readonly values: Float64Array;
  readonly width: number;
}

const FACTOR = 31.000000001;
const MODULUS = 2 ** 40;

function hashOf(node: number, tables: readonly Figures[]): number {
  let hash = 0;
  for (const { values, width } of tables) {
    for (let k = node * width; k < (node + 1) * width; k++) hash = (hash * FACTOR + values[k]!) % MODULUS;
  }
  return Number.isNaN(hash) ? 0 : hash;
}

function isEqual(a: number, b: number, tables: readonly Figures[]): boolean {
  for (const { values, width } of tables) {
    for (let k = 0; k < width; k++) {
      if (!Object.is(values[a * width + k], values[b * width + k])) return false;
    }
  }
  return true;
}

/** The first member of each node's class, written to `firstOf` for the given nodes. */
export function findClasses(nodes: readonly number[], tables: readonly Figures[], firstOf: Int32Array): void {
  const known = new Map<number, number[]>();
  for (const node of nodes) {
    const hash = hashOf(node, tables);
    const alike = known.get(hash);
    const first = alike?.find((other) => isEqual(node, other, tables));
    firstOf[node] = first ?? node;
    if (first !== undefined) continue;
    if (alike) alike.push(node);
    else known.set(hash, [node]);
  }
}
