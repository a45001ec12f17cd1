/** What hroller says, line by line as the stock program does (byte contract). */
import { nodesAt } from '../../cluster/names.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { TheseOptions } from '../../options/command-options.ts';
import type { ColourProof, Graph } from '../../planners/maintain/colour/colouring.ts';
import { type ClearedNodes, changedPlacements } from '../../planners/maintain/reboot/clear-nodes.ts';
import type { NamedColouring } from '../../planners/maintain/reboot/reboot-rounds.ts';

export const heading = (isFirstOnly: boolean): string =>
  isFirstOnly ? "'First Reboot Group'\n" : "'Node Reboot Groups'\n";

/** @param first position of the first node that is meant, with which the array begins */
export const graphText = (graph: Graph, first: number): string =>
  `Node Graph: array (${first},${graph.length - 1}) [${graph
    .map((near, node) => `(${node},[${near.join(',')}])`)
    .slice(first)
    .join(',')}]\n`;

/** The colourings, best first, and whether each is as good as the one before it. */
export function colouringsText(colourings: readonly NamedColouring[]): string {
  const byColours = colourings.toSorted((a, b) => b.classes.length - a.classes.length).reverse();
  const parts = byColours.map(({ name, classes }, at) => {
    const figures = `${name}: ${classes.length} (${classes.map((nodes) => nodes.length).join(',')})`;
    if (at === 0) return figures;
    return ` ${classes.length === byColours[at - 1]!.classes.length ? 'TIE' : 'LOOSE'} ${figures}`;
  });
  return `${parts.join('')}\n`;
}

const movesText = (snapshot: Snapshot, { moves }: ClearedNodes): string =>
  changedPlacements(snapshot, moves)
    .map(({ instance, primary, secondary }) => {
      const nodes = nodesAt(snapshot.nodes, primary, secondary).map(({ name }) => name);
      return `  ${snapshot.instances[instance]!.name} ${nodes.join(' ')}\n`;
    })
    .join('');

export const roundsText = (
  snapshot: Snapshot,
  rounds: readonly ClearedNodes[],
  { printMoves, oneStepOnly }: TheseOptions<'printMoves' | 'oneStepOnly'>,
): string =>
  (oneStepOnly ? rounds.slice(0, 1) : rounds)
    .map((round) => {
      const names = round.nodes.map((n) => snapshot.nodes[n]!.name);
      const nodes = oneStepOnly ? names.map((name) => `${name}\n`).join('') : `${names.join(',')}\n`;
      return nodes + (printMoves ? movesText(snapshot, round) : '');
    })
    .join('');

export const proofText = ({ colours, atLeast, isProven }: ColourProof): string =>
  isProven
    ? `Rounds of nodes that may be down together: ${colours}, proven to be the least\n`
    : `Rounds of nodes that may be down together: ${colours}; at least ${atLeast} are needed, the search was not finished\n`;
