/**
 * Undirected graphs, and three greedy ways to colour one. Each takes the vertices one by one, in an order of
 * its own, and gives each the first colour that no neighbour has. Source: hroller(1); the orders and ties are
 * those of the stock program, whose groups scripts compare.
 */

/**
 * Neighbours of each vertex, newest edge first. An edge that was entered twice stands twice, and a vertex may
 * be its own neighbour: both count in its degree, which the orders of colouring go by.
 */
export type Graph = readonly (readonly number[])[];

/** Colour of each vertex, from 0. */
export type Colouring = readonly number[];

/** The colour of who has none yet. */
const NONE = -1;

const degree = (graph: Graph, vertex: number): number => graph[vertex]!.length;

/** The vertices of each colour, ascending, by colour. */
export function colourClasses(colouring: Colouring): readonly (readonly number[])[] {
  const classes: number[][] = [];
  colouring.forEach((colour, vertex) => {
    classes[colour] ??= [];
    classes[colour]!.push(vertex);
  });
  return classes;
}

/**
 * The vertex without colour that ranks highest, then by degree; NONE when all have one.
 * @param isLast whether of equals the last one is taken, and not the first
 */
function nextVertex(graph: Graph, colours: Colouring, ranks: readonly number[], isLast: boolean): number {
  let chosen = NONE;
  for (let v = 0; v < graph.length; v++) {
    if (colours[v] !== NONE) continue;
    const lead = chosen === NONE ? 1 : ranks[v]! - ranks[chosen]! || degree(graph, v) - degree(graph, chosen);
    if (lead > 0 || (lead === 0 && isLast)) chosen = v;
  }
  return chosen;
}

/**
 * Colours next whatever ranks highest now, then by degree; of equals the last one.
 * @param gain what a vertex rises by when a neighbour gets a colour
 */
function colourByRank(graph: Graph, gain: (vertex: number, colour: number) => number): Colouring {
  const colours = graph.map(() => NONE);
  const ranks = graph.map(() => 0);
  for (let left = graph.length; left > 0; left--) {
    const v = nextVertex(graph, colours, ranks, true);
    const taken = new Set(graph[v]!.map((neighbour) => colours[neighbour]!));
    let colour = 0;
    while (taken.has(colour)) colour++;
    colours[v] = colour;
    for (const neighbour of graph[v]!) ranks[neighbour]! += gain(neighbour, colour);
  }
  return colours;
}

export const colourLargestFirst = (graph: Graph): Colouring => colourByRank(graph, () => 0);

/** Most different colours among the neighbours first. */
export function colourDsatur(graph: Graph): Colouring {
  const around = graph.map(() => new Set<number>());
  return colourByRank(graph, (vertex, colour) => {
    const before = around[vertex]!.size;
    return around[vertex]!.add(colour).size - before;
  });
}

/** Most coloured neighbours first; a neighbour by two edges counts twice. */
export const colourDcolor = (graph: Graph): Colouring => colourByRank(graph, () => 1);

/** Branchings at most: about half a second. */
const DEFAULT_BUDGET = 400_000;

/** How well the number of colours is known. */
export interface ColourProof {
  readonly colours: number;
  readonly atLeast: number;
  /** No colouring needs fewer than `colours`. */
  readonly isProven: boolean;
}

/** Each vertex's neighbours once, without itself. */
const plainGraph = (graph: Graph): Graph => graph.map((near, v) => [...new Set(near)].filter((n) => n !== v));

/** A clique, found greedily from each vertex; the largest of them. */
function cliqueOf(graph: Graph): readonly number[] {
  const adjacent = graph.map((near) => new Set(near));
  let best: readonly number[] = [];
  for (const start of graph.keys()) {
    const clique = [start];
    const byDegree = [...graph[start]!].sort((a, b) => degree(graph, b) - degree(graph, a) || a - b);
    for (const v of byDegree) if (clique.every((member) => adjacent[member]!.has(v))) clique.push(v);
    if (clique.length > best.length) best = clique;
  }
  return best;
}

/**
 * The least number of colours, by branch and bound: the vertex with the most colours around it next, each
 * colour in use and one more tried, cut where a colouring as good is known. A clique is the proof from below.
 * Source: Brélaz, "New methods to color the vertices of a graph" (1979), the exact form of Dsatur.
 * @param known any @param budget branchings at most
 */
export function leastColouring(
  looped: Graph,
  known: Colouring,
  budget: number = DEFAULT_BUDGET,
): { readonly colouring: Colouring } & ColourProof {
  const graph = plainGraph(looped);
  const clique = cliqueOf(graph);
  let best = known;
  let fewest = new Set(known).size;
  let left = budget;
  const colours = graph.map(() => NONE);
  /** How many neighbours of `v` have colour `c`: `around[v][c]`, and how many colours that makes. */
  const around = graph.map(() => new Int32Array(fewest + 1));
  const saturation = graph.map(() => 0);

  const paint = (v: number, colour: number): void => {
    colours[v] = colour;
    for (const n of graph[v]!) if (around[n]![colour]!++ === 0) saturation[n]!++;
  };
  const clear = (v: number): void => {
    const colour = colours[v]!;
    colours[v] = NONE;
    for (const n of graph[v]!) if (--around[n]![colour]! === 0) saturation[n]!--;
  };
  /** @returns false when the budget ended */
  const branch = (used: number): boolean => {
    if (left-- <= 0) return false;
    const v = nextVertex(graph, colours, saturation, false);
    if (v === NONE) {
      best = [...colours];
      fewest = used;
      return true;
    }
    for (let colour = 0; colour <= used && Math.max(used, colour + 1) < fewest; colour++) {
      if (around[v]![colour]! > 0) continue;
      paint(v, colour);
      const isWhole = branch(Math.max(used, colour + 1));
      clear(v);
      if (!isWhole) return false;
      if (fewest <= clique.length) return true;
    }
    return true;
  };

  let isWhole = true;
  if (clique.length < fewest) {
    // The colours of a clique are all different: which is which does not matter.
    clique.forEach((v, colour) => {
      paint(v, colour);
    });
    isWhole = branch(clique.length);
  }
  const isProven = isWhole || fewest === clique.length;
  return { colouring: best, colours: fewest, atLeast: isProven ? fewest : clique.length, isProven };
}
