import { expect } from 'chai';
import * as fc from 'fast-check';
import { packBestFit } from '../../../../../src/htools/model/redundancy/packing/best-fit.ts';
import { FlowNetwork } from '../../../../../src/htools/model/redundancy/packing/max-flow.ts';
import {
  fits,
  occupy,
  type Packing,
  slotsFor,
} from '../../../../../src/htools/model/redundancy/packing/packing.ts';
import {
  proveImpossible,
  withUsableRoom,
} from '../../../../../src/htools/model/redundancy/packing/packing-proof.ts';
import { searchPacking } from '../../../../../src/htools/model/redundancy/packing/packing-search.ts';

const SEED = 20113;
const PLENTY = 1_000_000;

interface Sketch {
  readonly rooms: readonly (readonly [mem: number, disk?: number, spindles?: number])[];
  readonly items: readonly (readonly [mem: number, disk?: number, row?: number, spindles?: number])[];
  /** Bins of each row; all by default. */
  readonly reach?: readonly (readonly number[])[];
}

function packingOf({ rooms, items, reach }: Sketch): Packing {
  const rows = reach ?? [rooms.map((_, b) => b)];
  return {
    binCount: rooms.length,
    itemCount: items.length,
    memRoom: Float64Array.from(rooms, ([mem]) => mem),
    diskRoom: Float64Array.from(rooms, ([, disk]) => disk ?? 0),
    spindleRoom: Float64Array.from(rooms, ([, , spindles]) => spindles ?? Number.POSITIVE_INFINITY),
    mem: Array.from(items, ([mem]) => mem),
    disk: Array.from(items, ([, disk]) => disk ?? 0),
    row: Array.from(items, ([, , row]) => row ?? 0),
    spindles: Array.from(items, ([, , , spindles]) => spindles ?? 0),
    reach: Uint8Array.from(rows.flatMap((bins) => rooms.map((_, b) => (bins.includes(b) ? 1 : 0)))),
    closed: -1,
  };
}

/** Whether any packing exists, found by trying all. */
function existsByForce(p: Packing, item = 0): boolean {
  if (item === p.itemCount) return true;
  for (let b = 0; b < p.binCount; b++) {
    if (!fits(p, item, b)) continue;
    occupy(p, item, b, 1);
    const exists = existsByForce(p, item + 1);
    occupy(p, item, b, -1);
    if (exists) return true;
  }
  return false;
}

/** Whether the bins given are a packing. */
function isPacking(p: Packing, binOf: readonly number[]): boolean {
  const q = {
    ...p,
    memRoom: p.memRoom.slice(),
    diskRoom: p.diskRoom.slice(),
    spindleRoom: p.spindleRoom.slice(),
  };
  for (let i = 0; i < p.itemCount; i++) {
    if (!fits(q, i, binOf[i]!)) return false;
    occupy(q, i, binOf[i]!, 1);
  }
  return true;
}

/** Packings with little to spare: the items are made by cutting up the rooms, and then some are changed. */
const tightPackings: fc.Arbitrary<Packing> = fc
  .record({
    rooms: fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 12 })), {
      minLength: 1,
      maxLength: 4,
    }),
    cuts: fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 9 }), fc.nat(4), fc.nat(2)), {
      minLength: 1,
      maxLength: 7,
    }),
    extra: fc.array(fc.tuple(fc.nat(4), fc.nat(3), fc.nat(2)), { maxLength: 2 }),
    reach: fc.array(fc.subarray([0, 1, 2, 3]), { minLength: 3, maxLength: 3 }),
    spindles: fc.boolean(),
  })
  .map(({ rooms, cuts, extra, reach, spindles }) => {
    const left = rooms.map(([mem, disk]) => [mem, disk] as [number, number]);
    const items: [number, number, number, number][] = [];
    for (const [at, mem, disk, row] of cuts) {
      const bin = left[at % rooms.length]!;
      const taken: [number, number] = [Math.min(mem, bin[0]), Math.min(disk, bin[1])];
      bin[0] -= taken[0];
      bin[1] -= taken[1];
      items.push([taken[0], taken[1], row, taken[1] > 0 ? 1 : 0]);
    }
    for (const [mem, disk, row] of extra) items.push([mem, disk, row, 0]);
    return packingOf({
      rooms: rooms.map(([mem, disk], b) => (spindles && b % 2 === 0 ? [mem, disk, 2] : [mem, disk])),
      items,
      reach: reach.map((bins, row) => (row === 0 || bins.length === 0 ? [0, 1, 2, 3] : bins)),
    });
  });

/** Bins of one size, with little to spare, that differ in spindles and in what reaches them, if at all. */
const likeBins: fc.Arbitrary<Packing> = fc
  .record({
    room: fc.tuple(fc.integer({ min: 4, max: 8 }), fc.integer({ min: 2, max: 4 })),
    spindles: fc.array(fc.constantFrom(1, 2, undefined), { minLength: 3, maxLength: 4 }),
    items: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(2), fc.nat(2), fc.nat(1)), {
      minLength: 4,
      maxLength: 8,
    }),
    reach: fc.array(fc.subarray([0, 1, 2, 3], { minLength: 2 }), { minLength: 3, maxLength: 3 }),
  })
  .map(({ room: [mem, disk], spindles, items, reach }) =>
    packingOf({ rooms: spindles.map((count) => (count ? [mem, disk, count] : [mem, disk])), items, reach }),
  );

describe('packing items into bins', () => {
  it('best fit finds only packings, and leaves the rooms as they were', () => {
    let found = 0;
    const property = fc.property(tightPackings, (p) => {
      const before = [...p.memRoom, ...p.diskRoom];
      const binOf: number[] = [];
      if (packBestFit(p, binOf)) {
        found++;
        expect(isPacking(p, binOf)).to.equal(true);
      }
      expect([...p.memRoom, ...p.diskRoom]).to.deep.equal(before);
    });
    fc.assert(property, { numRuns: 1500, seed: SEED });
    expect(found).to.be.above(300);
  });

  it('a proof is given only where no packing exists', () => {
    const proofs = new Map<string, number>();
    const property = fc.property(tightPackings, (p) => {
      const proof = proveImpossible(p);
      if (proof === undefined) return;
      proofs.set(proof.resource, (proofs.get(proof.resource) ?? 0) + 1);
      expect(existsByForce(p), JSON.stringify(proof)).to.equal(false);
      expect(proof.missing).to.be.above(0);
    });
    fc.assert(property, { numRuns: 3000, seed: SEED });
    expect([...proofs.keys()]).to.include.members(['memory', 'disk', 'spindles', 'room']);
  });

  for (const [what, packings] of [
    ['', tightPackings],
    [', where bins are much alike as well', likeBins],
  ] as const)
    it(`the search with a large budget answers exactly, with nothing tried before it${what}`, () => {
      let found = 0;
      const property = fc.property(packings, (p) => {
        const binOf: number[] = [];
        const before = [...p.memRoom, ...p.diskRoom];
        const result = searchPacking(p, binOf, PLENTY);
        expect(result).to.equal(existsByForce(p) ? 'found' : 'none');
        if (result === 'found') {
          found++;
          expect(isPacking(p, binOf)).to.equal(true);
        }
        expect([...p.memRoom, ...p.diskRoom]).to.deep.equal(before);
      });
      fc.assert(property, { numRuns: 3000, seed: SEED });
      expect(found).to.be.within(500, 2500);
    });

  it('room that no sum of items uses can be taken off without changing the answer', () => {
    let taken = 0;
    const property = fc.property(tightPackings, (p) => {
      const usable = withUsableRoom(p);
      usable.memRoom.forEach((room, b) => {
        expect(room).to.be.at.most(p.memRoom[b]!);
        if (room < p.memRoom[b]!) taken++;
      });
      expect(existsByForce(usable)).to.equal(existsByForce(p));
    });
    fc.assert(property, { numRuns: 1500, seed: SEED });
    expect(taken).to.be.above(300);
  });

  it('counts only multiples of the common divisor where the sums are too many to list', () => {
    const p = packingOf({ rooms: [[10_000_001]], items: [[4_000_000], [6_000_002]] });
    expect([...withUsableRoom(p).memRoom]).to.deep.equal([10_000_000]);
  });

  it('the search finds what best fit misses', () => {
    // Best fit puts 7 into 8; but 7+6 and 5+3 is the only way.
    const p = packingOf({ rooms: [[8], [13]], items: [[7], [6], [5], [3]] });
    const binOf: number[] = [];
    expect(packBestFit(p, binOf)).to.equal(false);
    expect(proveImpossible(p)).to.equal(undefined);
    expect(searchPacking(p, binOf, PLENTY)).to.equal('found');
    expect(isPacking(p, binOf)).to.equal(true);
  });

  it('shows by flow alone that pools share the little room there is', () => {
    // Two pools reach bins 0 and 1 only, 12 of room; bin 2 has plenty, and only the third pool reaches it.
    const p = packingOf({
      rooms: [[6], [6], [100]],
      items: [
        [3, 0, 0],
        [3, 0, 0],
        [4, 0, 1],
        [3, 0, 1],
        [1, 0, 2],
      ],
      reach: [[0, 1], [0, 1], [2]],
    });
    expect(proveImpossible(p)).to.deep.equal({ resource: 'memory', missing: 1 });
  });

  it('the search shows by trying all what no relaxation shows', () => {
    const p = packingOf({ rooms: [[9], [9], [12]], items: [[7], [6], [5], [4], [4], [4]] });
    expect(proveImpossible(p)).to.equal(undefined);
    expect(searchPacking(p, [], PLENTY)).to.equal('none');
  });

  it('gives up when the budget ends', () => {
    const p = packingOf({ rooms: [[8], [13]], items: [[7], [6], [5], [3]] });
    expect(searchPacking(p, [], 1)).to.equal('spent');
  });
});

describe('maximum flow', () => {
  it('sends as much as the narrowest cut lets through', () => {
    const network = new FlowNetwork([5, 7], [4, 4, 10]);
    network.connect(0, 0, 9);
    network.connect(0, 1, 9);
    network.connect(1, 1, 2);
    network.connect(1, 2, 3);
    expect(network.maximum()).to.equal(10);
  });

  it('takes back what stands in the way', () => {
    const network = new FlowNetwork([1, 1], [1, 1]);
    network.connect(0, 0, 1);
    network.connect(0, 1, 1);
    network.connect(1, 0, 1);
    expect(network.maximum()).to.equal(2);
  });
});

describe('the slots for a kind of item', () => {
  const slots = (
    room: readonly [number, number, number?],
    item: readonly [number, number, number],
  ): number => {
    const [mem, disk, spindles] = item;
    return slotsFor(packingOf({ rooms: [room], items: [[mem, disk, 0, spindles]] }), 0, 0, 9);
  };

  it('are as many as the scarcest of memory, disk and spindles lets in', () => {
    expect(slots([41, 1000, 100], [10, 1, 1])).to.equal(4);
    expect(slots([1000, 31, 100], [10, 10, 1])).to.equal(3);
    expect(slots([1000, 1000, 13], [10, 10, 5])).to.equal(2);
    expect(slots([51, 1000, 13], [10, 10, 2])).to.equal(5);
  });

  it('are the limit where nothing is scarce, and none where one does not fit', () => {
    expect(slots([1000, 1000], [10, 10, 5])).to.equal(9);
    expect(slots([1000, 1000, 2], [10, 10, 5])).to.equal(0);
  });
});
