import { expect } from 'chai';
import { ImportGraph } from '../../bench/mutate/import-graph.ts';

describe('the imports that the mutation tester follows', () => {
  it('know tests that launch our programs, and none for the database that it needs', () => {
    const graph = new ImportGraph();
    expect(graph.launches('test/htools/programs/hail/main.test.ts')).to.equal(true);
    expect(graph.launches('test/kit/cli/run.test.ts')).to.equal(true);
    expect(graph.launches('test/ledger/claims/claim.test.ts')).to.equal(false);
  });
});
