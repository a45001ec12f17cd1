/** Small clusters in one line a node and one line an instance, for the tests of plans and reports. */
import type { Instance, InstancePolicy, Node, Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import { type Move, placementAfter } from '../../../src/htools/model/moves/kinds.ts';
import { checkPlan } from '../../../src/htools/plan/checker/check.ts';
import type { Plan, PlanLimits, PlanStep } from '../../../src/htools/plan/plan.ts';
import {
  type GroupSketch,
  groupFrom,
  type InstanceSketch,
  instanceFrom,
  type NodeSketch,
  nodeFrom,
} from '../../builders/small-cluster.ts';

export type { GroupSketch, InstanceSketch, NodeSketch };

const DOMAIN = '.example.com';

export const OPEN_POLICY: InstancePolicy = {
  ranges: [
    {
      min: { memoryMib: 128, cpuCount: 1, diskMib: 1024, diskCount: 1, nicCount: 1, spindleUse: 1 },
      max: { memoryMib: 32768, cpuCount: 8, diskMib: 1048576, diskCount: 16, nicCount: 8, spindleUse: 12 },
    },
  ],
  standard: { memoryMib: 128, cpuCount: 1, diskMib: 1024, diskCount: 1, nicCount: 1, spindleUse: 1 },
  diskTemplates: ['drbd', 'plain', 'ext', 'rbd'],
  vcpuRatio: 4,
  spindleRatio: 32,
};

/** A node named in the domain, one of whose cpus is its own. */
const aNode = (sketch: NodeSketch, index: number, instances: readonly Instance[]): Node =>
  nodeFrom({ name: `node${index + 1}${DOMAIN}`, nodeCpus: 1, ...sketch }, index, instances);

/** An instance named in the domain, whose tags have their meaning already. */
function anInstance(sketch: InstanceSketch, index: number, exclusionPrefixes: readonly string[]): Instance {
  const tags = sketch.tags ?? [];
  return instanceFrom(
    {
      name: `inst${index + 1}${DOMAIN}`,
      exclusionTags: tags.filter((tag) => exclusionPrefixes.some((prefix) => tag.startsWith(prefix))),
      desiredLocationTags: tags.filter((tag) => tag.startsWith('rack:')),
      ...sketch,
    },
    index,
  );
}

export interface ClusterSketch {
  readonly groups?: readonly GroupSketch[];
  readonly nodes: readonly NodeSketch[];
  readonly instances: readonly InstanceSketch[];
  readonly tags?: readonly string[];
}

export function aCluster(sketch: ClusterSketch): Snapshot {
  const tags = sketch.tags ?? [];
  const prefixes = tags
    .filter((tag) => tag.startsWith('htools:iextags:'))
    .map((tag) => tag.slice('htools:iextags:'.length));
  const instances = sketch.instances.map((instance, at) => anInstance(instance, at, prefixes));
  const groups = (sketch.groups ?? [{}]).map((group, index) =>
    groupFrom({ ...(index === 0 && { name: 'default' }), policy: OPEN_POLICY, ...group }, index),
  );
  return {
    groups,
    nodes: sketch.nodes.map((node, index) => aNode(node, index, instances)),
    instances,
    tags,
    policy: OPEN_POLICY,
  };
}

const FREE_LIMITS: PlanLimits = {
  ignoreSoftErrors: false,
  diskMoves: true,
  instanceMoves: true,
  restrictedMigration: false,
  evacuationOnly: false,
  betweenGroups: false,
};

export interface PlanSketch {
  readonly start: Snapshot;
  readonly moves: readonly Move[];
  readonly limits?: Partial<PlanLimits>;
  readonly nodes?: readonly number[];
  readonly scores?: readonly number[];
}

/** A plan with the placements that its moves make; scores are those given (start first), else 0. */
export function aPlan({ start, moves, limits, nodes, scores }: PlanSketch): Plan {
  const placement = start.instances.map(
    ({ primary, secondary }) => [primary, secondary] as readonly [number, number],
  );
  const steps = moves.map((move, at): PlanStep => {
    const [fromPrimary, fromSecondary] = placement[move.instance]!;
    const [toPrimary, toSecondary] = placementAfter(move.kind, fromPrimary, fromSecondary, move.target);
    placement[move.instance] = [toPrimary, toSecondary];
    return { ...move, fromPrimary, fromSecondary, toPrimary, toSecondary, score: scores?.[at + 1] ?? 0 };
  });
  return {
    start,
    nodes: nodes ?? start.nodes.map((_, position) => position),
    limits: { ...FREE_LIMITS, ...limits },
    initialScore: scores?.[0] ?? 0,
    finalScore: scores?.at(-1) ?? 0,
    steps,
  };
}

/** `STEP RULE` of each fault that the checker finds, but for the scores, which most tests leave open. */
export function brokenRules(sketch: PlanSketch): string[] {
  return checkPlan(aPlan(sketch))
    .filter(({ rule }) => !rule.endsWith('score'))
    .map(({ step, rule }) => `${step} ${rule}`);
}
