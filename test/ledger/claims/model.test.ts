import { expect } from 'chai';
import { parentsFirst } from '../../../src/ledger/claims/cluster/image.ts';
import { endsOfClaim, firstEnd, isDue, joinedEnds } from '../../../src/ledger/claims/model/ends.ts';
import {
  brokenUnitRule,
  canonicalRatio,
  capacityOf,
  floorTimes,
  hasRoom,
  INVENTORY_DEFAULTS,
  type Inventory,
  inventoryProblems,
  MAX_INTEGER,
} from '../../../src/ledger/claims/model/inventory.ts';
import {
  customName,
  derivedUuid,
  isCustomName,
  isHolderName,
  isProviderName,
  isUuid,
} from '../../../src/ledger/claims/model/names.ts';

const inventory = (stated: Partial<Inventory>): Inventory => ({
  ...INVENTORY_DEFAULTS,
  total: 10,
  ...stated,
});

describe('the rules of a ledger', () => {
  it('have one spelling of a ratio', () => {
    const spellings = {
      '1': '1',
      '1.0': '1',
      '01.50': '1.5',
      '0.5': '0.5',
      '10': '10',
      '0.10': '0.1',
      '00.7': '0.7',
    };
    for (const [text, canonical] of Object.entries(spellings))
      expect(canonicalRatio(text), text).to.equal(canonical);
    for (const text of [
      '',
      '0',
      '0.0',
      '-1',
      '1.',
      '.5',
      '1e3',
      '1,5',
      `1${'0'.repeat(15)}`,
      `0.${'1'.repeat(19)}`,
    ])
      expect(canonicalRatio(text), text).to.equal(undefined);
    expect(canonicalRatio(`1${'0'.repeat(14)}`)).to.equal(`1${'0'.repeat(14)}`);
  });

  it('multiply exactly, and round down', () => {
    const products: readonly (readonly [number, string, number])[] = [
      [100, '1.15', 115],
      [7, '1', 7],
      [7, '16', 112],
      [7, '0.5', 3],
      [3, '0.333', 0],
      [MAX_INTEGER, '1.000000000000000001', MAX_INTEGER],
      [0, '2.5', 0],
    ];
    for (const [amount, ratio, product] of products)
      expect(floorTimes(amount, ratio), ratio).to.equal(product);
    expect(capacityOf(inventory({ reserved: 4, allocationRatio: '1.5' }))).to.equal(9);
  });

  it('name the first rule of units that an amount breaks', () => {
    const units = inventory({ minUnit: 3, maxUnit: 8, stepSize: 2 });
    const broken = (amount: number) => [
      brokenUnitRule(units, amount, 'exempt')?.rule,
      brokenUnitRule(units, amount, 'strict')?.rule,
    ];
    expect(broken(2)).to.deep.equal(['min_unit', 'min_unit']);
    expect(broken(3)).to.deep.equal([undefined, 'step_size']);
    expect(broken(4)).to.deep.equal([undefined, undefined]);
    expect(broken(5)).to.deep.equal(['step_size', 'step_size']);
    expect(broken(8)).to.deep.equal([undefined, undefined]);
    expect(broken(9)).to.deep.equal(['max_unit', 'max_unit']);
  });

  it('leave what is over capacity as it is, or let it shrink', () => {
    const ten = inventory({});
    expect([hasRoom(ten, 9, 10), hasRoom(ten, 10, 11)]).to.deep.equal([true, false]);
    expect([hasRoom(ten, 12, 12), hasRoom(ten, 12, 11), hasRoom(ten, 12, 13)]).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it('say of an inventory everything that cannot be', () => {
    const wrong = (stated: Partial<Inventory>) =>
      inventoryProblems(inventory(stated)).map(({ field }) => field);
    expect(INVENTORY_DEFAULTS).to.deep.equal({
      reserved: 0,
      minUnit: 1,
      maxUnit: 2_147_483_647,
      stepSize: 1,
      allocationRatio: '1',
    });
    expect(wrong({})).to.deep.equal([]);
    expect(wrong({ reserved: 10, minUnit: 9, maxUnit: 8 })).to.deep.equal([]);
    expect(wrong({ total: MAX_INTEGER, maxUnit: MAX_INTEGER })).to.deep.equal([]);
    expect(wrong({ total: MAX_INTEGER + 1 })).to.deep.equal(['total']);
    expect(wrong({ total: 0 })).to.deep.equal(['total']);
    expect(wrong({ minUnit: 0, maxUnit: 1.5, stepSize: -1 })).to.deep.equal([
      'minUnit',
      'maxUnit',
      'stepSize',
    ]);
    expect(wrong({ reserved: -1 })).to.deep.equal(['reserved']);
    expect(wrong({ reserved: 11 })).to.deep.equal(['reserved']);
    for (const allocationRatio of ['0', '1.0', 'x'])
      expect(wrong({ allocationRatio })).to.deep.equal(['allocationRatio']);
    expect(inventoryProblems(inventory({ reserved: 11 }))).to.deep.equal([
      { field: 'reserved', value: 11, problem: 'must not be above the total (10)' },
    ]);
  });

  it('know names, and make custom ones', () => {
    const of = (length: number) => 'a'.repeat(length);
    for (const [isName, most] of [
      [isProviderName, 200],
      [isHolderName, 255],
    ] as const) {
      expect([isName(''), isName('a b'), isName(of(most)), isName(of(most + 1))]).to.deep.equal([
        false,
        true,
        true,
        false,
      ]);
      expect([isName('a\u0000'), isName('a\u202eb'), isName('a\n'), isName('é')]).to.deep.equal([
        false,
        false,
        false,
        true,
      ]);
    }
    const custom = (tail: string) => isCustomName(`CUSTOM_${tail}`);
    expect([
      custom(''),
      custom('A'),
      custom('a'),
      custom('A'.repeat(248)),
      custom('A'.repeat(249)),
    ]).to.deep.equal([false, true, false, true, false]);
    expect(isCustomName('VCPU')).to.equal(false);
    expect(customName('ssd-pool.1')).to.equal('CUSTOM_SSD_POOL_1');
    expect(customName(of(300))).to.have.length(255);
    expect([isUuid(derivedUuid('node', 'n')), isUuid('n')]).to.deep.equal([true, false]);
  });

  it('derive UUIDs that differ by name and by kind', () => {
    // printf 'evenkeel:node:n' | sha1sum, with the version and the variant of RFC 9562 put in.
    expect(derivedUuid('node', 'n')).to.equal('7bdba76a-5936-54da-9bcf-c40f23d0b647');
    expect(
      new Set([derivedUuid('node', 'n'), derivedUuid('pool', 'n'), derivedUuid('node', 'm')]).size,
    ).to.equal(3);
  });

  it('give a claim with an end only what was not for good before', () => {
    const before = { used: 5, ends: [{ at: 1, amount: 2 }] };
    expect(endsOfClaim(7, before, 9)).to.deep.equal([{ at: 9, amount: 4 }]);
    expect(endsOfClaim(3, before, 9)).to.deep.equal([]);
    expect(endsOfClaim(2, before, 9)).to.deep.equal([]);
    expect(endsOfClaim(2, undefined, 9)).to.deep.equal([{ at: 9, amount: 2 }]);
  });

  it('join ends of one moment, by time, and know the first', () => {
    const ends = [
      { at: 9, amount: 1 },
      { at: 3, amount: 2 },
      { at: 9, amount: 4 },
    ];
    expect(joinedEnds(ends)).to.deep.equal([
      { at: 3, amount: 2 },
      { at: 9, amount: 5 },
    ]);
    const held = [{ ends: [] }, { ends: [{ at: 9, amount: 1 }] }, { ends: joinedEnds(ends) }];
    expect([firstEnd(held), firstEnd([]), firstEnd([{ ends: [] }])]).to.deep.equal([3, null, null]);
    expect([isDue(held, 2), isDue(held, 3), isDue([], 3)]).to.deep.equal([false, true, false]);
  });
});

describe('providers in the order of their trees', () => {
  const row = (uuid: string, parent: string | null) => ({ uuid, parent });

  it('stand behind their parents, tree by tree', () => {
    const rows = [row('d', 'b'), row('a', null), row('c', 'a'), row('b', 'a'), row('e', null)];
    expect(parentsFirst(rows).map(({ uuid }) => uuid)).to.deep.equal(['a', 'c', 'b', 'd', 'e']);
  });

  it('may stand below each other as deep as they like', () => {
    const chain = Array.from({ length: 20_000 }, (_, i) => row(`p${i}`, i === 0 ? null : `p${i - 1}`));
    expect(parentsFirst(chain)).to.deep.equal(chain);
  });
});
