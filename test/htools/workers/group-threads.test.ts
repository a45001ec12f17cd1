/** Groups balanced on threads: the same end for any number, and none where it does not pay. */
import { expect } from 'chai';
import { GroupParts } from '../../../src/htools/model/state/group-parts.ts';
import { groupsWithNodes } from '../../../src/htools/model/state/scope.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../src/htools/planners/balance/options.ts';
import { balanceSteps } from '../../../src/htools/planners/balance/steps/balance.ts';
import {
  balanceOnThreads,
  standsAlone,
  usefulGroupThreads,
} from '../../../src/htools/workers/pool/group-threads.ts';
import { randomSuperCluster } from '../../builders/super-cluster.ts';

const snapshot = randomSuperCluster(3, { groups: [5, 5], nodes: [4, 8] });

function partsOf(among = snapshot) {
  const parts = new GroupParts(among);
  return groupsWithNodes(among).map((group) => parts.of(group));
}

const homesOf = (parts: ReturnType<typeof partsOf>): number[][] =>
  parts.map(({ state }) => [...state.primary, ...state.secondary]);

describe('groups balanced on threads', () => {
  it('end as on this one, whatever the number of threads', async () => {
    const here = partsOf();
    expect(here.every(standsAlone)).to.equal(true);
    for (const { state, nodes } of here) [...balanceSteps(state, nodes, DEFAULT_BALANCE_OPTIONS)];
    expect(homesOf(here)).to.not.deep.equal(homesOf(partsOf()));
    for (const threads of [2, 3]) {
      const there = partsOf();
      const done: number[] = [];
      await balanceOnThreads(there, DEFAULT_BALANCE_OPTIONS, threads, (count) => done.push(count));
      expect(homesOf(there), `${threads} threads`).to.deep.equal(homesOf(here));
      expect(done).to.deep.equal([1, 2, 3, 4, 5]);
    }
  });

  it('do not stand alone where instances of several groups belong together', () => {
    const { length } = snapshot.instances;
    const instances = snapshot.instances.map((one, i) =>
      i === 0 || i === length - 1 ? { ...one, tags: ['htools:together:them'] } : one,
    );
    expect(partsOf({ ...snapshot, instances }).some(standsAlone)).to.equal(false);
  });

  it('are balanced without any where that takes no time', () => {
    expect(usefulGroupThreads(partsOf())).to.equal(1);
  });
});
