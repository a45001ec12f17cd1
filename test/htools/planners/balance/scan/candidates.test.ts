import { expect } from 'chai';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  REPLACE_AND_FAILOVER,
  REPLACE_SECONDARY,
} from '../../../../../src/htools/model/moves/kinds.ts';
import {
  type Candidate,
  Candidates,
  MOST_CLOSEST,
} from '../../../../../src/htools/planners/balance/scan/candidates.ts';

const instancesOf = (some: readonly Candidate[]): number[] => some.map(({ instance }) => instance);

describe('the candidates of a step', () => {
  const TOLERANCE = 0.1;
  const from = (ceiling: number): Candidates => {
    const found = new Candidates();
    found.reset(ceiling, TOLERANCE);
    return found;
  };

  it('stand in visiting order, whatever the order in which they came: instance, failover, target, kind', () => {
    const found = from(10);
    found.add(2, FAILOVER, -1, 5);
    found.add(1, FAILOVER_AND_REPLACE, 3, 5);
    found.add(1, REPLACE_SECONDARY, 4, 5);
    found.add(1, REPLACE_AND_FAILOVER, 3, 5);
    found.add(1, FAILOVER, -1, 5);
    const inOrder = found.closest().map(({ instance, kind, target }) => [instance, kind, target]);
    expect(inOrder).to.deep.equal([
      [1, FAILOVER, -1],
      [1, REPLACE_AND_FAILOVER, 3],
      [1, FAILOVER_AND_REPLACE, 3],
      [1, REPLACE_SECONDARY, 4],
      [2, FAILOVER, -1],
    ]);
  });

  it('drop out when a better one leaves them behind by more than the tolerance', () => {
    const found = from(10);
    found.add(0, FAILOVER, -1, 5.08);
    found.add(1, FAILOVER, -1, 5.2);
    found.add(2, FAILOVER, -1, 5);
    expect(found.limit).to.equal(5.1);
    expect(instancesOf(found.closest())).to.deep.equal([0, 2]);
  });

  it('must come near the score of the start', () => {
    expect(from(10).limit).to.equal(10.1);
  });

  it('are passed over once they are refused, and open again after a step', () => {
    const found = from(10);
    const add = (): void => {
      for (const instance of [1, 2]) found.add(instance, REPLACE_SECONDARY, 4, 5);
      found.add(1, REPLACE_SECONDARY, 5, 5);
      found.add(1, REPLACE_AND_FAILOVER, 4, 5);
    };
    add();
    const [first, ...others] = found.closest();
    expect(first).to.deep.equal({ instance: 1, kind: REPLACE_SECONDARY, target: 4, score: 5 });
    found.refuse(first!);
    expect(found.closest()).to.deep.equal(others);
    found.reset(10, TOLERANCE);
    add();
    expect(found.closest(), 'a new look alone forgets nothing').to.have.lengthOf(3);
    found.forgetRefusals();
    found.reset(10, TOLERANCE);
    add();
    expect(found.closest()).to.deep.equal([first, ...others]);
  });

  it('are not all that may be the best once the best is refused', () => {
    const found = from(10);
    for (const [instance, score] of [5, 4.95, 5].entries()) found.add(instance, FAILOVER, -1, score);
    expect(found.isComplete).to.equal(true);
    found.refuse({ instance: 1, kind: FAILOVER, target: -1 });
    expect([found.best, found.isComplete], 'something may be at 5.08').to.deep.equal([5, false]);
  });

  it('are few of the best where asked for, of which one after the other may be refused', () => {
    const found = new Candidates();
    found.reset(10, TOLERANCE, 2);
    for (const [instance, score] of [8, 5, 7, 9, 6].entries()) found.add(instance, FAILOVER, -1, score);
    expect(found.limit).to.equal(6);
    expect(found.sure).to.equal(5.05);
    for (const instance of [1, 4]) {
      expect(found.isComplete).to.equal(instance === 1);
      const [nearest] = found.closest();
      expect(nearest!.instance).to.equal(instance);
      found.refuse(nearest!);
    }
    expect([found.closest(), found.isComplete]).to.deep.equal([[], false]);
  });

  it('are as many as tie with the last of these', () => {
    const found = new Candidates();
    found.reset(10, TOLERANCE, 1);
    for (const [instance, score] of [7, 5, 5, 5, 5, 5, 5, 7].entries())
      found.add(instance, FAILOVER, -1, score);
    expect(instancesOf(found.closest())).to.deep.equal([1, 2, 3, 4, 5, 6]);
  });

  it('are all that lower the score where none was dropped', () => {
    const found = new Candidates();
    found.reset(10, TOLERANCE, 2);
    found.add(0, FAILOVER, -1, 5);
    found.refuse({ instance: 0, kind: FAILOVER, target: -1 });
    expect([found.closest(), found.isComplete]).to.deep.equal([[], true]);
  });

  it('of just the limit are kept', () => {
    const found = from(10);
    found.add(0, FAILOVER, -1, 5);
    found.add(1, FAILOVER, -1, found.limit);
    expect(instancesOf(found.closest())).to.deep.equal([0, 1]);
  });

  it('are the first in visiting order where too many tie', () => {
    const found = from(10);
    for (let target = MOST_CLOSEST; target >= 0; target--) found.add(7, REPLACE_SECONDARY, target, 5);
    const closest = found.closest();
    expect([closest.length, closest[0]!.target]).to.deep.equal([MOST_CLOSEST, 0]);
    expect(closest.at(-1)!.target, 'the last has no room').to.equal(MOST_CLOSEST - 1);
  });

  it('are dropped to be found again, and what they reach stays known', () => {
    const found = from(10);
    found.add(0, FAILOVER, -1, 5);
    found.clear();
    expect([found.closest(), found.limit]).to.deep.equal([[], 5.1]);
  });

  describe('of another thread', () => {
    const handedOver = (theirs: Candidates, room: number): Float64Array => {
      const handed = new Float64Array(1 + 2 * room);
      theirs.handOver(handed);
      return handed;
    };

    it('come to these where they are good enough', () => {
      const [found, theirs] = [from(10), from(10)];
      found.add(3, FAILOVER, -1, 5);
      for (const [instance, score] of [5.15, 5.05, 5.12].entries())
        theirs.add(instance, REPLACE_SECONDARY, 8, score);
      const handed = handedOver(theirs, 4);
      found.takeOver(handed);
      expect(found.closest()).to.deep.equal([
        { instance: 1, kind: REPLACE_SECONDARY, target: 8, score: 5.05 },
        { instance: 3, kind: FAILOVER, target: -1, score: 5 },
      ]);
      expect(found.lacksSomeOf(handed)).to.equal(false);
    });

    it('are the first, and some are lacking, where there is no room for all', () => {
      const [found, theirs] = [from(10), from(10)];
      for (const instance of [2, 0, 1]) theirs.add(instance, FAILOVER, -1, 5);
      const handed = handedOver(theirs, 2);
      found.takeOver(handed);
      expect(instancesOf(found.closest())).to.deep.equal([0, 1]);
      expect(found.lacksSomeOf(handed)).to.equal(true);
    });

    it('lack none where those at hand are more than are asked for, unless a better one leaves them behind', () => {
      const [found, theirs] = [from(10), from(10)];
      for (let instance = 0; instance <= MOST_CLOSEST; instance++) theirs.add(instance, FAILOVER, -1, 5);
      const handed = handedOver(theirs, MOST_CLOSEST);
      found.takeOver(handed);
      expect(found.lacksSomeOf(handed)).to.equal(false);
      found.add(9, REPLACE_SECONDARY, 1, 4.8);
      expect(found.lacksSomeOf(handed)).to.equal(true);
    });
  });
});
