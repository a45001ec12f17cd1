/** Rules about who else of an instance's set is on a node (soft). Source: docs/reference/rules.md. */
import type { SetRuleName } from '../../cluster/tags/placement-tags.ts';
import type { InstanceSet } from '../state/placement-rules.ts';
import type { ClusterState } from '../state/state.ts';

interface SetRule {
  /**
   * Whether one more of a set may not come to a node as primary. @param there others of it on the node
   * @param most the most others on one online node
   */
  readonly refuses: (there: number, most: number) => boolean;
  /** How many of a set must move at least. @param counts how many each node has as primaries */
  readonly misplaced: (counts: readonly number[]) => number;
}

const SET_RULES: Readonly<Record<SetRuleName, SetRule>> = {
  // A set that is together stays so, and one that is parted can only grow together.
  together: {
    refuses: (there, most) => there < most,
    misplaced: (counts) => counts.reduce((sum, count) => sum + count, 0) - Math.max(0, ...counts),
  },
};

/** Where instances are, as far as the rules look. */
type Primaries = Pick<ClusterState, 'primary' | 'isOffline'>;

/** How many of a set, but for one instance, have that node as primary. */
export function countOn(state: Primaries, members: readonly number[], node: number, except: number): number {
  let count = 0;
  for (const mate of members) if (mate !== except && state.primary[mate] === node) count++;
  return count;
}

/** The most of a set, but for one instance, that have the same online node as primary. */
function mostOnOne(state: Primaries, members: readonly number[], except: number): number {
  const counts = new Map<number, number>();
  let most = 0;
  for (const mate of members) {
    const node = state.primary[mate]!;
    if (mate === except || node < 0 || state.isOffline[node] === 1) continue;
    const count = (counts.get(node) ?? 0) + 1;
    counts.set(node, count);
    most = Math.max(most, count);
  }
  return most;
}

/** The rule by which an instance of these sets may not come to the node as primary; undefined when it may. */
export const refusalBySets = (
  sets: readonly InstanceSet[],
  state: Primaries,
  i: number,
  node: number,
): SetRuleName | undefined =>
  sets.find(({ rule, members }) =>
    SET_RULES[rule].refuses(countOn(state, members, node, i), mostOnOne(state, members, i)),
  )?.rule;

/** The same for the sets that it is of. */
export const setRefusal = (state: ClusterState, i: number, node: number): SetRuleName | undefined =>
  refusalBySets(state.placement.setsWith(i), state, i, node);

export const misplacedOf = ({ rule }: InstanceSet, counts: readonly number[]): number =>
  SET_RULES[rule].misplaced(counts);
