/**
 * Which placements are open to an instance at all, seen from where it starts and whatever is on the nodes: by
 * the options of the run, offline nodes and migration tags. Source: hbal(1);
 * planners/balance/possible-moves.ts for the single moves.
 */
import type { Evacuees, SearchLayout } from '../kernel/layout.ts';

export const migrates = (layout: SearchLayout, from: number, to: number): boolean =>
  layout.migrationClassCount === 1
    ? layout.migrationAllowed[0] === 1
    : layout.migrationAllowed[
        layout.migrationClassOf[from]! * layout.migrationClassCount + layout.migrationClassOf[to]!
      ] === 1;

/** Whether a primary may get from `p` to `P`, by way of `s` where that stays and carries it meanwhile. */
function mayChangePrimary(layout: SearchLayout, p: number, s: number, P: number, S: number): boolean {
  if (!layout.instanceMoves) return false;
  if (P === s) return migrates(layout, p, s);
  if (S >= 0 && S === s) {
    if (layout.restrictedMigration || layout.isOffline[s] === 1) return false;
    return migrates(layout, p, s) && migrates(layout, s, P);
  }
  return migrates(layout, p, P);
}

/** Whether a node has another primary with one of the instance's exclusion tags at the start. */
export function meetsTag(layout: SearchLayout, i: number, node: number): boolean {
  for (let k = layout.exclusionStart[i]!; k < layout.exclusionStart[i + 1]!; k++) {
    if (layout.tagCounts[node * layout.tagCount + layout.exclusions[k]!]! > 0) return true;
  }
  return false;
}

/** Whether an instance that has to leave its nodes may go there. */
const isOpen = (
  { nodeCount }: SearchLayout,
  evacuees: Evacuees,
  i: number,
  P: number,
  S: number,
): boolean => {
  const at = evacuees.placeOf[i]! * nodeCount;
  return evacuees.primaries[at + P] === 1 && (S < 0 || evacuees.secondaries[at + S] === 1);
};

/** Whether the search may place the instance there. The way to it is found later, step by step. */
export function mayPlace(layout: SearchLayout, i: number, P: number, S: number): boolean {
  const p = layout.primary[i]!;
  const s = layout.secondary[i]!;
  if (P === p && S === s) return true;
  if (layout.evacuees !== undefined) return isOpen(layout, layout.evacuees, i, P, S);
  // The way out of a dead node begins with the secondary.
  if (
    layout.isStranded[i] === 1 &&
    layout.isMirrored[i] === 1 &&
    (P === p || s < 0 || layout.isOffline[s] === 1)
  )
    return false;
  if (P !== p && layout.isOffline[P] === 1) return false;
  if (P !== p && !mayChangePrimary(layout, p, s, P, S)) return false;
  if (S < 0) return true;
  const keepsBoth = (P === p || P === s) && (S === p || S === s);
  if (!layout.diskMoves) return keepsBoth;
  // The second of two steps would find the instance on no offline node.
  const isNew = P !== p && P !== s && S !== p && S !== s;
  if (layout.evacuationOnly && isNew && layout.isOffline[p] === 0) return false;
  // An offline node stays secondary only for an instance that has not moved its disks.
  return layout.isOffline[S] === 0 || S === s || S === p;
}
