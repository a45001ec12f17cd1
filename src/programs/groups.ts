/** Choosing the group to work on. */

import { printErr } from '../cli/output.ts';
import { ExecutionError } from '../cluster/faults.ts';
import { groupsWithNodes } from '../cluster/scope.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import { severalGroups, unknownGroup } from '../report/steps.ts';

/**
 * Position of the group that `-G` names (name or UUID), or of the only one with nodes.
 * @throws ExecutionError when the name fits no group or several, or when there are several groups and no name
 */
export function selectGroup(snapshot: Snapshot, wanted: string | undefined): number {
  if (wanted === undefined) {
    const [first, ...others] = groupsWithNodes(snapshot);
    if (first === undefined) throw new ExecutionError('No groups found by splitCluster?!');
    if (others.length === 0) return first;
    printErr(severalGroups([first, ...others].map((group) => snapshot.groups[group]!.name)));
    throw new ExecutionError('Aborting.');
  }
  const fitting = [...snapshot.groups.keys()].filter((group) => {
    const { name, uuid } = snapshot.groups[group]!;
    return name === wanted || uuid === wanted;
  });
  if (fitting.length === 1) return fitting[0]!;
  printErr(
    unknownGroup(
      wanted,
      snapshot.groups.map((group) => group.name),
    ),
  );
  throw new ExecutionError('Aborting.');
}
