/**
 * `npx tsx bench/htools/planners/search/kernel.ts [NODES...]`: random single moves that the kernel scores in
 * a second, one thread, and how many of them the rules allow. One JSON line a size. Wall-clock seconds of the
 * best of several rounds.
 */
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { Kernel } from '../../../../src/htools/planners/search/kernel/kernel.ts';
import { makeLayout } from '../../../../src/htools/planners/search/kernel/layout.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { readSizes } from '../../../arguments.ts';
import { makeCluster } from '../../../generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../generate/shape.ts';
import { clusterText } from '../../../generate/text.ts';
import { SEED } from '../../../run/workloads.ts';

const DEFAULT_SIZES = [20, 80, 320];
const ROUNDS = 8;
const MOVES = 1_000_000;

/** Random numbers that cost next to nothing beside a candidate. */
function* picks(seed: number): Generator<number> {
  for (let x = seed | 1; ; ) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    yield x >>> 0;
  }
}

for (const size of readSizes('npx tsx bench/htools/planners/search/kernel.ts', DEFAULT_SIZES)) {
  const cluster = makeCluster({ ...PLAIN_SHAPE, seed: SEED, nodesPerGroup: size });
  const { snapshot } = prepareSnapshot(parseText(clusterText(cluster), 'bench'), {});
  const { nodes } = groupScope(snapshot, 0);
  const layout = makeLayout(new ClusterState(snapshot), nodes, DEFAULT_BALANCE_OPTIONS);
  const kernel = new Kernel(layout);
  // Drawn beforehand, so that only the kernel is timed.
  const drawn = new Int32Array(3 * MOVES);
  const random = picks(SEED);
  const below = (n: number): number => random.next().value % n;
  for (let m = 0; m < MOVES; m++) {
    const i = layout.movable[below(layout.movable.length)]!;
    const p = layout.primary[i]!;
    const s = layout.secondary[i]!;
    let t = below(size);
    while (t === p || t === s) t = below(size);
    const places = [
      [p, t],
      [t, s],
      [t, p],
      [s, t],
      [s, p],
    ];
    const [P, S] = places[below(places.length)]!;
    drawn.set([i, P!, S!], 3 * m);
  }
  let best = 0;
  let allowed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    allowed = 0;
    const started = performance.now();
    for (let m = 0; m < 3 * MOVES; m += 3) {
      if (kernel.evaluate(drawn[m]!, drawn[m + 1]!, drawn[m + 2]!) < Infinity) allowed++;
    }
    best = Math.max(best, MOVES / ((performance.now() - started) / 1000));
  }
  console.log(
    JSON.stringify({
      what: 'kernel',
      nodes: size,
      movesPerSecond: Math.round(best),
      allowedShare: allowed / MOVES,
    }),
  );
}
