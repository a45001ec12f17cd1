import { expect } from 'chai';
import fc from 'fast-check';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import { checkPlan } from '../../../../src/htools/plan/checker/check.ts';
import type { Plan, PlanStep } from '../../../../src/htools/plan/plan.ts';
import { aCluster, aPlan, brokenRules } from '../cluster-builder.ts';
import { STORY_MOVES, STORY_SCORES, storyCluster } from '../story.ts';

const storyPlan = (): Plan => aPlan({ start: storyCluster(), moves: STORY_MOVES, scores: STORY_SCORES });

const withStep = (plan: Plan, at: number, change: Partial<PlanStep>): Plan => ({
  ...plan,
  steps: plan.steps.map((step, index) => (index === at ? { ...step, ...change } : step)),
});

const rulesOf = (plan: Plan): string[] => checkPlan(plan).map(({ step, rule }) => `${step} ${rule}`);

describe('the checker of plans', () => {
  it('finds nothing wrong with the steps and scores of the stock program', () => {
    expect(checkPlan(storyPlan())).to.deep.equal([]);
  });

  it('accepts a plan without steps', () => {
    const start = storyCluster();
    expect(rulesOf(aPlan({ start, moves: [], scores: [STORY_SCORES[0]!] }))).to.deep.equal([]);
  });

  it('computes 0 for a set of offline nodes alone', () => {
    const start = aCluster({ nodes: [{ isOffline: true }, { isOffline: true }], instances: [{}] });
    expect(rulesOf(aPlan({ start, moves: [] }))).to.deep.equal([]);
  });

  describe('of scores', () => {
    it('names both values when the initial score is wrong', () => {
      const faults = checkPlan({ ...storyPlan(), initialScore: 37.5 });
      expect(faults).to.have.length(1);
      expect(faults[0]).to.include({ step: 0, rule: 'initial-score' });
      expect(faults[0]!.message).to.match(/^score is 37\.40066\d+, the plan says 37\.5$/);
    });

    it('finds a step whose score is off by two millionths', () => {
      expect(rulesOf(withStep(storyPlan(), 2, { score: STORY_SCORES[3]! * 1.000002 }))).to.deep.equal([
        '3 score',
      ]);
    });

    it('finds a wrong final score at the end', () => {
      expect(rulesOf({ ...storyPlan(), finalScore: 3.2 })).to.deep.equal(['7 final-score']);
    });

    it('finds a score that is not a number', () => {
      expect(rulesOf(withStep(storyPlan(), 0, { score: Number.NaN }))).to.deep.equal(['1 score']);
    });
  });

  describe('of placements', () => {
    it('finds a step that starts where the instance is not', () => {
      expect(rulesOf(withStep(storyPlan(), 1, { fromSecondary: 2 }))).to.deep.equal(['2 from']);
    });

    it('finds a step that ends where its kind and target do not lead', () => {
      expect(rulesOf(withStep(storyPlan(), 1, { toSecondary: 0 }))).to.deep.equal(['2 to']);
    });

    it('finds an unknown instance', () => {
      expect(rulesOf(withStep(storyPlan(), 0, { instance: 99 }))).to.deep.equal(['1 instance']);
    });

    it('finds an unknown kind of move', () => {
      expect(rulesOf(withStep(storyPlan(), 0, { kind: 9 as MoveKind }))).to.deep.equal(['1 kind']);
    });

    it('finds an unknown target', () => {
      expect(rulesOf(withStep(storyPlan(), 0, { target: 99, toPrimary: 99 }))).to.deep.equal(['1 target']);
    });

    it('finds a target where the instance is already', () => {
      const start = aCluster({ nodes: [{}, {}], instances: [{}] });
      const moves = [{ instance: 0, kind: REPLACE_SECONDARY, target: 0 } as const];
      expect(brokenRules({ start, moves })).to.deep.equal(['1 target']);
    });

    it('lets an instance go to a secondary that it only names', () => {
      const start = aCluster({ nodes: [{}, {}], instances: [{ diskTemplate: 'ext', secondary: 1 }] });
      const moves = [{ instance: 0, kind: FAILOVER_TO_ANY, target: 1 } as const];
      expect(brokenRules({ start, moves })).to.deep.equal([]);
    });

    it('finds a replacement for an instance without a secondary', () => {
      const start = aCluster({ nodes: [{}, {}], instances: [{ diskTemplate: 'ext' }] });
      const moves = [{ instance: 0, kind: REPLACE_SECONDARY, target: 1 } as const];
      expect(brokenRules({ start, moves })).to.deep.equal(['1 kind']);
    });

    it('finds a move of an instance that is on no node', () => {
      const start = aCluster({
        nodes: [{}, {}],
        instances: [{ primary: -1, secondary: -1, diskTemplate: 'ext' }],
      });
      const moves = [{ instance: 0, kind: 1, target: 1 } as const];
      expect(brokenRules({ start, moves })).to.deep.equal(['1 from']);
    });
  });

  it('loses and doubles nothing on any way of moves', () => {
    const kinds = [
      FAILOVER,
      REPLACE_SECONDARY,
      REPLACE_AND_FAILOVER,
      REPLACE_PRIMARY,
      FAILOVER_AND_REPLACE,
    ] as const;
    const move = fc.record({ instance: fc.nat(3), kind: fc.constantFrom(...kinds), choice: fc.nat(2) });
    const instance = fc.record({
      status: fc.constantFrom('running' as const, 'ADMIN_down' as const, 'ADMIN_offline' as const),
      isAutoBalanced: fc.boolean(),
      isForthcoming: fc.boolean(),
      memMib: fc.integer({ min: 128, max: 4096 }),
    });
    fc.assert(
      fc.property(
        fc.array(instance, { minLength: 4, maxLength: 4 }),
        fc.array(move),
        (instances, choices) => {
          const start = aCluster({ nodes: [{}, {}, {}, {}, {}], instances });
          const homes = instances.map(() => [0, 1] as readonly [number, number]);
          const moves = choices.map(({ instance, kind, choice }) => {
            const free = [0, 1, 2, 3, 4].filter((node) => !homes[instance]!.includes(node));
            const target = kind === FAILOVER ? -1 : free[choice]!;
            const { toPrimary, toSecondary } = aPlan({
              start: {
                ...start,
                instances: start.instances.map((one, at) => ({
                  ...one,
                  primary: homes[at]![0],
                  secondary: homes[at]![1],
                })),
              },
              moves: [{ instance, kind, target }],
            }).steps[0]!;
            homes[instance] = [toPrimary, toSecondary];
            return { instance, kind, target };
          });
          const structural = ['from', 'to', 'target', 'nothing-lost', 'conservation'];
          const broken = brokenRules({ start, moves }).filter((rule) =>
            structural.includes(rule.split(' ')[1]!),
          );
          expect(broken).to.deep.equal([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
