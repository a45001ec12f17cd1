import { expect } from 'chai';
import type { InputProblem } from '../../../src/kit/faults.ts';
import { momentOf } from '../../../src/kit/report/moments.ts';
import { forecastPod, forecastQueues } from '../../../src/ledger/binding/forecast/forecast.ts';
import { type Binding, USUAL_POLICY } from '../../../src/ledger/binding/model/pod.ts';
import { metricsOf } from '../../../src/ledger/binding/model/usage.ts';
import { simulateDay } from '../../../src/ledger/binding/simulate/simulate.ts';
import { readEvents } from '../../../src/ledger/programs/shared/binding/read-events.ts';
import { memory, START } from './books.ts';
import { bindingOf, podWith } from './pods.ts';

const DAY = 86_400_000;

describe('forecasts of pods', () => {
  const measure = (day: number, used: number) => ({
    at: START + day * DAY,
    metrics: metricsOf(memory(used)),
  });

  it('draw a line through the readings, and say when it meets the limit', () => {
    const pod = podWith(1, { usage: memory(300), usageAt: START + 2 * DAY });
    const forecast = forecastPod(pod, [measure(0, 100), measure(1, 200), measure(2, 300)], START + 2 * DAY);
    // 100 a day, 600 left to 900.
    expect(forecast.metrics[0]).to.deep.include({ limit: 900, perDay: 100, at: momentOf(START + 8 * DAY) });
    expect(forecast.first).to.deep.equal({ metric: 'memory', at: momentOf(START + 8 * DAY) });
    const headroom = forecastPod(
      podWith(1, { ...pod, limits: { metrics: { '*': { free: 500 } }, reopen: null } }),
      [measure(0, 100), measure(2, 300)],
      START + 2 * DAY,
    );
    expect(headroom.first!.at).to.equal(momentOf(START + 4 * DAY));
  });

  it('have no date without two readings, without growth, or when it is reached', () => {
    const of = (usage: number, ...used: number[]) =>
      forecastPod(
        podWith(1, { usage: memory(usage), usageAt: START }),
        used.map((one, day) => measure(day, one)),
        START,
      );
    expect(of(100, 100).metrics[0]).to.deep.include({ perDay: null, at: null });
    expect(of(100, 100, 100).metrics[0]).to.deep.include({ perDay: 0, at: null });
    expect(of(100, 200, 100).first).to.equal(null);
    expect(of(950, 800, 950)).to.deep.include({ isExhausted: true, first: null });
  });

  it('say nothing of days by readings of a moment', () => {
    const pod = podWith(1, { usage: memory(110), usageAt: START });
    const of = (ms: number) => {
      const measures = [measure(0, 100), { ...measure(0, 110), at: START + ms }];
      return forecastPod(pod, measures, START).metrics[0]!;
    };
    expect(of(4_000)).to.deep.include({ perDay: null, at: null });
    expect(of(3_599_999).perDay).to.equal(null);
    // 10 an hour.
    expect(of(3_600_000).perDay).to.be.closeTo(240, 1e-6);
  });

  it('add up what pods of one zone and purpose have left', () => {
    const at = START + DAY;
    const pods = [
      podWith(1, { usage: memory(950), usageAt: at }),
      podWith(2, { usage: memory(300), usageAt: at }),
      podWith(3, { usage: memory(100), usageAt: at }),
      podWith(4, { az: 'A' }),
      podWith(5, { state: 'closed', usage: memory(0) }),
    ];
    // What shrinks makes no room elsewhere.
    const measures = [[], [measure(0, 200), measure(1, 300)], [measure(0, 200), measure(1, 100)]];
    const forecasts = pods.map((pod, i) => forecastPod(pod, measures[i] ?? [], at));
    const [queue, other] = forecastQueues(forecasts, at);
    // 600 + 800 left at 100 a day.
    expect(queue).to.deep.include({ pods: 4, taking: 2, unmeasured: 0 });
    expect(queue!.first).to.deep.equal({ metric: 'memory', at: momentOf(at + 14 * DAY) });
    expect(other).to.deep.include({ az: 'A', taking: 1, unmeasured: 1, first: null });
  });
});

describe('a simulated day', () => {
  const play = (
    events: readonly object[],
    pods = [podWith(1, { usage: memory(0) }), podWith(2)],
    bindings: Binding[] = [],
  ) => simulateDay(pods, bindings, USUAL_POLICY, [], readEvents(JSON.stringify(events), 'day'), START);

  it('fills pods with what requests need, and goes on to the next', () => {
    const need = { memory: 300 };
    const day = play(['a', 'b', 'a', 'c'].map((tenant) => ({ tenant, need })));
    expect(day).to.deep.include({ requests: 4, kept: 1, bound: 3, rebound: 0, refused: 0 });
    expect(day.pods.map(({ pod, requests, shareAfter }) => [pod, requests, shareAfter])).to.deep.equal([
      ['P1', 3, 0.9],
      ['P2', 1, null],
    ]);
    expect(day.pods[0]!.exhaustedAt).to.deep.equal({ event: 3, at: null });
    expect(day.queues[0]).to.deep.include({ requests: 4, refused: 0, lastPodAt: { event: 3, at: null } });
    expect(day.split).to.deep.equal([]);
  });

  it('fills pods of which the capacity planner said that one more fits up to their limits', () => {
    const verdict = { by: 'hspace', size: '1g,1g,1', fits: true };
    const events = ['a', 'b', 'c', 'd'].map((tenant) => ({ tenant, need: { memory: 300 } }));
    const day = play(events, [podWith(1, { usage: memory(0), verdict }), podWith(2)]);
    expect(day.pods.map(({ requests, isExhausted }) => [requests, isExhausted])).to.deep.equal([
      [3, true],
      [1, false],
    ]);
  });

  it('tells tenants that are split, and from when on a pod is missing', () => {
    const at = '2026-01-01T09:00:00.000Z';
    const day = play([
      { tenant: 'a' },
      { at, pod: 'P1', usage: memory(950) },
      { tenant: 'a' },
      { pod: 'P2', state: 'closed' },
      { at, tenant: 'a' },
      { pod: 'nix', state: 'open' },
    ]);
    expect(day).to.deep.include({ kept: 0, bound: 1, rebound: 1, refused: 1, unknownPods: ['nix'] });
    expect(day.split).to.deep.equal([{ tenant: 'a', affinity: {}, pods: ['P1', 'P2'] }]);
    expect(day.queues[0]!.refusedAt).to.deep.equal({ event: 5, at });
  });

  it('starts from the bindings that there are', () => {
    expect(
      play([{ tenant: 'a' }], undefined, [bindingOf(7, 'a', 2)]).pods.map(({ requests }) => requests),
    ).to.deep.equal([0, 1]);
  });

  it('is read with all its faults at once', () => {
    const read = () =>
      readEvents(
        '{"tenant": 5, "colour": 1}\n\n{"pod": "P1", "usage": {"a": {"total": -1, "used": 0}}}\n[]\nno JSON\n{"pod": 5\n' +
          '{"pod": "P1"}\n{"pod": "P1", "state": "x"}\n{"tenant": "t", "kind": "x", "specs": [], "need": {"a": -1}}',
        'day',
      );
    let problems: readonly InputProblem[] = [];
    try {
      read();
    } catch (error) {
      problems = (error as { problems: typeof problems }).problems;
    }
    expect(problems.map(({ line, field }) => [line, field])).to.deep.equal([
      [1, 'colour'],
      [1, 'tenant'],
      [3, 'usage.a.total'],
      [4, undefined],
      [5, undefined],
      [6, undefined],
      [7, undefined],
      [8, 'state'],
      [9, 'kind'],
      [9, 'specs'],
      [9, 'need.a'],
    ]);
    expect(problems.filter(({ remedy }) => !remedy)).to.deep.equal([]);
  });
});
