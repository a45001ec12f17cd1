/**
 * `npm run bench -- group-plans [CLUSTERS] [heal|spread|empty]...`: the deep search across groups against the
 * plans without it, on the same made super clusters in the same run. One JSON line a cluster and question;
 * GiB of disk copied and of memory migrated, without the search and with it. Work is limited in candidates,
 * not in seconds. The seeds are not those that anything was tuned on.
 */
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { USUAL_RATES } from '../../../../src/htools/plan/price.ts';
import { Budget } from '../../../../src/htools/planners/anneal/budget.ts';
import { judgeGroups } from '../../../../src/htools/planners/groups/empty/compress.ts';
import { deepEmptier, meanScore } from '../../../../src/htools/planners/groups/empty/deep-emptying.ts';
import { findTogether, type Wanted } from '../../../../src/htools/planners/groups/empty/together.ts';
import { redistribute } from '../../../../src/htools/planners/groups/heal/redistribute.ts';
import { survey } from '../../../../src/htools/planners/groups/heal/survey.ts';
import { SuperCluster } from '../../../../src/htools/planners/groups/homes/super-cluster.ts';
import type { Relocation } from '../../../../src/htools/planners/groups/relocate/relocation.ts';
import { relocationCost } from '../../../../src/htools/planners/groups/relocate/relocation-plan.ts';
import { Spreading } from '../../../../src/htools/planners/groups/spread/spread.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { MIB_PER_GIB } from '../../../../src/kit/units.ts';
import { readArguments, refuse } from '../../../arguments.ts';
import { makeSuperCluster, PLAIN_SUPER_SHAPE, type SuperShape } from '../../../generate/super-cluster.ts';
import { clusterText } from '../../../generate/text.ts';

const SEED = 1;
const SICK: readonly Partial<SuperShape>[] = [
  { templates: { drbd: 1 }, fill: [0.3, 0.8] },
  { templates: { drbd: 5, ext: 3, rbd: 2 }, fill: [0.3, 0.8] },
  { templates: { drbd: 6, ext: 3, plain: 1 }, fill: [0.15, 0.65] },
];
const SOUND: readonly Partial<SuperShape>[] = [
  { templates: { drbd: 1 }, fill: [0.15, 0.7] },
  { templates: { drbd: 5, ext: 3, rbd: 2 }, fill: [0.15, 0.7] },
  { templates: { drbd: 1, ext: 1 }, fill: [0.2, 0.6] },
];

const budgetOf = (candidates: number): Budget => new Budget({ candidates, clock: () => 0 });

function clusterOf(k: number, isSick: boolean): SuperCluster {
  const shapes = isSick ? SICK : SOUND;
  const made = makeSuperCluster({
    ...PLAIN_SUPER_SHAPE,
    ...shapes[k % shapes.length],
    seed: (isSick ? 9000 : 9100) + k,
    groupCount: 4 + (k % 4),
    nodesPerGroup: 6 + ((k * 5) % 9),
    instancesPerNode: 6 + (k % 5),
    brokenShare: isSick ? 0.4 : 0.05,
    carelessShare: isSick ? 0.3 : 0,
  });
  const raw = parseText(clusterText(made), `cluster ${k}`);
  return new SuperCluster(prepareSnapshot(raw, { staticKvmNodeMemoryMib: 4096 }).snapshot);
}

function costOf({ snapshot }: SuperCluster, relocations: readonly Relocation[]) {
  const { copiedMib, migratedMemMib, instances } = relocationCost(snapshot, relocations, USUAL_RATES);
  return {
    copiedGib: Math.round(copiedMib / MIB_PER_GIB),
    memGib: Math.round(migratedMemMib / MIB_PER_GIB),
    instances,
  };
}

function heal(cluster: SuperCluster) {
  const { greedy, ...deep } = redistribute(cluster, survey(cluster), () => {}, {
    seed: SEED,
    budget: budgetOf(100_000),
  });
  const healed = ({ healings }: Pick<typeof deep, 'healings'>): number =>
    healings.filter(({ isHealed }) => isHealed).length;
  const known = greedy ?? deep;
  return {
    greedy: { healed: healed(known), ...costOf(cluster, known.relocations) },
    deep: { healed: healed(deep), ...costOf(cluster, deep.relocations) },
  };
}

function spread(cluster: SuperCluster) {
  const options = { diskMoves: true, maxSteps: -1, minScore: 1e-9, minGain: 0.01, minGainLimit: 0.1 };
  const spreading = new Spreading(cluster, options);
  const before = spreading.loads.score;
  const start = cluster.mark();
  const greedy = [...spreading.steps()];
  cluster.rollback(start);
  const deep = spreading.searchDeep(greedy, { seed: SEED, budget: budgetOf(2_000_000) });
  const figures = (steps: typeof deep) => ({
    spread: Number((steps.at(-1)?.score ?? before).toFixed(4)),
    ...costOf(
      cluster,
      steps.map(({ relocation }) => relocation),
    ),
  });
  return { greedy: figures(greedy), deep: figures(deep) };
}

function empty(cluster: SuperCluster) {
  const verdicts = judgeGroups(cluster);
  const greedy = findTogether(cluster, verdicts);
  const emptier = deepEmptier({ cluster, seed: SEED, budget: budgetOf(40_000), watch: () => {} });
  const set = emptier.together(greedy, emptier.judge(verdicts));
  const figures = (wanted: Wanted) => ({
    groups: wanted.groups.length,
    meanScore: Number(meanScore(cluster, wanted).toFixed(3)),
    ...costOf(cluster, wanted.relocations),
  });
  return { greedy: figures(greedy), deep: figures({ ...set, relocations: emptier.gently(set) }) };
}

const QUESTIONS = { heal, spread, empty };
const USAGE = 'usage: npm run bench -- group-plans [CLUSTERS] [heal|spread|empty]...';
const { positionals: words } = readArguments(USAGE, {}, Number.POSITIVE_INFINITY);
const strange = words.find((word) => !/^\d+$/.test(word) && !(word in QUESTIONS));
if (strange !== undefined) refuse(USAGE, `There is no question '${strange}'`);
const count = Number(words.find((word) => /^\d+$/.test(word)) ?? 10);
const asked = (Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[]).filter(
  (name) => words.includes(name) || !words.some((word) => word in QUESTIONS),
);
for (const name of asked) {
  for (let k = 1; k <= count; k++) {
    const cluster = clusterOf(k, name === 'heal');
    const started = process.cpuUsage();
    const result = QUESTIONS[name](cluster);
    const { user, system } = process.cpuUsage(started);
    const figures = { name, cluster: k, cpuSeconds: Number(((user + system) / 1e6).toFixed(1)), ...result };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
  }
}
