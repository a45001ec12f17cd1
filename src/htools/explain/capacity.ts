/** What stops the next instance of a size, and what would let more in, as facts with names. */
import type { Snapshot } from '../cluster/snapshot.ts';
import { withLargerPool } from '../cluster/tags/tags.ts';
import type { Upgrade } from '../planners/allocate/fill/filled-snapshot.ts';
import type { Obstacle } from '../planners/allocate/obstacles/next-obstacle.ts';
import type { Lift } from '../planners/allocate/obstacles/what-would-lift.ts';
import { type Change, editWords } from './lifts.ts';
import type { CapacityLift, CapacityObstacle } from './record.ts';

export const obstacleFacts = ({ nodes }: Snapshot, obstacles: readonly Obstacle[]): CapacityObstacle[] =>
  obstacles.map(({ rule, role, nodes: refusing, least, pool }) => ({
    rule,
    role,
    ...(pool !== undefined && { detail: pool }),
    nodes: refusing.map((n) => nodes[n]!.name),
    least: least ? { ...least, node: nodes[least.node]!.name } : null,
  }));

function wordsOf({ nodes, tags }: Snapshot, upgrades: readonly Upgrade[]): string[] {
  let after: readonly string[] = tags;
  const changes: Change[] = [];
  for (const { node, resource, amount, pool } of upgrades)
    if (pool !== undefined) after = withLargerPool(after, pool, amount);
    else if (resource !== 'pool') changes.push({ node: nodes[node]!.name, resource, amount });
  const gone = tags.filter((tag) => !after.includes(tag)).map((tag) => `-${tag}`);
  const come = after.filter((tag) => !tags.includes(tag)).map((tag) => `+${tag}`);
  return [...editWords(changes), ...(come.length > 0 ? [`tag cluster ${[...gone, ...come].join(' ')}`] : [])];
}

export const liftFacts = (snapshot: Snapshot, lifts: readonly Lift[]): CapacityLift[] =>
  lifts.map(({ upgrades, nodeLike, gain, isAtLeast }) => ({
    lift:
      nodeLike === undefined
        ? wordsOf(snapshot, upgrades)
        : [`add node like ${snapshot.nodes[nodeLike]!.name}`],
    gain,
    isAtLeast,
  }));
