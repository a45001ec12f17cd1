/** Rolling maintenance: rounds of nodes, and where instances go meanwhile. Source: hroller(1). */
import { allOrNone } from '../../../../kit/all-or-none.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import {
  type Colouring,
  type ColourProof,
  colourClasses,
  colourDcolor,
  colourDsatur,
  colourLargestFirst,
  type Graph,
  leastColouring,
} from '../colour/colouring.ts';
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

export interface NamedColouring {
  readonly name: string;
  readonly classes: readonly (readonly number[])[];
}

/** Why there are no rounds, in the stock program's words. */
export type RebootFailure = 'non-redundant' | 'failover' | 'secondaries';

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
  { snapshot }: ClusterState,
  rounds: readonly ClearedNodes[],
  wanted: ReadonlySet<number>,
): readonly ClearedNodes[] {
  const isMaster = (node: number): boolean => snapshot.nodes[node]!.isMaster;
  const last = (a: boolean, b: boolean): number => Number(a) - Number(b);
  return rounds
    .map(({ nodes, moves }) => {
      const own = nodes.filter((node) => wanted.has(node));
      return { nodes: own.sort((a, b) => last(isMaster(a), isMaster(b))), moves };
    })
    .sort((a, b) => last(a.nodes.some(isMaster), b.nodes.some(isMaster)) || b.nodes.length - a.nodes.length);
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
    const lots = allOrNone(rounds, (round) =>
      partitionByClearing(state, round, targets, CLEAR_NON_REDUNDANT),
    );
    if (!lots) return 'non-redundant';
    rounds = lots.flat();
  }
  if (options.fullEvacuation) {
    const failedOver = allOrNone(rounds, (round) => failOverAll(state, round));
    if (!failedOver) return 'failover';
    const lots = allOrNone(failedOver, (round) =>
      partitionByClearing(state, round, targets, CLEAR_SECONDARIES),
    );
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
): RebootRounds | { readonly failure: RebootFailure; readonly graph: Graph } {
  const graph = rebootGraph(state, wanted, options.offlineMaintenance);
  const first = wanted[0]!;
  // Nodes between the first and last wanted have a colour, too; those ahead of the first have none in stock.
  const classesOf = (colouring: Colouring): readonly (readonly number[])[] =>
    colourClasses(colouring).map((vertices) => vertices.filter((vertex) => vertex >= first));
  const found = ALGORITHMS.map(([name, colour]) => {
    const colouring = colour(graph);
    return { name, colouring, classes: classesOf(colouring) };
  });
  const best = found.reduce((a, b) => (b.classes.length < a.classes.length ? b : a));
  const least = options.fewest ? leastColouring(graph, best.colouring) : undefined;
  const classes = least ? classesOf(least.colouring) : best.classes;

  const rounds = clearRounds(state, classes, options);
  if (typeof rounds === 'string') return { failure: rounds, graph };
  return {
    graph,
    colourings: found,
    proof: least && { colours: least.colours, atLeast: least.atLeast, isProven: least.isProven },
    rounds: inOrder(state, rounds, new Set(wanted)),
  };
}
