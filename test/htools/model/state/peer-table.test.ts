import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { PeerTable } from '../../../../src/htools/model/state/peer-table.ts';
import { forSeeds } from '../../../builders/seeds.ts';

const NODES = 40;

describe('the table of reservations', () => {
  it('holds what a plain map holds, whatever is written and taken back', () => {
    forSeeds(20, (seed) => {
      const random = new Random(seed, 'peers');
      const table = new PeerTable(NODES, true);
      const map = new Map<string, { reserved: number; stamp: number }>();
      for (let k = 0; k < 3000; k++) {
        const [node, primary] = [random.below(NODES), random.below(NODES)];
        const key = `${node} ${primary}`;
        const reserved = random.chance(0.5) ? 0 : random.below(5000);
        if (random.chance(0.2)) {
          table.forgetStamp(node, primary);
          const known = map.get(key);
          if (known) map.set(key, { ...known, stamp: 0 });
        } else {
          const stamp = random.chance(0.3) ? 0 : k + 1;
          table.restore(node, primary, reserved, stamp);
          map.set(key, { reserved, stamp });
        }
      }
      for (let node = 0; node < NODES; node++)
        for (let primary = 0; primary < NODES; primary++) {
          const known = map.get(`${node} ${primary}`) ?? { reserved: 0, stamp: 0 };
          expect(table.get(node, primary)).to.equal(known.reserved);
          expect(table.stampOf(node, primary)).to.equal(known.stamp);
        }
      const live = [...map.values()].filter(({ reserved }) => reserved > 0);
      const primaries = [...new Array(NODES).keys()];
      expect(primaries.flatMap((primary) => [...table.of(primary)])).to.have.lengthOf(live.length);
    });
  });

  it('puts what is written last at the end of the order', () => {
    const table = new PeerTable(3, true);
    table.set(0, 1, 10);
    table.set(0, 2, 10);
    expect(table.stampOf(0, 1)).to.be.below(table.stampOf(0, 2));
    table.set(0, 1, 20);
    expect(table.stampOf(0, 1)).to.be.above(table.stampOf(0, 2));
  });

  it('keeps no order unless it is asked to', () => {
    const table = new PeerTable(3, false);
    table.set(0, 1, 10);
    expect(table.stampOf(0, 1)).to.equal(0);
    expect([...table.of(1)]).to.deep.equal([[0, 10]]);
  });

  it('holds no more than what is reserved at a time', () => {
    const table = new PeerTable(2, false);
    table.set(1, 0, 100);
    table.set(1, 0, 0);
    expect(table.get(1, 0)).to.equal(0);
    expect([...table.of(0)]).to.deep.equal([]);
  });
});
