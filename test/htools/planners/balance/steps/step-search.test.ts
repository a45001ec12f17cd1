import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { FAILOVER, FAILOVER_TO_ANY, type Move } from '../../../../../src/htools/model/moves/kinds.ts';
import { scoreOf } from '../../../../../src/htools/model/score/scorer.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { guardFor } from '../../../../../src/htools/planners/balance/steps/n1-guard.ts';
import { StepSearch } from '../../../../../src/htools/planners/balance/steps/step-search.ts';
import { trialScore } from '../../../../../src/htools/planners/balance/steps/trial.ts';
import { InternalError } from '../../../../../src/kit/faults.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { smallState, times } from '../../../../builders/small-cluster.ts';
import { imageOf } from '../../../../builders/state-image.ts';

const searching = (state: ReturnType<typeof smallState>, n1Guard?: boolean) =>
  new StepSearch(
    state,
    state.snapshot.nodes.map((_, node) => node),
    { ...DEFAULT_BALANCE_OPTIONS, n1Guard },
  );
const search = (state: ReturnType<typeof smallState>) => searching(state);

const trial = ({ scorer }: StepSearch, move: Move): number => trialScore(scorer, move, false);

describe('the search for a step', () => {
  it('changes nothing until the step is applied, and then has the score that it promised', () => {
    const state = smallState({ nodes: times(3, () => ({})), instances: times(4, () => ({ memMib: 2048 })) });
    const before = imageOf(state);
    const steps = search(state);
    const found = steps.best()!;
    expect(imageOf(state)).to.deep.equal(before);
    steps.apply(found);
    expect(scoreOf(state, [0, 1, 2])).to.equal(found.score);
  });

  it('finds the same step again while nothing is applied', () => {
    const state = smallState({ nodes: times(4, () => ({})), instances: times(5, () => ({ memMib: 2048 })) });
    const steps = search(state);
    const first = steps.best();
    expect(steps.best()).to.deep.equal(first);
  });

  it('chooses the first instance and the first target of candidates that tie', () => {
    const state = smallState({ nodes: times(5, () => ({})), instances: times(6, () => ({})) });
    expect(search(state).best()).to.include({ instance: 0, target: 2 });
  });

  it('does not take a failover for possible that leaves disks on a failed node without spindles', () => {
    const state = smallState({
      nodes: [{ isOffline: true, hasExclusiveStorage: true, freeSpindles: -1 }, {}, { isOffline: true }, {}],
      instances: [
        { memMib: 4096, disks: [{ sizeMib: 4096, spindles: 1 }] },
        { primary: 2, secondary: 3 },
        { diskTemplate: 'plain', primary: 3, memMib: 6144 },
      ],
    });
    const steps = new StepSearch(state, [0, 1, 2, 3], { ...DEFAULT_BALANCE_OPTIONS, diskMoves: false });
    expect(steps.best()).to.include({ instance: 1, kind: FAILOVER });
  });

  it('does not take a new secondary for possible where a failed primary may have no spindles for it', () => {
    const state = smallState({
      nodes: [{ isOffline: true, hasExclusiveStorage: true, freeSpindles: 0 }, {}, {}, {}],
      instances: [
        { secondary: 1, diskMib: 40_960 },
        { primary: 2, secondary: 1, diskMib: 16_384 },
        { primary: 1, diskTemplate: 'plain', diskMib: 24_576 },
      ],
    });
    const steps = new StepSearch(state, [0, 1, 2, 3], { ...DEFAULT_BALANCE_OPTIONS, instanceMoves: false });
    expect(steps.best()).to.include({ instance: 1, target: 3 });
  });

  it('goes on past instances whose share of a load is not a number', () => {
    const stepBeside = (cpu: number, others = {}) =>
      search(
        smallState({
          nodes: times(4, () => ({ reportedCpuLoad: 0 })),
          instances: [
            ...times(4, () => ({ memMib: 2048 })),
            { primary: 3, secondary: 2, utilisation: { cpu, mem: 1, disk: 1, net: 1 }, ...others },
          ],
        }),
      ).best();
    expect(stepBeside(1)).to.include({ instance: 0 });
    expect(stepBeside(Number.NaN)).to.deep.equal(stepBeside(1));
    expect(stepBeside(Number.NaN, { isMovable: false })).to.deep.equal(stepBeside(1));
  });

  it('takes a step that the rules refuse for a fault of its own', () => {
    const state = smallState({ nodes: [{}, { totalMemMib: 1500 }], instances: [{}] });
    const steps = search(state);
    expect(() => steps.apply({ instance: 0, kind: FAILOVER, target: -1 })).to.throw(InternalError);
  });

  it('tries a move without a trace, and says that the rules refuse it by NaN', () => {
    const state = smallState({ nodes: [{}, { totalMemMib: 1500 }], instances: [{}] });
    const before = imageOf(state);
    expect(trial(search(state), { instance: 0, kind: FAILOVER, target: -1 })).to.be.NaN;
    expect(imageOf(state)).to.deep.equal(before);
  });

  it('has the score of each step that is taken', () => {
    const state = smallState({ nodes: times(4, () => ({})), instances: times(5, () => ({ memMib: 2048 })) });
    const steps = search(state);
    for (let taken = 0; taken < 2; taken++) {
      const step = steps.best()!;
      steps.apply(step);
      expect(steps.scorer.score).to.equal(step.score);
    }
  });
});

/** Equal instances on large nodes; small ones alone reach a pool, and can just stand in for each other. */
function crowded(random: Random) {
  const small = random.between(3, 5);
  const each = random.between(2, 4);
  const totalMemMib = 1024 + 2048 * each + Math.ceil((2048 * each) / (small - 1) / 2048) * 2048 + 512;
  const nodes = [
    { totalMemMib: 32768, storagePools: ['external/all' as const] },
    { totalMemMib: 32768, storagePools: ['external/all' as const] },
    ...times(small, () => ({ totalMemMib, storagePools: ['external/all', 'external/small'] as const })),
  ];
  const size = random.between(1, 4) * 256;
  const instances = nodes.flatMap((_, primary) =>
    times(primary < 2 ? random.between(6, 9) : each, () => ({
      diskTemplate: 'ext' as const,
      storagePool: primary < 2 ? ('external/all' as const) : ('external/small' as const),
      memMib: primary < 2 ? size : 2048,
      primary,
    })),
  );
  return smallState({ nodes, instances });
}

describe('the search for a step with the guard of N+1', () => {
  it('finds what trying every move finds, the first in visiting order of equal ones', () => {
    let refused = 0;
    let found = 0;
    forSeeds(60, (seed) => {
      const state = crowded(new Random(seed));
      const steps = searching(state, true);
      const guard = guardFor(state, [...state.snapshot.nodes.keys()], { n1Guard: true })!;
      let [lowest, best]: [number, object | undefined] = [steps.scorer.score, undefined];
      let free = steps.scorer.score;
      for (const [instance] of state.snapshot.instances.entries())
        for (const [target] of state.snapshot.nodes.entries()) {
          if (target === state.primary[instance]) continue;
          const move = { instance, kind: FAILOVER_TO_ANY, target } as const;
          const score = trial(steps, move);
          if (score < lowest && guard.allows(move, false)) [lowest, best] = [score, move];
          free = Math.min(free, score || free);
        }
      if (free < lowest) refused++;
      if (best) found++;
      const step = steps.best();
      expect(step && { instance: step.instance, kind: step.kind, target: step.target }).to.deep.equal(best);
    });
    expect(refused).to.be.above(9);
    expect(found).to.be.above(30);
  });

  /** Two nodes that can just stand in for each other, and instances that would like to go there. */
  const brimful = (memMib: (k: number) => number) =>
    smallState({
      nodes: [{}, {}, { totalMemMib: 32768 }],
      instances: [
        { diskTemplate: 'ext', memMib: 6000 },
        { diskTemplate: 'ext', memMib: 9000, primary: 1 },
        ...times(40, (k) => ({ diskTemplate: 'ext' as const, memMib: memMib(k), primary: 2 })),
      ],
    });

  it('looks only once more where the guard refuses one different move after the other', () => {
    const steps = searching(
      brimful((k) => 700 + k),
      true,
    );
    const { bounds, scan } = steps;
    const scanReaching = bounds.scanReaching.bind(bounds);
    let looks = 0;
    bounds.scanReaching = (...range) => {
      looks++;
      scanReaching(...range);
    };
    expect(steps.best()).to.equal(undefined);
    // The instance of the best bound alone, all, and all again.
    expect(looks).to.equal(3);
    expect(scan.visited).to.be.within(80, 3 * 80);
  });

  it('scores equal moves that the guard refuses once, not again for each', () => {
    const steps = searching(
      brimful(() => 700),
      true,
    );
    const { scorer } = steps;
    const contributionsOf = scorer.contributionsOf.bind(scorer);
    let asked = 0;
    scorer.contributionsOf = (...words) => {
      asked++;
      contributionsOf(...words);
    };
    expect(steps.best()).to.equal(undefined);
    // Both nodes of each are asked, at each of the two targets; another search finds none left.
    expect(asked).to.be.within(2 * 40, 6 * 40);
  });
});
