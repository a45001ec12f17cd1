import { expect } from 'chai';
import { USUAL_RATES } from '../../../../src/htools/plan/price.ts';
import { rollingPlan } from '../../../../src/htools/planners/maintain/roll/rolling.ts';
import { planJson } from '../../../../src/htools/programs/hroller/json.ts';
import { workOfPlan } from '../../../../src/htools/programs/hroller/orders.ts';
import { planText } from '../../../../src/htools/programs/hroller/plan-text.ts';
import { smallState } from '../../../builders/small-cluster.ts';

describe('a maintenance in text, as a document and as jobs', () => {
  const state = smallState({
    nodes: [{}, {}, {}],
    instances: [{ primary: 0, secondary: 1, memMib: 1000, diskMib: 6000 }],
  });
  const options = {
    offlineMaintenance: false,
    ignoreNonRedundant: false,
    fullEvacuation: true,
    fewest: false,
  };
  const plan = rollingPlan(state, [0, 1], options);
  if ('why' in plan) throw new Error(plan.why);
  const rates = { ...USUAL_RATES, bandwidth: 50, migration: 20, job: 5 };

  it('has the price of all plans: over and back, each copy and each job', () => {
    // Both rounds copy twice, and the first one changes the primary twice: 4 jobs.
    const seconds = (4 * 6000) / 50 + (2 * 1.3 * 1000) / 20 + 4 * 5;
    expect(planJson(state.snapshot, plan, [], rates).cost).to.deep.include({
      copiedMib: 24_000,
      migrations: 2,
      migratedMemMib: 2000,
      steps: 4,
      jobSets: 4,
      seconds,
      priceSeconds: seconds,
      bandwidthMibPerSecond: 50,
    });
    const text = planText(state.snapshot, plan, { rates, showsMoves: false });
    expect(text).to.match(
      /^ {2}Leave: 1 step, 5\.9 GiB copied, 1 migration \(1\.0 GiB of memory\); about 3 min$/m,
    );
    expect(text.split('\n').slice(-5)).to.deep.equal([
      'Price: 23.4 GiB copied, 2 migrations (2.0 GiB of memory), 4 steps in 4 job sets;',
      '  about 11 min at 50 MiB/s',
      'Weighed as 11 min: disks at 50 MiB/s, memory x1.3 at 20 MiB/s, 5 s a job,',
      '  downtime x10',
      '',
    ]);
  });

  it('says that nobody leaves nodes without instances', () => {
    const free = rollingPlan(state, [2], options);
    if ('why' in free) throw new Error(free.why);
    const text = planText(state.snapshot, free, { rates, showsMoves: true });
    expect(text.split('\n').slice(2)).to.deep.equal([
      'Round 1 of 1: node3',
      '  Leave: nobody',
      '  N+1 of the others while they are down: yes',
      '  Come back: nobody',
      '',
      'Price: nothing',
      '',
    ]);
  });

  it('keeps to all rules where only the round of the master, which is not carried out, is against some', () => {
    const [first, second] = plan.rounds;
    const forced = { ...second!, leave: { ...second!.leave, isForced: true } };
    const limitsWith = (master: number) => {
      const nodes = state.snapshot.nodes.map((node, n) => ({ ...node, isMaster: n === master }));
      const snapshot = { ...state.snapshot, nodes };
      return workOfPlan(snapshot, snapshot, { ...plan, rounds: [first!, forced] }, undefined).limits;
    };
    expect(limitsWith(second!.nodes[0]!).ignoreSoftErrors).to.equal(false);
    expect(limitsWith(2).ignoreSoftErrors).to.equal(true);
  });
});
