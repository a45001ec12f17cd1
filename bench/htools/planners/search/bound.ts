/**
 * `npm run bench -- bound [NODES,...] [CLUSTERS] [EFFORT]`: how far above the proven lower bound the deep
 * search ends. One JSON line a cluster: the score at the start, greedy's, the deep search's best whatever it
 * copies, the bound, and how long that took.
 *
 * Work is limited in million candidates and not in seconds, as in plans.ts, and the clusters are the same as
 * there.
 */
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { lowerBound } from '../../../../src/htools/planners/search/bound/lower-bound.ts';
import { makeLayout } from '../../../../src/htools/planners/search/kernel/layout.ts';
import { offerGreedy, searchDeep } from '../../../../src/htools/programs/shared/balance/deep-search.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { limitedByWork } from '../../../../test/builders/work-limit.ts';
import { readArguments } from '../../../arguments.ts';
import { makeCluster } from '../../../generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../generate/shape.ts';
import { clusterText } from '../../../generate/text.ts';
import { rounded } from '../../../statistics.ts';

const FIRST_SEED = 7_000;
const { positionals } = readArguments('usage: npm run bench -- bound [NODES,...] [CLUSTERS] [EFFORT]', {}, 3);
const [sizes = '20,40,80,160,320', clusters = '3', effort = '24'] = positionals;

for (const size of sizes.split(',').map(Number)) {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + Number(clusters); seed++) {
    const text = clusterText(makeCluster({ ...PLAIN_SHAPE, seed, nodesPerGroup: size }));
    const { snapshot } = prepareSnapshot(parseText(text, 'bench'), {});
    const { nodes } = groupScope(snapshot, 0);
    const { offer: greedy, problem } = offerGreedy(snapshot, nodes, DEFAULT_BALANCE_OPTIONS, false);
    const { offer } = await searchDeep(
      snapshot,
      nodes,
      DEFAULT_BALANCE_OPTIONS,
      limitedByWork(1, Number(effort) * 1_000_000, { threads: undefined }),
    );
    const deep = offer.curve.at(-1)!.score;
    const before = process.cpuUsage();
    const bound = lowerBound(makeLayout(new ClusterState(snapshot), nodes, DEFAULT_BALANCE_OPTIONS), deep)!;
    const { user, system } = process.cpuUsage(before);
    console.log(
      JSON.stringify({
        what: 'bound',
        nodes: size,
        cluster: `seed ${seed}`,
        initial: rounded(problem.initialScore),
        greedy: rounded(greedy.plans[0]!.at(-1)!.score),
        deep: rounded(deep),
        bound: rounded(bound),
        gap: rounded(deep - bound),
        boundIsShareOfDeep: rounded(bound / deep),
        boundCpuSeconds: rounded((user + system) / 1e6),
      }),
    );
  }
}
