/**
 * Three greedy colourings. Each takes the vertices one by one, in an order of its own, and gives each the
 * first colour that no neighbour has. Source: hroller(1); the orders and ties are those of the stock program,
 * whose groups scripts compare.
 */
import { type Colouring, degree, type Graph } from './graph.ts';

const NONE = -1;

/** The first colour that no neighbour of the vertex has. */
function firstFree(graph: Graph, colours: readonly number[], vertex: number): number {
  const taken = new Set(graph[vertex]!.map((neighbour) => colours[neighbour]!));
  let colour = 0;
  while (taken.has(colour)) colour++;
  return colour;
}

/** Largest degree first; of equals the last one first. */
export function colourLargestFirst(graph: Graph): Colouring {
  const colours = graph.map(() => NONE);
  const order = [...graph.keys()].sort((a, b) => degree(graph, b) - degree(graph, a) || b - a);
  for (const vertex of order) colours[vertex] = firstFree(graph, colours, vertex);
  return colours;
}

/** Colours next whatever ranks highest now, then by degree; of equals the last one. */
function colourByRank(graph: Graph, rank: (colours: readonly number[], vertex: number) => number): Colouring {
  const colours = graph.map(() => NONE);
  const ranks = graph.map(() => 0);
  for (let left = graph.length; left > 0; left--) {
    let chosen = NONE;
    for (let v = 0; v < graph.length; v++) {
      if (colours[v] !== NONE) continue;
      const lead =
        chosen === NONE ? 0 : ranks[v]! - ranks[chosen]! || degree(graph, v) - degree(graph, chosen);
      if (lead >= 0) chosen = v;
    }
    colours[chosen] = firstFree(graph, colours, chosen);
    for (const neighbour of graph[chosen]!) ranks[neighbour] = rank(colours, neighbour);
  }
  return colours;
}

/** Most different colours among the neighbours first. */
export const colourDsatur = (graph: Graph): Colouring =>
  colourByRank(graph, (colours, vertex) => {
    const seen = new Set(graph[vertex]!.map((neighbour) => colours[neighbour]!));
    seen.delete(NONE);
    return seen.size;
  });

/** Most coloured neighbours first; a neighbour by two edges counts twice. */
export const colourDcolor = (graph: Graph): Colouring =>
  colourByRank(graph, (colours, vertex) =>
    graph[vertex]!.reduce((count, neighbour) => count + (colours[neighbour] === NONE ? 0 : 1), 0),
  );
