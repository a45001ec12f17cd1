/**
 * `npm run bench -- plans [--short] [--seconds] [NODES,...|FILE,...] [CLUSTERS] [EFFORT]`: the deep search
 * against greedy on the same clusters in the same run. One JSON line a cluster, and one a size: how many
 * times lower the score is with no more GiB copied and no more memory migrated than greedy's, and with what
 * share of these GiB and no more memory greedy's score is reached. Greedy's are those of its plan once
 * compacted, the harder figures. With `--short` one small cluster, and the exit status is 1 when it falls
 * behind what is known.
 *
 * Work is limited in million candidates and not in seconds, since other work on the machine makes seconds
 * mean little. The default is about what two threads look at within the time that an operator waits: 5 s on
 * 20 nodes, 10 s on 40, 30 s on 80, 60 s on 160 and 320; the cpu seconds that it took are printed. With
 * `--seconds` that time itself is the limit, on a machine that has nothing else to do: all five sizes if none
 * are named, ten clusters each in about half an hour, with `--short` one each in about five minutes. The
 * seeds are not those that anything was tuned on.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { NO_CAPS } from '../../../../src/htools/plan/plan.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { greedyEnd } from '../../../../src/htools/planners/search/greedy.ts';
import type { PlanTotal } from '../../../../src/htools/planners/search/order/realise.ts';
import { kneeOf, pick } from '../../../../src/htools/planners/search/pick.ts';
import { Prices } from '../../../../src/htools/planners/search/walk/prices.ts';
import { offerGreedy, searchDeep } from '../../../../src/htools/programs/shared/balance/deep-search.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { readArguments } from '../../../arguments.ts';
import { makeCluster } from '../../../generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../generate/shape.ts';
import { clusterText } from '../../../generate/text.ts';
import { median, rounded } from '../../../statistics.ts';

const SECONDS: Readonly<Record<number, number>> = { 20: 5, 40: 10, 80: 30, 160: 60, 320: 60 };
const CANDIDATES_A_SECOND = 2_400_000;
const DEFAULT_SECONDS = 10;
const FIRST_SEED = 7_000;
const ROUNDING = 1e-9;

/** What a size is to reach: times lower at greedy's GiB and memory, and share of its GiB for its score. */
const MARKS: Readonly<Record<number, { readonly lower: number; readonly share: number }>> = {
  20: { lower: 5, share: 0.2 },
  40: { lower: 4, share: 0.2 },
  80: { lower: 3, share: 0.2 },
  160: { lower: 2, share: 0.2 },
  320: { lower: 2, share: 0.2 },
};

/** What the one cluster of `--short` has reached, with a little to spare. */
const HELD = { lower: 3, share: 0.2 };

const USAGE = 'usage: npm run bench -- plans [--short] [--seconds] [NODES,...|FILE,...] [CLUSTERS] [EFFORT]';
const { values: flags, positionals } = readArguments(
  USAGE,
  { short: { type: 'boolean', default: false }, seconds: { type: 'boolean', default: false } },
  3,
);
const { short: isShort, seconds: isTimed } = flags;
const usualSizes = isShort ? '20' : '20,40,80';
const [
  sizesText = isTimed ? Object.keys(SECONDS).join() : usualSizes,
  clustersText = isShort ? '1' : '10',
  effortText,
] = positionals;
const clusters = Number(clustersText);
let isMissed = false;

/** A group of clusters to measure together: made ones of a size, or files that stand for themselves. */
interface Series {
  readonly nodes: number;
  readonly inputs: readonly { readonly name: string; readonly text: () => string }[];
}

const made = (nodes: number): Series => ({
  nodes,
  inputs: Array.from({ length: clusters }, (_, k) => ({
    name: `seed ${FIRST_SEED + k}`,
    text: () => clusterText(makeCluster({ ...PLAIN_SHAPE, seed: FIRST_SEED + k, nodesPerGroup: nodes })),
  })),
});
const read = (files: readonly string[]): Series => {
  const inputs = files.map((file) => ({ name: basename(file), text: () => readFileSync(file, 'utf8') }));
  return { nodes: parseText(inputs[0]!.text(), 'bench').nodes.length, inputs };
};
const words = sizesText.split(',');
const series = words.every((word) => /^\d+$/.test(word))
  ? words.map((word) => made(Number(word)))
  : [read(words)];

const told = ({ copiedGib, migrations, memoryGib, price }: PlanTotal) => ({
  gib: Math.round(copiedGib),
  migrations,
  memoryGib: Math.round(memoryGib),
  seconds: Math.round(price),
});

for (const { nodes: size, inputs } of series) {
  const timeLimitS = SECONDS[size] ?? DEFAULT_SECONDS;
  const effort = effortText ? Number(effortText) * 1_000_000 : timeLimitS * CANDIDATES_A_SECOND;
  const candidates = isTimed ? undefined : effort;
  const lower: number[] = [];
  const shares: number[] = [];
  for (const { name, text } of inputs) {
    const { snapshot } = prepareSnapshot(parseText(text(), 'bench'), {});
    const { nodes } = groupScope(snapshot, 0);
    const { offer: greedy, problem } = offerGreedy(snapshot, nodes, DEFAULT_BALANCE_OPTIONS, true);
    const greedyTotal = greedyEnd(greedy.plans);
    const greedyScore = greedyTotal.score;
    const before = process.cpuUsage();
    const started = performance.now();
    const {
      offer,
      problem: { layout },
    } = await searchDeep(snapshot, nodes, DEFAULT_BALANCE_OPTIONS, {
      seed: 1,
      candidates,
      caps: NO_CAPS,
      timeLimitS: isTimed ? timeLimitS : undefined,
      threads: isTimed ? undefined : 1,
      onProgress: () => {},
    });
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(before);
    const lowest = Math.min(
      ...offer.plans.flatMap((steps) =>
        steps
          .filter(
            ({ total }) =>
              total.copiedGib <= greedyTotal.copiedGib && total.memoryGib <= greedyTotal.memoryGib,
          )
          .map(({ score }) => score),
      ),
    );
    const atScore = offer.plans
      .flat()
      .filter(
        ({ score, total }) => score <= greedyScore + ROUNDING && total.memoryGib <= greedyTotal.memoryGib,
      )
      .reduce((least, step) => (step.total.copiedGib < least.total.copiedGib ? step : least));
    const knee = pick(offer.curve, kneeOf(new Prices(layout).whole));
    lower.push(greedyScore / lowest);
    shares.push(atScore.total.copiedGib / greedyTotal.copiedGib);
    console.log(
      JSON.stringify({
        what: 'plans',
        nodes: size,
        cluster: name,
        initialScore: rounded(problem.initialScore),
        greedyScore: rounded(greedyScore),
        greedy: told(greedyTotal),
        scoreAtItsPrice: rounded(lowest),
        forItsScore: told(atScore.total),
        timesLower: rounded(lower.at(-1)!),
        shareOfGib: rounded(shares.at(-1)!),
        knee: { score: rounded(knee.score), gainShare: rounded(knee.gainShare), ...told(knee.total) },
        bestScore: rounded(offer.curve.at(-1)!.score),
        seconds: rounded(seconds),
        cpuSeconds: rounded((user + system) / 1e6),
      }),
    );
  }
  const mark = isShort ? HELD : MARKS[size];
  const isMet = mark && median(lower) >= mark.lower && median(shares) <= mark.share;
  if (isShort && isMet === false) isMissed = true;
  console.log(
    JSON.stringify({
      what: 'summary',
      nodes: size,
      ...(candidates === undefined ? { timeLimitS } : { millionCandidates: candidates / 1_000_000 }),
      timesLower: { median: rounded(median(lower)), least: rounded(Math.min(...lower)) },
      shareOfGib: { median: rounded(median(shares)), most: rounded(Math.max(...shares)) },
      mark,
      isMet,
    }),
  );
}
process.exitCode = isMissed ? 1 : 0;
