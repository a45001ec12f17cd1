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
export const NONE = -1;

export const degree = (graph: Graph, vertex: number): number => graph[vertex]!.length;

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
export function nextVertex(
  graph: Graph,
  colours: Colouring,
  ranks: readonly number[],
  isLast: boolean,
): number {
  let chosen = NONE;
  for (let v = 0; v < graph.length; v++) {
    if (colours[v] !== NONE) continue;
    const lead = chosen === NONE ? 1 : ranks[v]! - ranks[chosen]! || degree(graph, v) - degree(graph, chosen);
    if (lead > 0 || (lead === 0 && isLast)) chosen = v;
  }
  return chosen;
}

/** The colours of a vertex's neighbours, NONE among them where some have none. */
const coloursAround = (graph: Graph, colours: Colouring, vertex: number): number[] =>
  graph[vertex]!.map((neighbour) => colours[neighbour]!);

/** Colours next whatever ranks highest now, then by degree; of equals the last one. */
function colourByRank(graph: Graph, rank: (coloursAround: readonly number[]) => number): Colouring {
  const colours = graph.map(() => NONE);
  const ranks = graph.map(() => 0);
  for (let left = graph.length; left > 0; left--) {
    const v = nextVertex(graph, colours, ranks, true);
    const taken = new Set(coloursAround(graph, colours, v));
    let colour = 0;
    while (taken.has(colour)) colour++;
    colours[v] = colour;
    for (const neighbour of graph[v]!) ranks[neighbour] = rank(coloursAround(graph, colours, neighbour));
  }
  return colours;
}

export const colourLargestFirst = (graph: Graph): Colouring => colourByRank(graph, () => 0);

const isColour = (colour: number): boolean => colour !== NONE;

/** Most different colours among the neighbours first. */
export const colourDsatur = (graph: Graph): Colouring =>
  colourByRank(graph, (around) => new Set(around.filter(isColour)).size);

/** Most coloured neighbours first; a neighbour by two edges counts twice. */
export const colourDcolor = (graph: Graph): Colouring =>
  colourByRank(graph, (around) => around.filter(isColour).length);
