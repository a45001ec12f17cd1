import { expect } from 'chai';
import { MOVE_KIND_NAMES } from '../../../../../src/htools/model/moves/kinds.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { itineraries } from '../../../../../src/htools/planners/groups/relocate/relocation.ts';
import { type InstanceSketch, smallCluster, times } from '../../../../builders/small-cluster.ts';

const stateOf = (instance: InstanceSketch, isOffline: readonly boolean[] = []): ClusterState =>
  new ClusterState(
    smallCluster({ nodes: times(4, (n) => ({ isOffline: isOffline[n] ?? false })), instances: [instance] }),
  );

const waysOf = (state: ClusterState, primary: number, secondary: number): string[] =>
  itineraries(state, 0, { group: 0, primary, secondary }).map((way) =>
    way.map(({ kind, target }) => `${MOVE_KIND_NAMES[kind]} ${target}`).join(', '),
  );

describe('the ways to another home', () => {
  it('of an instance on shared storage are one', () => {
    expect(waysOf(stateOf({ diskTemplate: 'ext' }), 2, -1)).to.deep.equal(['failover-to-any 2']);
  });

  it('to two new nodes begin with the one that moves the instance once', () => {
    const ways = waysOf(stateOf({}), 2, 3);
    expect(ways[0]).to.equal('replace-secondary 2, failover-and-replace 3');
    expect(ways).to.include('failover-and-replace 2, failover-and-replace 3');
  });

  it('to a home that keeps a node are single moves', () => {
    expect(waysOf(stateOf({}), 1, 0)).to.deep.equal(['failover -1']);
    expect(waysOf(stateOf({}), 0, 2)).to.deep.equal(['replace-secondary 2']);
    expect(waysOf(stateOf({}), 1, 2)).to.deep.equal(['failover-and-replace 2']);
    expect(waysOf(stateOf({}), 2, 0)).to.deep.equal(['replace-and-failover 2']);
    expect(waysOf(stateOf({}), 2, 1)).to.deep.equal(['replace-primary 2']);
  });

  it('from a dead primary begin with the secondary, and from a drained one need not', () => {
    const dead = stateOf({ status: 'ERROR_nodeoffline' }, [true]);
    expect([...dead.isReachable]).to.deep.equal([0, 1, 1, 1]);
    for (const way of waysOf(dead, 2, 3)) expect(way).to.match(/^failover-and-replace/);
    const drained = stateOf({}, [true]);
    expect([...drained.isReachable]).to.deep.equal([1, 1, 1, 1]);
    expect(waysOf(drained, 2, 3)[0]).to.match(/^replace-secondary/);
  });

  it('never go by a secondary that is offline', () => {
    const ways = waysOf(stateOf({}, [false, true]), 2, 3);
    expect(ways).to.not.be.empty;
    for (const way of ways) expect(way).to.match(/^replace-/);
    expect(waysOf(stateOf({ status: 'ERROR_nodeoffline' }, [true, true]), 2, 3)).to.deep.equal([]);
  });
});
