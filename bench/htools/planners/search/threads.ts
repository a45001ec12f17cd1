/**
 * `npx tsx bench/htools/planners/search/threads.ts [--nodes N] [--effort MILLIONS]`: what a second thread
 * saves a deep search. Threads share lanes and nothing else, so the answer is the same and only time differs.
 * Two figures, as one JSON line each: by work (cpu seconds of each job, taken one after another, laid on one
 * and on two threads as the pool hands them out), which other work on the machine does not change much; and
 * by the wall clock, with threads started and all.
 */
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { NO_CAPS } from '../../../../src/htools/plan/plan.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { greedyEnd } from '../../../../src/htools/planners/search/greedy.ts';
import { searchProblem, withGreedyPrice } from '../../../../src/htools/planners/search/lanes.ts';
import { searchDeep } from '../../../../src/htools/programs/shared/balance/deep-search.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { longestFirst } from '../../../../src/htools/workers/pool/search-threads.ts';
import { doSearchJob } from '../../../../src/htools/workers/search.ts';
import { readArguments } from '../../../arguments.ts';
import { makeCluster } from '../../../generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../generate/shape.ts';
import { clusterText } from '../../../generate/text.ts';

const SEED = 7_100;
const MICROSECONDS = 1e6;
const USAGE = 'usage: npx tsx bench/htools/planners/search/threads.ts [--nodes N] [--effort MILLIONS]';
const { values } = readArguments(USAGE, {
  nodes: { type: 'string', default: '20' },
  effort: { type: 'string', default: '12' },
});
const cluster = makeCluster({ ...PLAIN_SHAPE, seed: SEED, nodesPerGroup: Number(values.nodes) });
const { snapshot } = prepareSnapshot(parseText(clusterText(cluster), 'bench'), {});
const { nodes } = groupScope(snapshot, 0);
const limits = { seed: 1, candidates: Number(values.effort) * 1_000_000, caps: NO_CAPS };

/** When the last of the jobs ends, each taken by the thread that is free first. */
function lastEnd(seconds: readonly number[], threads: number): number {
  const ends = new Array<number>(threads).fill(0);
  for (const one of seconds) ends[ends.indexOf(Math.min(...ends))]! += one;
  return Math.max(...ends);
}

const problem = searchProblem({ snapshot, nodes, options: DEFAULT_BALANCE_OPTIONS }, limits);
let greedy = { copiedGib: 0, memoryGib: 0, score: 0 };
const work = [undefined, ...longestFirst(problem.lanes)].map((lane) => {
  const before = process.cpuUsage();
  const { plans } = doSearchJob(problem, { lane: lane && withGreedyPrice(lane, greedy) });
  if (!lane) greedy = greedyEnd(plans);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MICROSECONDS;
});
const byWork = [1, 2].map((threads) => lastEnd(work, threads));
console.log(
  JSON.stringify({
    what: 'work',
    cpuSeconds: byWork.map((one) => one.toFixed(2)),
    share: (byWork[1]! / byWork[0]!).toFixed(3),
  }),
);

const wall: number[] = [];
for (const threads of [1, 2]) {
  const started = performance.now();
  await searchDeep(snapshot, nodes, DEFAULT_BALANCE_OPTIONS, {
    ...limits,
    timeLimitS: undefined,
    threads,
    onProgress: () => {},
  });
  wall.push((performance.now() - started) / 1000);
}
console.log(
  JSON.stringify({
    what: 'wall',
    seconds: wall.map((one) => one.toFixed(2)),
    share: (wall[1]! / wall[0]!).toFixed(3),
  }),
);
