/** Random moves and placements on a state, legal or not, and options for a run. */
import type { Random } from '../../bench/generate/random.ts';
import { type Instance, NO_NODE } from '../../src/htools/cluster/snapshot.ts';
import { hasSecondary } from '../../src/htools/cluster/templates.ts';
import { FAILOVER, FAILOVER_TO_ANY, type Move, type MoveKind } from '../../src/htools/model/moves/kinds.ts';
import { type ClusterState, MIRROR_EXTERNAL, MIRROR_INTERNAL } from '../../src/htools/model/state/state.ts';
import { type BalanceOptions, DEFAULT_BALANCE_OPTIONS } from '../../src/htools/planners/balance/options.ts';

/**
 * A move that makes sense for the instance's template, whether or not the rules allow it; undefined for local
 * disks.
 */
export function randomMove(state: ClusterState, random: Random): Move | undefined {
  if (state.instanceCount === 0) return undefined;
  const instance = random.below(state.instanceCount);
  const targets = state.snapshot.nodes
    .map((_, node) => node)
    .filter((node) => node !== state.primary[instance] && node !== state.secondary[instance]);
  const mirroring = state.mirroring[instance];
  if (mirroring === MIRROR_INTERNAL && (targets.length === 0 || random.chance(0.2)))
    return { instance, kind: FAILOVER, target: -1 };
  if (targets.length === 0) return undefined;
  const target = random.pick(targets);
  if (mirroring === MIRROR_EXTERNAL) return { instance, kind: FAILOVER_TO_ANY, target };
  if (mirroring === MIRROR_INTERNAL) return { instance, kind: random.between(2, 5) as MoveKind, target };
  return undefined;
}

/** An instance like one of the cluster's, still to be placed, and nodes to try. */
export function randomPlacement(
  state: ClusterState,
  random: Random,
): { record: Instance; primary: number; secondary: number } | undefined {
  const { instances, nodes } = state.snapshot;
  if (instances.length === 0) return undefined;
  const like = random.pick(instances);
  const name = `new-${state.instanceCount}`;
  const record = { ...like, name, alias: name, primary: NO_NODE, secondary: NO_NODE };
  const primary = random.below(nodes.length);
  if (!hasSecondary(like.diskTemplate)) return { record, primary, secondary: NO_NODE };
  const others = nodes.map((_, node) => node).filter((node) => node !== primary);
  return others.length === 0 ? undefined : { record, primary, secondary: random.pick(others) };
}

/** Each option on or off. */
export function randomOptions(random: Random): BalanceOptions {
  return {
    ...DEFAULT_BALANCE_OPTIONS,
    diskMoves: !random.chance(0.15),
    instanceMoves: !random.chance(0.15),
    restrictedMigration: random.chance(0.2),
    ignoreSoftErrors: random.chance(0.2),
    evacuationOnly: random.chance(0.15),
  };
}
