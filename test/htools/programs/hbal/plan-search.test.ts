import { expect } from 'chai';
import { makeCluster } from '../../../../bench/generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../../bench/generate/shape.ts';
import { clusterText } from '../../../../bench/generate/text.ts';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { GroupParts } from '../../../../src/htools/model/state/group-parts.ts';
import { groupScope, wholeScope } from '../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import type { PlanStep } from '../../../../src/htools/plan/plan.ts';
import { USUAL_RATES } from '../../../../src/htools/plan/price.ts';
import { balanceSteps } from '../../../../src/htools/planners/balance/steps/balance.ts';
import { StepSearch } from '../../../../src/htools/planners/balance/steps/step-search.ts';
import { curveText } from '../../../../src/htools/programs/hbal/curve-text.ts';
import type { PlanOptions } from '../../../../src/htools/programs/hbal/plan-choice.ts';
import { choosePlan } from '../../../../src/htools/programs/hbal/plan-search.ts';
import {
  assertBalanceWords,
  balanceOptionsOf,
} from '../../../../src/htools/programs/shared/balance/balance-options.ts';
import { ratesOf } from '../../../../src/htools/programs/shared/balance/price-rates.ts';
import { searchOf } from '../../../../src/htools/programs/shared/balance/search-limits.ts';
import { priceOf } from '../../../../src/htools/programs/shared/steps/plan-price.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { UsageError } from '../../../../src/kit/faults.ts';
import { duration } from '../../../../src/kit/report/sentences.ts';
import { int32 } from '../../../../src/kit/shared-arrays.ts';
import { parseFor } from '../../../builders/command-line.ts';
import { forSeedsAsync, halved, inLongRun } from '../../../builders/seeds.ts';
import { randomSuperCluster } from '../../../builders/super-cluster.ts';

const ROUNDING = 1e-9;

/** The cluster whose plans are chosen, and millions of candidates for each search. */
const USUAL = { nodesPerGroup: 5, instancesPerNode: 5, effort: 0.003 };
const LARGER = { nodesPerGroup: 7, instancesPerNode: 6, effort: 0.12 };
const [{ nodesPerGroup, instancesPerNode, effort } = USUAL] = inLongRun(LARGER);

const optionsOf = (line: string): PlanOptions => {
  const parsed = parseFor('hbal', line === '' ? [] : line.split(' '));
  if (!('options' in parsed)) throw new Error(`not parsed: ${JSON.stringify(parsed)}`);
  return parsed.options;
};

/** Instances that no migration moves make downtime: each third one. */
const withFixed = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  instances: snapshot.instances.map((one, k) =>
    k % 3 === 0 ? { ...one, tags: [...one.tags, 'htools:nomigrate'] } : one,
  ),
});

describe('the choice of a plan by the options of hbal', () => {
  const text = clusterText(makeCluster({ ...PLAIN_SHAPE, seed: 32, nodesPerGroup, instancesPerNode }));
  const snapshot = withFixed(prepareSnapshot(parseText(text, 'test'), {}).snapshot);
  const { nodes } = groupScope(snapshot, 0);
  const part = new GroupParts(snapshot).of(0);
  const DEEP = `--search=deep --effort ${effort} --jobs 1`;

  const choosing = async (line: string) => {
    const options = optionsOf(line);
    assertBalanceWords(options);
    const chosen = await choosePlan(part, balanceOptionsOf(options), options);
    return { ...chosen, price: priceOf({ start: snapshot, steps: chosen.steps }, ratesOf(options)) };
  };
  const known = new Map<string, ReturnType<typeof choosing>>();
  /** Several tests look at the same plan. */
  const choose = (line: string) => known.get(line) ?? known.set(line, choosing(line)).get(line)!;
  const greedy = ((): readonly PlanStep[] => {
    const state = new ClusterState(snapshot);
    const options = balanceOptionsOf(optionsOf(''));
    return [...balanceSteps(state, nodes, options, new StepSearch(state, nodes, options))];
  })();
  const startScore = new StepSearch(new ClusterState(snapshot), nodes, balanceOptionsOf(optionsOf(''))).scorer
    .score;
  const greedyScore = greedy.at(-1)!.score;

  it('keeps each limit, and takes the lowest score under it', async () => {
    const free = await choose(`${DEEP} --budget best`);
    expect(free.price.downtimeSeconds).to.be.above(0);
    const mib = Math.ceil(free.price.copiedMib / 4);
    const minutes = Math.ceil(free.price.seconds / 120);
    type Limit = readonly [string, (found: typeof free) => boolean];
    const searched: readonly Limit[] = [
      [`--budget ${mib}MiB`, ({ price }) => price.copiedMib <= mib],
      ['--budget 3moves', ({ price }) => price.steps <= 3],
      [
        '--budget 4migrations --budget 0failovers',
        ({ price }) => price.migrations <= 4 && price.downtimeSeconds === 0,
      ],
    ];
    const limits: readonly Limit[] = [
      ...searched,
      ['--max-length 4', ({ price }) => price.steps <= 4],
      [`--budget ${minutes}min`, ({ price }) => price.seconds <= minutes * 60],
      // One job after another, at the usual rates.
      [
        `--budget ${2 * minutes}min --parallel 1`,
        ({ price: { copiedMib, migratedMemMib, steps } }) =>
          copiedMib / 100 + (1.3 * migratedMemMib) / 100 + 10 * steps <= 2 * minutes * 60,
      ],
      ['--budget 1failover', ({ price }) => price.downtimeSeconds <= 60],
      ['--budget 2migrations', ({ price }) => price.migrations <= 2],
    ];
    const kept = async (search: string, [line, isKept]: Limit): Promise<void> => {
      const limited = await choose(`${search} ${line}`);
      expect(isKept(limited), `${search} ${line}`).to.equal(true);
      expect(limited.picked.score, `${search} ${line}`).to.be.below(startScore);
    };
    for (const limit of limits) await kept('--search=greedy', limit);
    for (const limit of [...searched, ...inLongRun(...limits.slice(searched.length))])
      await kept(DEEP, limit);
  });

  it('is weighed by words that are understood to their end', () => {
    expect(ratesOf(optionsOf('--price job=3')).job).to.equal(3);
    for (const word of ['job', 'job=', 'job=3=4', 'job=3x', 'jobs=3'])
      expect(() => ratesOf(optionsOf(`--price ${word}`)), word).to.throw(UsageError, 'is not understood');
    expect(() => ratesOf(optionsOf('--price a,job=3,b'))).to.throw("--price: 'a', 'b' is not understood");
    const twice = optionsOf('--budget 9xx --budget 2h --budget zz');
    expect(() => assertBalanceWords(twice)).to.throw("--budget: '9xx', 'zz' is not understood");
  });

  it('counts the time with as many jobs at once as there may be', () => {
    expect(ratesOf(optionsOf('--parallel 3')).parallel).to.equal(3);
    expect(ratesOf(optionsOf('')).parallel).to.equal(undefined);
  });

  it('ends at the knee where nothing is limited but the failovers, which say nothing of the price', async () => {
    const [limited, atKnee, best] = [
      await choose(`${DEEP} --budget 0failovers`),
      await choose(`${DEEP} --budget 0failovers --budget knee`),
      await choose(`${DEEP} --budget 0failovers --budget best`),
    ];
    expect(limited.steps).to.deep.equal(atKnee.steps);
    expect(limited.price.seconds).to.be.below(best.price.seconds);
  });

  it('copies nothing where nothing may be copied, and is no worse than greedy failovers', async () => {
    const none = await choose(`${DEEP} --budget 0GiB`);
    expect(none.price.copiedMib).to.equal(0);
    const failovers = await choose('--no-disk-moves --search=greedy --budget best');
    expect(none.picked.score).to.be.at.most(failovers.picked.score + ROUNDING);
  });

  it('gives who asks for the data, the moves or the migrations of a point of the curve no worse than that point', async () => {
    const { curve } = await choose(DEEP);
    const points = [curve.find(({ total }) => total.copiedGib > 0)!, ...curve.slice(-2)];
    for (const { total, score, steps } of points) {
      const asked = await choose(`${DEEP} --budget ${total.copiedGib}GiB`);
      expect(asked.picked.score).to.be.at.most(score + ROUNDING);
      expect(curve.map((point) => point.score)).to.include(asked.picked.score);
      for (const limit of [`${steps}moves`, `${total.migrations}migrations`])
        expect((await choose(`${DEEP} --budget ${limit}`)).picked.score, limit).to.be.at.most(
          score + ROUNDING,
        );
    }
  });

  it('stops greedy steps early, in their own order', async () => {
    const { steps, picked } = await choose('--search=greedy --budget 90%');
    expect(steps.length).to.be.above(0).and.to.be.below(greedy.length);
    const words = (list: readonly PlanStep[]) =>
      list.map(({ instance, kind, target }) => [instance, kind, target]);
    // Job sets may bring steps forward that share no node with those before them.
    expect(words(steps)).to.have.deep.members(words(greedy.slice(0, steps.length)));
    const wanted = startScore - 0.9 * (startScore - greedyScore);
    expect(picked.score).to.be.at.most(wanted + ROUNDING);
    expect(greedy[steps.length - 2]?.score ?? startScore).to.be.above(wanted);
  });

  it('compacts greedy steps: the same end, each instance copied no more often than it must be', async () => {
    const { steps, price } = await choose('--search=greedy --budget best');
    const ends = (list: readonly PlanStep[]) => {
      const places = new Map<number, string>();
      for (const { instance, toPrimary, toSecondary } of list)
        places.set(instance, `${toPrimary},${toSecondary}`);
      for (const { instance, primary, secondary } of snapshot.instances.map((one, instance) => ({
        ...one,
        instance,
      })))
        if (places.get(instance) === `${primary},${secondary}`) places.delete(instance);
      return places;
    };
    expect(ends(steps)).to.deep.equal(ends(greedy));
    expect(steps.at(-1)!.score).to.be.closeTo(greedyScore, ROUNDING);
    expect(price.copiedMib).to.be.at.most(priceOf({ start: snapshot, steps: greedy }, USUAL_RATES).copiedMib);
    for (const { instance, ...step } of steps) {
      const later = steps.slice(steps.findIndex((one) => one.instance === instance) + 1);
      const goesBack = later.some(
        (one) =>
          one.instance === instance &&
          one.toPrimary === step.fromPrimary &&
          one.toSecondary === step.fromSecondary,
      );
      expect(goesBack, `instance ${instance}`).to.equal(false);
    }
  });

  it('ends where an hour gains too little', async () => {
    const all = await choose(`${DEEP} --budget best`);
    const few = await choose(`${DEEP} --budget 20/h`);
    const none = await choose(`${DEEP} --budget 100000/h`);
    expect(few.picked.total.price).to.be.below(all.picked.total.price);
    expect(few.picked.score).to.be.below(startScore);
    expect(none.picked.total.price).to.equal(0);
  });

  it('takes the knee unless told otherwise, and the cheapest plan with a share of the gain', async () => {
    for (const line of ['', ' --budget knee']) {
      const { picked, knee } = await choose(DEEP + line);
      expect(knee).to.equal(picked);
      expect(picked.plan).to.be.at.least(0);
    }
    const { curve, picked } = await choose(`${DEEP} --budget 60%`);
    expect(picked).to.equal(curve.find(({ gainShare }) => gainShare >= 0.6));
    expect(searchOf(optionsOf('--budget 60%'))).to.equal('deep');
  });

  it('shows the curve in 80 columns, with the choice and the knee marked', async () => {
    const chosen = await choose(`${DEEP} --budget 80%`);
    const { curve, picked } = chosen;
    const lines = curveText(chosen).split('\n');
    for (const line of lines) expect(line.length, line).to.be.at.most(80);
    const marked = lines.filter((line) => line.includes('*'));
    expect(marked).to.have.length(3);
    expect(marked[1]).to.match(/^ +\* /);
    const told = [
      (Math.ceil(10 * picked.total.copiedGib) / 10).toFixed(1),
      `${picked.total.migrations}`,
      picked.total.memoryGib.toFixed(1),
      `${picked.steps}`,
      picked.score.toFixed(6),
      `${(Math.floor(1000 * picked.gainShare) / 10).toFixed(1)}%`,
      ...(picked === chosen.knee ? ['knee'] : []),
    ];
    expect(marked[1]!.trim().split(/\s+/).slice(-told.length)).to.deep.equal(told);
    expect(marked[2]).to.match(/ \|[ .]*\*[ .]*$/);
    expect(lines.filter((line) => line.endsWith('knee'))).to.have.length(1);
    expect(lines.find((line) => line.includes('by square root'))).to.equal(
      `            0${`weighed ${duration(curve.at(-1)!.total.price)}, by square root`.padStart(59)}`,
    );
    const none = curveText({ ...chosen, picked: curve[0]! });
    expect(none).not.to.include('more there is');
  });

  it('shows lines of which each is what who asks for its gain gets at its price, and who asks for its data gets no less', async () => {
    const lines = curveText(await choose(`${DEEP} --budget best`)).split('\n');
    const rows = lines.flatMap((line) => {
      const [, price, gib, score, share] =
        /^[ *]+(.*\S) +([\d.]+) +\d+ +[\d.]+ +\d+ +([\d.]+) +([\d.]+%)(?: +knee)?$/.exec(line) ?? [];
      return share ? [{ price, gib, score, share }] : [];
    });
    expect(rows).to.have.length.above(5);
    const asked = rows.slice(1);
    // Each is two searches.
    for (const { price, gib, score, share } of [asked[0]!, asked.at(-2)!, ...inLongRun(...asked.slice(1))]) {
      const byShare = await choose(`${DEEP} --budget ${share}`);
      expect(byShare.picked.score.toFixed(6), share).to.equal(score);
      expect(duration(byShare.price.priceSeconds), share).to.equal(price);
      const byData = await choose(`${DEEP} --budget ${gib}GiB`);
      expect(byData.picked.score, gib).to.be.at.most(Number(score) + 1e-6);
    }
  });

  it('points out what costs little more and gains much more, and says when the search was cut short', async () => {
    const chosen = await choose(DEEP);
    const [start] = chosen.curve;
    const point = (price: number, score: number, gainShare: number) => ({
      ...start!,
      plan: 0,
      score,
      gainShare,
      total: { ...start!.total, price },
    });
    const [near, far] = [point(105, 1.2, 0.98), point(200, 1, 1)];
    const picked = point(100, 2, 0.9);
    const text = curveText({ ...chosen, curve: [start!, picked, near, far], picked, workShare: 0.617 });
    expect(text).to.include('For 5.0% more there is 98.0% of the gain: --budget=98.0%\n');
    expect(text).to.include('cut short after 61 % of its work');
    expect(curveText({ ...chosen, curve: [start!, picked, far], picked, workShare: 1 })).not.to.match(
      /more there is|cut short/,
    );
  });

  it('of one group among several is that of the whole cluster, found on the group alone', async () => {
    const options = optionsOf('--search=deep --effort 0.004 --jobs 1 --budget best');
    const limits = balanceOptionsOf(options);
    const seen = { alone: 0, steps: 0 };
    await forSeedsAsync(halved(6), async (seed) => {
      const read = randomSuperCluster(seed, { groups: [3, 3], nodes: [4, 6] });
      // On the whole cluster offline nodes of other groups make the search look at more before it says no.
      const several = { ...read, nodes: read.nodes.map((node) => ({ ...node, isOffline: false })) };
      const { nodes } = groupScope(several, 1);
      const inWhole = { state: new ClusterState(several), nodes, inCluster: wholeScope(several) };
      const alone = new GroupParts(several).of(1);
      const { steps } = await choosePlan(alone, limits, options);
      const wanted = await choosePlan(inWhole, limits, options);
      expect(steps, `seed ${seed}`).to.deep.equal(wanted.steps);
      if (alone.state.snapshot !== several) seen.alone++;
      seen.steps += steps.length;
    });
    expect(seen.alone).to.be.above(2);
    expect(seen.steps).to.be.above(20);
  });

  it('is cut short by the clock or by hand, and says how far it came', async () => {
    const options = optionsOf(DEEP);
    const ended = await choosePlan(part, balanceOptionsOf(options), options, int32(1).fill(1));
    expect(ended.workShare).to.be.below(0.1);
    expect((await choose('--search=deep --effort 3 --time-limit 0.2 --jobs 1')).workShare).to.be.below(1);
    expect((await choose(`${DEEP} --time-limit 1000`)).workShare).to.equal(1);
  });

  it('refuses words that cannot be read', () => {
    for (const line of [
      '--time-limit 3',
      '--effort 1',
      '--search=greedy --budget 50% --time-limit 3',
      '--budget 0%',
      '--budget 101%',
      '--budget most',
      '--budget 5',
      '--budget 5GB',
      '--budget -5GiB',
      '--price migration',
      '--price migration=0',
      '--price rewritten=0.5',
      '--price speed=3',
      '--price job=',
    ])
      expect(() => assertBalanceWords(optionsOf(line)), line).to.throw(UsageError);
  });
});
