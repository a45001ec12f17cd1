/** Small clusters in one line a node and one line an instance, for the tests of plans and reports. */
import type { Group, Instance, InstancePolicy, Node, Snapshot } from '../../src/cluster/snapshot.ts';
import { BASE_UTILISATION } from '../../src/cluster/snapshot.ts';
import { hasSecondary, isMovableTemplate } from '../../src/cluster/templates.ts';
import type { Move } from '../../src/moves/kinds.ts';
import { placementAfter } from '../../src/moves/kinds.ts';
import { checkPlan } from '../../src/plan/check.ts';
import type { Plan, PlanLimits, PlanStep } from '../../src/plan/plan.ts';

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

export type NodeSketch = Partial<Omit<Node, 'index' | 'name' | 'alias'>>;
export type InstanceSketch = Partial<Omit<Instance, 'index' | 'name' | 'alias'>>;
export type GroupSketch = Partial<Omit<Group, 'index' | 'name'>>;

/** A node of 16 GiB and 100 GiB disk whose report says that all but its own memory is free. */
const aNode = (sketch: NodeSketch, index: number): Node => ({
  index,
  name: `node${index + 1}${DOMAIN}`,
  alias: `node${index + 1}`,
  group: 0,
  totalMemMib: 16384,
  nodeMemMib: 1024,
  freeMemMib: 15360,
  totalDiskMib: 102400,
  freeDiskMib: 102400,
  totalCpus: 8,
  nodeCpus: 1,
  cpuSpeed: 1,
  spindles: 1,
  freeSpindles: 0,
  hasExclusiveStorage: false,
  isOffline: false,
  isMaster: index === 0,
  tags: [],
  minFreeDiskRatio: 0,
  ...sketch,
});

/** A running DRBD instance of 1 GiB memory and 4 GiB disk on the first two nodes. */
function anInstance(sketch: InstanceSketch, index: number, exclusionPrefixes: readonly string[]): Instance {
  const diskMib = sketch.diskMib ?? 4096;
  const diskTemplate = sketch.diskTemplate ?? 'drbd';
  const tags = sketch.tags ?? [];
  return {
    index,
    name: `inst${index + 1}${DOMAIN}`,
    alias: `inst${index + 1}`,
    memMib: 1024,
    diskMib,
    disks: [{ sizeMib: diskMib }],
    vcpus: 1,
    status: 'running',
    isAutoBalanced: true,
    primary: 0,
    secondary: hasSecondary(diskTemplate) ? 1 : -1,
    diskTemplate,
    spindleUse: 1,
    tags,
    nics: [],
    isForthcoming: false,
    utilisation: BASE_UTILISATION,
    isMovable: isMovableTemplate(diskTemplate),
    exclusionTags: tags.filter((tag) => exclusionPrefixes.some((prefix) => tag.startsWith(prefix))),
    desiredLocationTags: tags.filter((tag) => tag.startsWith('rack:')),
    ...sketch,
  };
}

/** What a node reports follows from its instances, unless the sketch says otherwise. */
function withReports(
  nodes: readonly Node[],
  sketches: readonly NodeSketch[],
  instances: readonly Instance[],
): Node[] {
  return nodes.map((node, position) => {
    const real = instances.filter((instance) => !instance.isForthcoming);
    const primaries = real.filter((instance) => instance.primary === position);
    const hosted = real.filter(
      (instance) => instance.primary === position || instance.secondary === position,
    );
    const onDisk = hosted.filter(({ diskTemplate }) => diskTemplate === 'drbd' || diskTemplate === 'plain');
    const memMib = primaries
      .filter(({ status }) => status === 'running')
      .reduce((sum, instance) => sum + instance.memMib, 0);
    const diskMib = onDisk.reduce((sum, instance) => sum + instance.diskMib, 0);
    return {
      ...node,
      freeMemMib: sketches[position]!.freeMemMib ?? node.totalMemMib - node.nodeMemMib - memMib,
      freeDiskMib: sketches[position]!.freeDiskMib ?? node.totalDiskMib - diskMib,
    };
  });
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
  const groups = (sketch.groups ?? [{}]).map((group, index) => ({
    index,
    name: index === 0 ? 'default' : `group${index + 1}`,
    uuid: `00000000-0000-4000-8000-00000000000${index + 1}`,
    allocPolicy: 'preferred' as const,
    tags: [],
    networks: [],
    policy: OPEN_POLICY,
    ...group,
  }));
  return {
    groups,
    nodes: withReports(sketch.nodes.map(aNode), sketch.nodes, instances),
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
