import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import {
  type Colouring,
  colourClasses,
  colourDcolor,
  colourDsatur,
  colourLargestFirst,
  type Graph,
  leastColouring,
} from '../../../../../src/htools/planners/maintain/colour/colouring.ts';
import { forSeeds } from '../../../../builders/seeds.ts';

/** A graph with double edges and loops, as instances make them. */
function randomGraph(seed: number, vertices: number): Graph {
  const random = new Random(seed, 'graph');
  const graph: number[][] = Array.from({ length: vertices }, () => []);
  const density = random.real(0.05, 0.9);
  for (let a = 0; a < vertices; a++) {
    for (let b = 0; b < a; b++) {
      for (let edges = random.chance(density) ? random.between(1, 3) : 0; edges > 0; edges--) {
        graph[a]!.push(b);
        graph[b]!.push(a);
      }
    }
    if (random.chance(0.2)) graph[a]!.push(a);
  }
  return graph;
}

const clashes = (graph: Graph, colouring: Colouring): number =>
  graph.flatMap((near, v) => near.filter((n) => n !== v && colouring[n] === colouring[v])).length;

/** The least number of colours, by trying all ways. */
function fewestByForce(graph: Graph): number {
  for (let most = 1; ; most++) {
    const colours = graph.map(() => -1);
    const tryFrom = (v: number): boolean => {
      if (v === graph.length) return true;
      for (let colour = 0; colour < most; colour++) {
        if (graph[v]!.some((n) => n !== v && colours[n] === colour)) continue;
        colours[v] = colour;
        if (tryFrom(v + 1)) return true;
        colours[v] = -1;
      }
      return false;
    };
    if (tryFrom(0)) return most;
  }
}

describe('colourings of a graph', () => {
  it('begin with the vertex of most neighbours', () => {
    const star: Graph = [[1, 2, 3], [0], [0], [0]];
    for (const colour of [colourLargestFirst, colourDsatur, colourDcolor])
      expect(colour(star)).to.deep.equal([0, 1, 1, 1]);
  });

  it('are improved to the least from any that is known', () => {
    forSeeds(60, (seed) => {
      const graph = randomGraph(seed, 2 + (seed % 8));
      const least = leastColouring(graph, [...graph.keys()]);
      expect(clashes(graph, least.colouring), `seed ${seed}`).to.equal(0);
      expect(new Set(least.colouring).size, `seed ${seed}`).to.equal(least.colours);
      expect(least, `seed ${seed}`).to.include({ colours: fewestByForce(graph), isProven: true });
    });
  });

  it('give neighbours different colours, and use all colours up to the last', () => {
    forSeeds(200, (seed) => {
      const graph = randomGraph(seed, 1 + (seed % 12));
      for (const colour of [colourLargestFirst, colourDsatur, colourDcolor]) {
        const colouring = colour(graph);
        expect(clashes(graph, colouring)).to.equal(0);
        expect(colourClasses(colouring).every((vertices) => vertices?.length > 0)).to.equal(true);
      }
    });
  });

  it('need as many colours at least as trying all ways says', () => {
    forSeeds(200, (seed) => {
      const graph = randomGraph(seed, 1 + (seed % 8));
      const least = leastColouring(graph, colourLargestFirst(graph));
      expect(clashes(graph, least.colouring)).to.equal(0);
      expect(least).to.include({ isProven: true, colours: fewestByForce(graph), atLeast: least.colours });
    });
  });

  it('are not called the least when the search was cut short', () => {
    // The wheel-like graph of Groetzsch needs four colours, has no triangle, and a clique of two proves
    // nothing.
    const ring = [0, 1, 2, 3, 4];
    const edges = ring.flatMap((v) => [
      [v, (v + 1) % 5],
      [v + 5, (v + 1) % 5],
      [v + 5, (v + 4) % 5],
      [v + 5, 10],
    ]);
    const graph: number[][] = Array.from({ length: 11 }, () => []);
    for (const [a, b] of edges) {
      graph[a!]!.push(b!);
      graph[b!]!.push(a!);
    }
    const known = [...graph.keys()];
    expect(leastColouring(graph, known)).to.include({ colours: 4, isProven: true });
    expect(leastColouring(graph, known, 3)).to.include({ colours: 11, isProven: false, atLeast: 2 });
  });
});
