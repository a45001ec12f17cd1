import { expect } from 'chai';
import { withHandsOff } from '../../../../src/htools/cluster/tags/hands-off.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { Budget } from '../../../../src/htools/planners/anneal/budget.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { bestMove, roomiest } from '../../../../src/htools/planners/mend/best-move.ts';
import { Workbench } from '../../../../src/htools/planners/mend/workbench.ts';
import { smallCluster, times } from '../../../builders/small-cluster.ts';

describe('the best move of an instance', () => {
  /** How many moves are tried for one on an offline node. @param tags of the last of many nodes */
  const triesWith = (tags: readonly string[]): number => {
    const nodes = times(60, (n) => ({ isOffline: n === 0, tags: n === 59 ? tags : [] }));
    const snapshot = withHandsOff(smallCluster({ nodes, instances: [{ diskTemplate: 'ext' }] }));
    const state = new ClusterState(snapshot);
    const bench = new Workbench({ state, nodes: [...nodes.keys()], options: DEFAULT_BALANCE_OPTIONS });
    bench.work = new Budget({ candidates: 1_000_000 });
    bestMove(bench, 0, roomiest(bench));
    return bench.work.done;
  };

  it('is found among a few of the nodes, also where one of the others is left alone', () => {
    expect(triesWith([])).to.equal(12);
    expect(triesWith(['htools:hands-off'])).to.equal(12);
  });
});
