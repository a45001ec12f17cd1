import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { prepareSnapshot } from '../../../../../src/htools/cluster/prepare/prepare.ts';
import { checkPlan } from '../../../../../src/htools/plan/checker/check.ts';
import type { BalanceOptions } from '../../../../../src/htools/planners/balance/options.ts';
import { planBalance } from '../../../../../src/htools/planners/balance/steps/balance-plan.ts';
import { parseText } from '../../../../../src/htools/sources/text/text.ts';
import { ExecutionError } from '../../../../../src/kit/faults.ts';
import { inWords } from '../../../../builders/steps-in-words.ts';

/** One step breaks N+1 with shared storage here, and another does not. */
const FILE = 'testdata/storage/17-mixed-one-way.data';

const prepared = () => {
  const raw = parseText(readFileSync(FILE, 'utf8'), FILE);
  return prepareSnapshot(raw, { staticKvmNodeMemoryMib: 4096 }).snapshot;
};
const wordsOf = (options: Partial<BalanceOptions>, snapshot = prepared()): string[] =>
  planBalance(snapshot, 0, options).steps.map((step) => inWords(snapshot, step));

describe('a balancing plan', () => {
  it('takes the steps of hbal, with the guard of N+1 and without it', () => {
    expect(wordsOf({})).to.deep.equal(['a f r:n3', 'b fa:n4']);
    expect(wordsOf({ n1Guard: false })).to.deep.equal(['a f r:n3', 'b fa:n4']);
    expect(wordsOf({ n1Guard: true })).to.deep.equal(['b fa:n2', 'a f']);
  });

  it('guards N+1 by itself where the snapshot states pools', () => {
    // Every node reaches both pools, as before; but now the snapshot says so.
    const tags = ['htools:storagepool:internal/lvm', 'htools:storagepool:external/ext'];
    const stated = { ...prepared(), tags };
    expect(wordsOf({}, stated)).to.deep.equal(['b fa:n2', 'a f']);
    expect(wordsOf({ n1Guard: false }, stated)).to.deep.equal(['a f r:n3', 'b fa:n4']);
  });

  it('is refused for a group that there is not, with the positions that there are', () => {
    for (const group of [-1, 1, Number.NaN])
      expect(() => planBalance(prepared(), group))
        .to.throw(ExecutionError, `there is no node group at position ${group}`)
        .with.property('remedy', 'say one from 0 to 0');
  });

  it('stands up to the checker', () => {
    expect(checkPlan(planBalance(prepared(), 0))).to.deep.equal([]);
  });
});
