/**
 * `npx tsx bench/balance/scan.ts [NODES...]`: how near the scan is to what the machine can do. One JSON line a figure:
 * full scans of one step by one thread and by two, and where the time of a whole run goes.
 *
 * Times here are wall-clock seconds, since threads are compared: the machine should have nothing else to do.
 */
import { basename } from 'node:path';
import { balanceSteps } from '../../src/balance/balance.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../src/balance/options.ts';
import { isCandidate, kindsWithTarget, mayFailOver } from '../../src/balance/possible-moves.ts';
import { StepSearch } from '../../src/balance/step-search.ts';
import { prepareSnapshot } from '../../src/cluster/prepare.ts';
import { groupScope } from '../../src/cluster/scope.ts';
import { ClusterState } from '../../src/cluster/state.ts';
import { parseText } from '../../src/snapshot/text.ts';
import { helpWithThreads } from '../../src/workers/pool/scan-threads.ts';
import { makeCluster } from '../generate/cluster.ts';
import { PLAIN_SHAPE } from '../generate/shape.ts';
import { clusterText } from '../generate/text.ts';
import { SEED } from '../run/workloads.ts';
import { selfTimeByFile } from './self-time.ts';

const DEFAULT_SIZES = [80, 160, 320];
const THREADS = [1, 2];
/** The first scans are done by code that is not compiled yet. */
const WARM_UP = 3;
const TIMES = 7;
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

/** Moves that a full scan looks at, allowed or not. */
function countCandidates({ state, nodes }: Problem): number {
  const targets = nodes.filter((node) => !state.isOffline[node]);
  let count = 0;
  for (let i = 0; i < state.instanceCount; i++) {
    if (!isCandidate(state, i, DEFAULT_BALANCE_OPTIONS)) continue;
    const others = targets.filter((node) => node !== state.primary[i] && node !== state.secondary[i]);
    count += others.length * kindsWithTarget(state, i, DEFAULT_BALANCE_OPTIONS).length;
    if (mayFailOver(state, i, DEFAULT_BALANCE_OPTIONS)) count++;
  }
  return count;
}

/** Seconds of the first step's search, with tables already built: hoists, scan and the exact scores of the best few. */
async function fullScanSeconds(problem: Problem, threads: number): Promise<number> {
  const search = searchOf(problem);
  const stop = await helpWithThreads(search, threads);
  const started = performance.now();
  search.next();
  const seconds = (performance.now() - started) / 1000;
  await stop();
  return seconds;
}

async function leastSeconds(problem: Problem, threads: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < WARM_UP + TIMES; run++) {
    const seconds = await fullScanSeconds(problem, threads);
    if (run >= WARM_UP) least = Math.min(least, seconds);
  }
  return least;
}

const print = (figure: object): void => console.log(JSON.stringify(figure));
const rounded = (value: number, digits = 3): number => Number(value.toPrecision(digits));

async function measureScans(size: number): Promise<void> {
  const problem = problemOf(size);
  const candidates = countCandidates(problem);
  let single: number | undefined;
  for (const threads of THREADS) {
    const seconds = await leastSeconds(problem, threads);
    single ??= seconds;
    print({
      name: 'balance, full scan',
      size,
      threads,
      seconds: rounded(seconds),
      candidates,
      candidatesPerSecond: rounded(candidates / seconds),
      timesFaster: rounded(single / seconds),
      seed: SEED,
    });
  }
}

/** A whole run under the profiler: the share of each source file in its time. */
async function measureShares(size: number): Promise<void> {
  const problem = problemOf(size);
  let steps = 0;
  const started = performance.now();
  const times = await selfTimeByFile(() => {
    for (const _step of balanceSteps(problem.state, problem.nodes, DEFAULT_BALANCE_OPTIONS)) steps++;
  });
  const seconds = (performance.now() - started) / 1000;
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
    shares: Object.fromEntries(shares),
    seed: SEED,
  });
}

const sizes = process.argv.slice(2).map(Number);
if (sizes.some((size) => !Number.isInteger(size) || size < 2)) {
  console.error('usage: npx tsx bench/balance/scan.ts [NODES...]');
  process.exitCode = 2;
} else {
  const chosen = sizes.length > 0 ? sizes : DEFAULT_SIZES;
  for (const size of chosen) await measureScans(size);
  for (const size of chosen) await measureShares(size);
}
