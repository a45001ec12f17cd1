import { expect } from 'chai';
import { countOn, misplacedOf, setRefusal } from '../../../../src/htools/model/rules/sets.ts';
import { smallState } from '../../../builders/small-cluster.ts';

/**
 * Instances of one set on these nodes (four of them; the last is offline), one without tags beside the first.
 */
const setOn = (...primaries: readonly number[]) =>
  smallState({
    nodes: [{}, {}, {}, { isOffline: true }],
    instances: [
      ...primaries.map((primary) => ({
        diskTemplate: 'ext' as const,
        primary,
        tags: ['htools:together:web'],
      })),
      { diskTemplate: 'ext' as const, primary: primaries[0]! },
    ],
  });

/** The nodes that refuse the instance. */
const refusing = (state: ReturnType<typeof setOn>, i: number): number[] =>
  [0, 1, 2, 3].filter((node) => setRefusal(state, i, node) === 'together');

describe('the rule that keeps a set together', () => {
  it('lets an instance go only where most of the others are', () => {
    expect(refusing(setOn(0, 0), 0)).to.deep.equal([1, 2, 3]);
    expect(refusing(setOn(0, 0, 1), 0)).to.deep.equal([2, 3]);
    expect(refusing(setOn(0, 0, 1), 2)).to.deep.equal([1, 2, 3]);
    expect(refusing(setOn(0, 1, 1), 0)).to.deep.equal([0, 2, 3]);
  });

  it('does not count the instance itself, nor those on offline nodes, nor those without the tag', () => {
    expect(refusing(setOn(0, 1), 0)).to.deep.equal([0, 2, 3]);
    expect(refusing(setOn(0, 3), 0)).to.deep.equal([]);
    expect(refusing(setOn(0), 0)).to.deep.equal([]);
    expect(refusing(setOn(0, 0), 2)).to.deep.equal([]);
    expect(countOn(setOn(0, 0, 1), [0, 1, 2], 0, 0)).to.equal(1);
    expect(countOn(setOn(0, 0, 1), [0, 1, 2], 0, 2)).to.equal(2);
  });

  it('counts as misplaced all but those on the node with the most', () => {
    const [set] = setOn(0, 0, 1, 2).placement.allSets();
    expect(set).to.deep.include({ rule: 'together', name: 'web', members: [0, 1, 2, 3] });
    expect(misplacedOf(set!, [2, 1, 1])).to.equal(2);
    expect(misplacedOf(set!, [3])).to.equal(0);
    expect(misplacedOf(set!, [])).to.equal(0);
  });
});
