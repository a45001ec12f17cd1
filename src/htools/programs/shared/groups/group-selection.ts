/** The groups that the command line names: the one to work on, and those that take no part. */
import { ExecutionError } from '../../../../kit/faults.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { groupsCalled, groupsWithNodes } from '../../../model/state/scope.ts';
import type { TheseOptions } from '../../../options/command-options.ts';

export interface GroupSelection {
  /** The one group to work on; undefined = all. */
  readonly only: number | undefined;
  readonly leftOut: ReadonlySet<number>;
}

function positionOf(snapshot: Snapshot, wanted: string, option: string): number {
  const inhabited = groupsWithNodes(snapshot);
  const found = groupsCalled(snapshot, wanted).filter((group) => inhabited.includes(group));
  if (found.length === 1) return found[0]!;
  const names = inhabited.map((group) => snapshot.groups[group]!.name).join(', ');
  throw new ExecutionError(
    `--${option}: ${found.length === 0 ? 'there is no node group with nodes' : 'there are several node groups'} of the name '${wanted}'`,
    found.length === 0 ? `one of these was meant: ${names}` : 'name it by its UUID',
  );
}

/** @throws ExecutionError for a name of no group with nodes, or several, or a left-out group to work on */
export function selectGroups(
  snapshot: Snapshot,
  { group, selectGroups: wanted, excludeGroups }: TheseOptions<'group' | 'selectGroups' | 'excludeGroups'>,
): GroupSelection {
  const only = group === undefined ? undefined : positionOf(snapshot, group, 'group');
  const selected = new Set(wanted.map((name) => positionOf(snapshot, name, 'select-groups')));
  const leftOut = new Set(excludeGroups.map((name) => positionOf(snapshot, name, 'exclude-groups')));
  if (selected.size > 0)
    for (const other of groupsWithNodes(snapshot)) if (!selected.has(other)) leftOut.add(other);
  if (only !== undefined && leftOut.has(only))
    throw new ExecutionError(
      `--group names ${snapshot.groups[only]!.name}, which takes no part`,
      'leave it out of --exclude-groups, or add it to --select-groups',
    );
  return { only, leftOut };
}
