/** Undirected graphs as lists of neighbours, and what it means to colour one. */

/**
 * Neighbours of each vertex, newest edge first. An edge that was entered twice stands twice, and a vertex may
 * be its own neighbour: both count in its degree, which the orders of colouring go by.
 */
export type Graph = readonly (readonly number[])[];

/** Colour of each vertex, from 0. */
export type Colouring = readonly number[];

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
