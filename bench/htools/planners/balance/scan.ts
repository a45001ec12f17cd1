/**
 * `npx tsx bench/htools/planners/balance/scan.ts [NODES...]`: how long the search for a step takes. One
 * JSON line a figure: the bounds of all instances by one thread and by two, and where the time of a whole run
 * goes.
 *
 * Times here are wall-clock seconds, since threads are compared: the machine should have nothing else to do.
 */
import { basename } from 'node:path';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { isCandidate } from '../../../../src/htools/planners/balance/possible-moves.ts';
import { balanceSteps } from '../../../../src/htools/planners/balance/steps/balance.ts';
import { StepSearch } from '../../../../src/htools/planners/balance/steps/step-search.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { helpWithThreads } from '../../../../src/htools/workers/pool/scan-threads.ts';
import { readSizes } from '../../../arguments.ts';
import { makeCluster } from '../../../generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../generate/shape.ts';
import { clusterText } from '../../../generate/text.ts';
import { SEED } from '../../../run/workloads.ts';
import { selfTimeByFile } from './self-time.ts';

const DEFAULT_SIZES = [80, 160, 320];
const THREADS = [1, 2];
/** The first looks are done by code that is not compiled yet. */
const WARM_UP = 3;
const TIMES = 25;
/** Parts of a run that are worth a line of their own. */
const SHOWN_SHARE = 0.01;

interface Problem {
  readonly state: ClusterState;
  readonly nodes: readonly number[];
}

function problemOf(nodeCount: number): Problem {
  const cluster = makeCluster({ ...PLAIN_SHAPE, seed: SEED, nodesPerGroup: nodeCount });
  const { snapshot } = prepareSnapshot(parseText(clusterText(cluster), 'bench'), {});
  return { state: new ClusterState(snapshot), nodes: groupScope(snapshot, 0).nodes };
}

const searchOf = ({ state, nodes }: Problem): StepSearch =>
  new StepSearch(state, nodes, DEFAULT_BALANCE_OPTIONS);

/** Instances that a search looks at. */
const candidatesFor = ({ state }: Problem): number[] =>
  Array.from({ length: state.instanceCount }, (_, i) => i).filter((i) =>
    isCandidate(state, i, DEFAULT_BALANCE_OPTIONS),
  );

/** Bounds of instances of which nothing is known: seconds. */
function lookOnce({ bounds, parallel }: StepSearch, instances: readonly number[]): number {
  for (const i of instances) bounds.refresh(i, true);
  const started = performance.now();
  if (parallel) parallel.look(bounds, instances.length);
  else bounds.look(0, instances.length);
  return (performance.now() - started) / 1000;
}

/** Least seconds of a look at all by code that is compiled and threads that are awake. */
async function leastSeconds(problem: Problem, threads: number): Promise<number> {
  const search = searchOf(problem);
  // The first search fills in what the looks need.
  search.best();
  const instances = candidatesFor(problem);
  const stop = await helpWithThreads(search, threads);
  const seconds = Array.from({ length: WARM_UP + TIMES }, () => lookOnce(search, instances));
  await stop();
  return Math.min(...seconds.slice(WARM_UP));
}

const print = (figure: object): void => console.log(JSON.stringify(figure));
const rounded = (value: number, digits = 3): number => Number(value.toPrecision(digits));

async function measureLooks(size: number): Promise<void> {
  const problem = problemOf(size);
  let single: number | undefined;
  for (const threads of THREADS) {
    const seconds = await leastSeconds(problem, threads);
    single ??= seconds;
    print({
      name: 'balance, bounds of all instances',
      size,
      threads,
      seconds: rounded(seconds),
      instancesPerSecond: rounded(candidatesFor(problem).length / seconds),
      timesFaster: rounded(single / seconds),
      seed: SEED,
    });
  }
}

/** A whole run under the profiler: the share of each source file in its time. */
async function measureShares(size: number): Promise<void> {
  const problem = problemOf(size);
  const { state, nodes } = problem;
  const search = searchOf(problem);
  let steps = 0;
  const started = performance.now();
  const times = await selfTimeByFile(() => {
    for (const _step of balanceSteps(state, nodes, DEFAULT_BALANCE_OPTIONS, search)) steps++;
  });
  const seconds = (performance.now() - started) / 1000;
  const candidates = search.scan.visited;
  const all = (steps + 1) * search.fullScanSize;
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const shares = [...times]
    .map(([file, time]) => [basename(file), rounded(time / total, 2)] as const)
    .filter(([, share]) => share >= SHOWN_SHARE)
    .sort(([, one], [, other]) => other - one);
  print({
    name: 'balance, full run',
    size,
    steps,
    seconds: rounded(seconds),
    candidates,
    scoredOfAll: rounded(candidates / (4 * all), 2),
    weighedOfAll: rounded(search.bounds.weighed / (4 * all), 2),
    shares: Object.fromEntries(shares),
    seed: SEED,
  });
}

const sizes = readSizes('npx tsx bench/htools/planners/balance/scan.ts', DEFAULT_SIZES);
for (const size of sizes) await measureLooks(size);
for (const size of sizes) await measureShares(size);
