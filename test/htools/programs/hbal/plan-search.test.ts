import { expect } from 'chai';
import { makeCluster } from '../../../../bench/generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../../bench/generate/shape.ts';
import { clusterText } from '../../../../bench/generate/text.ts';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import type { PlanStep } from '../../../../src/htools/plan/plan.ts';
import { balanceSteps } from '../../../../src/htools/planners/balance/steps/balance.ts';
import { StepSearch } from '../../../../src/htools/planners/balance/steps/step-search.ts';
import { curveText } from '../../../../src/htools/programs/hbal/curve-text.ts';
import { checkPlanOptions, type PlanOptions } from '../../../../src/htools/programs/hbal/plan-choice.ts';
import { choosePlan } from '../../../../src/htools/programs/hbal/plan-search.ts';
import { priceOf } from '../../../../src/htools/programs/hbal/price.ts';
import { balanceOptionsOf } from '../../../../src/htools/programs/shared/balance/balance-options.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { UsageError } from '../../../../src/kit/faults.ts';
import { parseFor } from '../../../builders/command-line.ts';

const ROUNDING = 1e-9;
const MIB_PER_GIB = 1024;

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
  const text = clusterText(makeCluster({ ...PLAIN_SHAPE, seed: 31, nodesPerGroup: 7, instancesPerNode: 6 }));
  const snapshot = withFixed(prepareSnapshot(parseText(text, 'test'), {}).snapshot);
  const { nodes } = groupScope(snapshot, 0);
  const DEEP = '--search=deep --effort 0.12 --jobs 1';

  const choose = async (line: string) => {
    const options = optionsOf(line);
    checkPlanOptions(options);
    const chosen = await choosePlan(snapshot, nodes, balanceOptionsOf(options), options);
    return { ...chosen, price: priceOf({ start: snapshot, steps: chosen.steps }, options.bandwidth) };
  };
  const greedy = ((): readonly PlanStep[] => {
    const state = new ClusterState(snapshot);
    const options = balanceOptionsOf(optionsOf(''));
    return [...balanceSteps(state, nodes, options, new StepSearch(state, nodes, options))];
  })();
  const startScore = new StepSearch(new ClusterState(snapshot), nodes, balanceOptionsOf(optionsOf(''))).scorer
    .score;
  const greedyScore = greedy.at(-1)!.score;

  it('keeps each cap, and takes the lowest score under it', async () => {
    const free = await choose(`${DEEP} --pick best`);
    expect(free.price.downtimeSeconds).to.be.above(0);
    const gib = free.price.copiedMib / MIB_PER_GIB;
    const caps = [
      {
        line: `--max-data ${gib / 4}`,
        isKept: ({ price }: typeof free) => price.copiedMib <= (gib / 4) * MIB_PER_GIB,
      },
      { line: '--max-moves 3', isKept: ({ price }: typeof free) => price.steps <= 3 },
      { line: '--max-length 4', isKept: ({ price }: typeof free) => price.steps <= 4 },
      {
        line: `--max-time ${free.price.seconds / 7200}`,
        isKept: ({ price }: typeof free) => price.seconds <= free.price.seconds / 2,
      },
      { line: '--max-downtime 60', isKept: ({ price }: typeof free) => price.downtimeSeconds <= 60 },
    ];
    for (const search of ['', `${DEEP} `])
      for (const { line, isKept } of caps) {
        const capped = await choose(`${search}${line}`);
        expect(isKept(capped), search + line).to.equal(true);
        expect(capped.picked.score, search + line).to.be.below(startScore);
      }
  });

  it('copies nothing where nothing may be copied, and is no worse than greedy failovers', async () => {
    const none = await choose(`${DEEP} --max-data 0`);
    expect(none.price.copiedMib).to.equal(0);
    const failovers = await choose('--no-disk-moves --compact');
    expect(none.picked.score).to.be.at.most(failovers.picked.score + ROUNDING);
  });

  it('stops greedy steps early, in their own order', async () => {
    const { steps, picked } = await choose('--stop-at-gain 90%');
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
    const { steps, price } = await choose('--compact');
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
    expect(price.copiedMib).to.be.at.most(priceOf({ start: snapshot, steps: greedy }, 100).copiedMib);
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

  it('ends where a GiB gains too little', async () => {
    const all = await choose(`${DEEP} --pick best`);
    const few = await choose(`${DEEP} --min-gain-per-gib 0.05`);
    const none = await choose(`${DEEP} --min-gain-per-gib 1000`);
    expect(few.picked.gib).to.be.below(all.picked.gib);
    expect(few.picked.score).to.be.below(startScore);
    expect(none.picked.gib).to.equal(0);
  });

  it('takes the cheapest plan with a share of the gain, 95% unless told otherwise', async () => {
    for (const [pick, share] of [
      ['', 0.95],
      [' --pick 60%', 0.6],
    ] as const) {
      const { curve, picked } = await choose(DEEP + pick);
      expect(picked).to.equal(curve.find(({ gainShare }) => gainShare >= share));
    }
  });

  it('shows the curve in 80 columns, with the choice marked in the table and in the picture', async () => {
    const { curve, picked } = await choose(`${DEEP} --pick 80%`);
    const lines = curveText(curve, picked).split('\n');
    for (const line of lines) expect(line.length).to.be.at.most(80);
    const marked = lines.filter((line) => line.includes('*'));
    expect(marked).to.have.length(3);
    expect(marked[1]!.trim().split(/\s+/)).to.deep.equal([
      '*',
      picked.gib.toFixed(1),
      `${((100 * picked.gib) / curve.at(-1)!.gib).toFixed(1)}%`,
      `${picked.steps}`,
      picked.score.toFixed(8),
      `${(100 * picked.gainShare).toFixed(1)}%`,
    ]);
    expect(marked[2]).to.match(/ \|[ .]*\*[ .]*$/);
  });

  it('refuses words that contradict each other or cannot be read', () => {
    for (const line of [
      '--pick 90% --stop-at-gain 90%',
      '--search=deep --time-limit 3 --effort 1',
      '--search=deep --compact',
      '--pick 0%',
      '--pick 101%',
      '--pick most',
      '--stop-at-gain 5',
    ])
      expect(() => checkPlanOptions(optionsOf(line)), line).to.throw(UsageError);
  });
});
