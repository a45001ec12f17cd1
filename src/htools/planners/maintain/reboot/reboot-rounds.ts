/** Rolling maintenance: rounds of nodes, and where instances go meanwhile. Source: hroller(1). */
import type { ClusterState } from '../../../model/state/state.ts';
import { leastColouring } from '../colour/exact.ts';
import { type Colouring, colourClasses, type Graph } from '../colour/graph.ts';
import { colourDcolor, colourDsatur, colourLargestFirst } from '../colour/greedy.ts';
import {
  CLEAR_NON_REDUNDANT,
  CLEAR_SECONDARIES,
  type ClearedNodes,
  failOverAll,
  partitionByClearing,
} from './clear-nodes.ts';
import { rebootGraph } from './reboot-graph.ts';

export interface RebootOptions {
  /** Instances are down during the maintenance (`--offline-maintenance`). */
  readonly offlineMaintenance: boolean;
  /** Act as if every instance had another copy (`--ignore-non-redundant`). */
  readonly ignoreNonRedundant: boolean;
  /** Take all copies off the nodes, too (`--full-evacuation`). */
  readonly fullEvacuation: boolean;
  /** Look for the least number of rounds in place of the best of three greedy ones (`--fewest`). */
  readonly fewest: boolean;
}

/** One colouring by name. */
export interface NamedColouring {
  readonly name: string;
  readonly classes: readonly (readonly number[])[];
}

/** How well the number of colours is known. */
export interface ColourProof {
  readonly colours: number;
  readonly atLeast: number;
  readonly isProven: boolean;
}

/** Why there are no rounds, in the stock program's words. */
export type RebootFailure = 'non-redundant' | 'failover' | 'secondaries';

/** There are no rounds. */
interface NoRounds {
  readonly failure: RebootFailure;
  readonly graph: Graph;
}

export interface RebootRounds {
  readonly graph: Graph;
  readonly colourings: readonly NamedColouring[];
  readonly proof: ColourProof | undefined;
  /** Largest first; the master node last of all. `moves` are all changes from the start. */
  readonly rounds: readonly ClearedNodes[];
}

const ALGORITHMS: readonly (readonly [string, (graph: Graph) => Colouring])[] = [
  ['LF', colourLargestFirst],
  ['Dsatur', colourDsatur],
  ['Dcolor', colourDcolor],
];

/** Only the wanted nodes of each round, the master at its end; rounds with a master last. */
function inOrder(
  rounds: readonly ClearedNodes[],
  wanted: ReadonlySet<number>,
  isMaster: (node: number) => boolean,
): readonly ClearedNodes[] {
  const sorted = rounds
    .map(({ nodes, moves }) => ({ nodes: nodes.filter((node) => wanted.has(node)), moves }))
    .sort((a, b) => b.nodes.length - a.nodes.length)
    .map(({ nodes, moves }) => ({
      nodes: [...nodes.filter((node) => !isMaster(node)), ...nodes.filter(isMaster)],
      moves,
      hasMaster: nodes.some(isMaster),
    }));
  return [
    ...sorted.filter(({ hasMaster }) => !hasMaster),
    ...sorted.filter(({ hasMaster }) => hasMaster),
  ].map(({ nodes, moves }) => ({ nodes, moves }));
}

/** The same for each of a list, or undefined when there is none for one of them. */
function all<T, R>(items: readonly T[], work: (item: T) => R | undefined): readonly R[] | undefined {
  const results: R[] = [];
  for (const item of items) {
    const result = work(item);
    if (result === undefined) return undefined;
    results.push(result);
  }
  return results;
}

/** Parts classes that may be down together into rounds that can be cleared together; or why not. */
function clearRounds(
  state: ClusterState,
  classes: readonly (readonly number[])[],
  options: RebootOptions,
): readonly ClearedNodes[] | RebootFailure {
  const targets = [...state.isOffline.keys()].filter((node) => state.isOffline[node] === 0);
  let rounds: readonly ClearedNodes[] = classes.map((nodes) => ({ nodes, moves: [] }));
  if (!options.ignoreNonRedundant) {
    const lots = all(rounds, (round) => partitionByClearing(state, round, targets, CLEAR_NON_REDUNDANT));
    if (!lots) return 'non-redundant';
    rounds = lots.flat();
  }
  if (options.fullEvacuation) {
    const failedOver = all(rounds, (round) => failOverAll(state, round));
    if (!failedOver) return 'failover';
    const lots = all(failedOver, (round) => partitionByClearing(state, round, targets, CLEAR_SECONDARIES));
    if (!lots) return 'secondaries';
    rounds = lots.flat();
  }
  return rounds;
}

/** Whether what has to leave these nodes finds room elsewhere when all of them are down. */
export function clearsTogether(
  state: ClusterState,
  nodes: readonly number[],
  options: RebootOptions,
): boolean {
  const rounds = clearRounds(state, [nodes], options);
  return typeof rounds !== 'string' && rounds.length === 1;
}

/** Rounds in which nodes can be maintained. @param wanted online, ascending; at least one */
export function rebootRounds(
  state: ClusterState,
  wanted: readonly number[],
  options: RebootOptions,
): RebootRounds | NoRounds {
  const graph = rebootGraph(state, wanted, options.offlineMaintenance);
  const first = wanted[0]!;
  // Nodes between the first and last wanted have a colour, too; those ahead of the first have none in stock.
  const classesOf = (colouring: Colouring): readonly (readonly number[])[] =>
    colourClasses(colouring).map((vertices) => vertices.filter((vertex) => vertex >= first));
  const found = ALGORITHMS.map(([name, colour]) => ({ name, colouring: colour(graph) }));
  const colourings = found.map(({ name, colouring }) => ({ name, classes: classesOf(colouring) }));
  const fewestOf = (a: number, b: number): number =>
    colourings[b]!.classes.length < colourings[a]!.classes.length ? b : a;
  const best = [...colourings.keys()].reduce(fewestOf);
  const least = options.fewest ? leastColouring(graph, found[best]!.colouring) : undefined;
  const classes = least ? classesOf(least.colouring) : colourings[best]!.classes;

  const rounds = clearRounds(state, classes, options);
  if (typeof rounds === 'string') return { failure: rounds, graph };
  const isMaster = (node: number): boolean => state.snapshot.nodes[node]!.isMaster;
  return {
    graph,
    colourings,
    proof: least && { colours: least.colours, atLeast: least.atLeast, isProven: least.isProven },
    rounds: inOrder(rounds, new Set(wanted), isMaster),
  };
}
