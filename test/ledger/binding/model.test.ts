import { expect } from 'chai';
import { isExhausted, type Limits } from '../../../src/ledger/binding/model/limits.ts';
import { affinityOf, affinityText } from '../../../src/ledger/binding/model/pod.ts';
import {
  metricsOf,
  type Usage,
  usageProblems,
  withMoreUsed,
} from '../../../src/ledger/binding/model/usage.ts';

const USAGE: Usage = {
  memory: { total: 1000, used: 100 },
  note: 'of the morning',
  nova: { hosts: 3, cpu: { total: 64, free: 60 } },
};

describe('usage of any shape', () => {
  it('has a metric where there is a total and what is used or free of it', () => {
    expect(metricsOf(USAGE)).to.deep.equal([
      { name: 'memory', total: 1000, used: 100 },
      { name: 'nova.cpu', total: 64, used: 4 },
    ]);
    expect(metricsOf(null)).to.deep.equal([]);
  });

  it('is refused with all its faults when a metric cannot be', () => {
    const faults = (value: unknown) =>
      usageProblems(value, 'P1').map(({ field, problem }) => `${field}: ${problem}`);
    expect(faults(USAGE)).to.deep.equal([]);
    expect(faults(null)).to.deep.equal([]);
    expect(faults([])).to.deep.equal(['P1: a usage is an object, or null when nothing is measured']);
    expect(faults({ hosts: 3 })).to.deep.equal(['P1: has no metric']);
    const metric = { total: 5, used: 1 };
    expect(faults({ '': metric, 'a.b': metric, a: { b: metric, c: metric } })).to.deep.equal([
      'P1: has a metric without a name, of which no limit could speak',
      'P1: has two metrics that are a.b: one in levels, one with the dot in its name',
    ]);
    expect(faults({ a: { total: 5, free: 8 }, b: { total: 5, used: 8 } })).to.deep.equal([
      'P1.a.free: is not a number from 0 to 5',
    ]);
    expect(faults({ a: { total: 1e308, used: 'x' }, b: { c: { total: 1, free: null } } })).to.deep.equal([
      'P1.a.total: is not a number from 0 to 1e+100',
      'P1.a.used: is not a number from 0 to 1e+100',
      'P1.b.c.free: is not a number from 0 to 1',
    ]);
  });

  it('is refused where it is so deep that it could not be written again', () => {
    const deep = JSON.parse(
      `{"memory":{"total":2,"used":1},"a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    );
    expect(usageProblems(deep, 'P1').map(({ problem }) => problem)).to.deep.equal([
      'is nested more than 64 levels deep',
    ]);
  });

  it('grows where its metrics are, and keeps the rest', () => {
    const more = withMoreUsed(USAGE, { memory: 50, 'nova.cpu': 2, gpu: 1 });
    expect(metricsOf(more).map(({ used }) => used)).to.deep.equal([150, 6]);
    expect(more).to.deep.include({ note: 'of the morning' });
    expect(metricsOf(USAGE)[0]!.used).to.equal(100);
  });
});

describe('limits of pods', () => {
  const limits = (metrics: Limits['metrics'], reopen: number | null = null): Limits => ({ metrics, reopen });
  const judge = (used: number, of: Limits, was = false) =>
    isExhausted([{ name: 'memory', total: 1000, used }], of, null, was);

  it('are reached, not passed: a share, or what is free', () => {
    expect([899, 900].map((used) => judge(used, limits({})))).to.deep.equal([false, true]);
    expect([949, 950].map((used) => judge(used, limits({ '*': { free: 50 } })))).to.deep.equal([false, true]);
    expect(judge(900, limits({ memory: { share: 0.95 } }))).to.equal(false);
    expect(judge(900, limits({ memory: { share: 0.95 }, '*': { share: 0.1 } }))).to.equal(false);
    // Decimal shares of decimal totals: 0.7 of 0.1 + 0.2 and the like do not slip through.
    for (const share of [0.1, 0.3, 0.7, 0.9])
      expect(judge(Math.round(share * 1000), limits({ '*': { share } }))).to.equal(true);
  });

  it('with a total of nothing: full when something is used, else not', () => {
    const memory = { name: 'memory', total: 1000, used: 0 };
    const gpu = (used: number) => ({ name: 'gpu', total: 0, used });
    const of = (used: number) => isExhausted([memory, gpu(used)], limits({}), null, false);
    expect([of(0), of(1)]).to.deep.equal([false, true]);
    // Where there is nothing of anything, as in a group whose nodes are all offline, nobody is to go.
    expect(isExhausted([gpu(0)], limits({}), null, false)).to.equal(true);
    expect(isExhausted([], limits({}), null, false)).to.equal(false);
  });

  it('let a pod open again only below the mark for that', () => {
    const with80 = limits({}, 0.8);
    expect(judge(850, with80, false)).to.equal(false);
    expect(judge(850, with80, true)).to.equal(true);
    expect(judge(800, with80, true)).to.equal(false);
    expect(judge(850, limits({}), true)).to.equal(false);
  });

  it('give way to the word of the capacity planner', () => {
    const verdict = (fits: boolean) => ({ by: 'hspace', size: '1g,1g,1', fits });
    const full = [{ name: 'memory', total: 1000, used: 990 }];
    expect(isExhausted(full, limits({}), verdict(true), false)).to.equal(false);
    expect(isExhausted([], limits({}), verdict(false), false)).to.equal(true);
  });
});

describe('affinities', () => {
  it('are the same text in any order, and only keys of pods count', () => {
    expect(affinityText({ b: '1', a: '2' })).to.equal(affinityText({ a: '2', b: '1' }));
    expect(affinityOf({ a: '1', hw: 'x' }, ['a', 'b'])).to.deep.equal({ a: '1' });
  });
});
