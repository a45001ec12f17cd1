import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { Forest } from '../../../../src/ledger/candidates/forest/forest.ts';
import { LedgerForest } from '../../../../src/ledger/candidates/records/ledger-forest.ts';
import { readRecords } from '../../../../src/ledger/candidates/records/read-records.ts';
import { setInventories } from '../../../../src/ledger/claims/changes/inventory-changes.ts';
import { setAggregates, setTraits } from '../../../../src/ledger/claims/changes/label-changes.ts';
import {
  changeProvider,
  createProvider,
  removeProvider,
} from '../../../../src/ledger/claims/changes/provider-changes.ts';
import { change, type Ledger } from '../../../../src/ledger/claims/claim/ledger.ts';
import { INVENTORY_DEFAULTS } from '../../../../src/ledger/claims/model/inventory.ts';
import type { ChangeContext } from '../../../../src/ledger/claims/tables/history.ts';
import { pruneHistory } from '../../../../src/ledger/claims/usage/prune.ts';
import type { Session, Store } from '../../../../src/ledger/store/store.ts';
import { promise } from '../../../builders/promise.ts';
import { AUTHOR, addProvider, freshLedger, START, stockProvider, uuidOf } from '../../claims/ledgers.ts';
import { describeOnEachStore } from '../../store/each-store.ts';

/** Everything that a search can see of a forest. */
const imageOf = (forest: Forest): unknown => ({
  roots: forest.roots.map((root) => ({
    root: root.uuid,
    tree: forest
      .treeOf(root)
      .map((provider) => ({
        uuid: provider.uuid,
        name: provider.name,
        path: provider.path.map(({ uuid }) => uuid),
        rooms: [...provider.rooms.values()].sort((a, b) => (a.resourceClass < b.resourceClass ? -1 : 1)),
        traits: [...provider.traits].sort(),
        aggregates: [...provider.aggregates].sort(),
      })),
    sharers: forest.sharersWith(root).map(({ uuid }) => uuid),
  })),
  vcpu: [...forest.byClass.of('VCPU')].map(({ uuid }) => uuid).sort(),
  sharing: [...forest.sharing].map(({ uuid }) => uuid).sort(),
});

const rebuilt = async ({ store }: Ledger): Promise<Forest> =>
  new Forest(await store.read((session) => readRecords(session, undefined)));

type Work = (
  session: Session,
  context: ChangeContext,
) => ReturnType<typeof createProvider> | ReturnType<typeof removeProvider>;

/** One random change; many are refused, which is fine. */
function randomChange(random: Random): Work {
  const uuid = uuidOf(random.between(1, 9));
  const other = uuidOf(random.between(1, 9));
  const target = { provider: uuid };
  switch (random.below(7)) {
    case 0:
    case 1:
      return (session, context) =>
        createProvider(session, context, {
          uuid,
          name: `p${random.below(99)}`,
          parent: random.chance(0.6) ? other : null,
          canHost: true,
        });
    case 2:
      return (session, context) =>
        setInventories(
          session,
          context,
          target,
          new Map([['VCPU', { ...INVENTORY_DEFAULTS, total: random.between(1, 9) }]]),
          random.chance(0.5) ? 'kept' : 'removed',
        );
    case 3:
      return (session, context) =>
        setTraits(
          session,
          context,
          target,
          random.chance(0.5) ? ['MISC_SHARES_VIA_AGGREGATE'] : ['HW_NUMA_ROOT'],
        );
    case 4:
      return (session, context) =>
        setAggregates(session, context, target, {
          aggregates: random.chance(0.7) ? [uuidOf(90)] : [],
          keepsGeneration: random.chance(0.5),
        });
    case 5:
      return (session, context) =>
        changeProvider(
          session,
          context,
          target,
          random.chance(0.5)
            ? { name: `p${random.below(99)}` }
            : { parent: random.chance(0.5) ? other : null },
        );
    default:
      return (session, context) => removeProvider(session, context, target);
  }
}

describeOnEachStore('the forest of a ledger', (freshUrl) => {
  const clock = { ms: START };
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await freshLedger(await freshUrl(), clock);
  });
  afterEach(() => ledger.store.close());

  it('follows every change, as if it were read anew each time', async () => {
    const forest = new LedgerForest(ledger.store);
    const random = new Random(4, 'ledger forest');
    let changes = 0;
    for (let round = 0; round < 60; round++) {
      for (let k = random.between(1, 4); k > 0; k--) {
        const outcome = await change<object, unknown>(ledger, AUTHOR, randomChange(random));
        if (outcome.kind === 'done') changes++;
      }
      expect(imageOf(await forest.fresh()), `round ${round}`).to.deep.equal(imageOf(await rebuilt(ledger)));
    }
    expect(changes).to.be.above(40);
  });

  it('misses nothing of what was pruned before it looked', async () => {
    const forest = new LedgerForest(ledger.store);
    await addProvider(ledger, 1, { VCPU: { total: 4 } });
    await forest.fresh();
    await stockProvider(ledger, uuidOf(1), { VCPU: { total: 8 } });
    await addProvider(ledger, 2, { VCPU: { total: 4 } });
    clock.ms += 1000;
    await pruneHistory(ledger, AUTHOR, clock.ms);
    expect(imageOf(await forest.fresh())).to.deep.equal(imageOf(await rebuilt(ledger)));
  });

  it('never takes in all of a long history, of which nobody asked for anything meanwhile', async () => {
    let most = 0;
    const counting = (session: Session): Session =>
      Object.create(session, {
        all: {
          value: async (...asked: Parameters<Session['all']>) => {
            const rows = await session.all(...asked);
            most = Math.max(most, rows.length);
            return rows;
          },
        },
      });
    const read: Store['read'] = (work) => ledger.store.read((session) => work(counting(session)));
    const forest = new LedgerForest(Object.create(ledger.store, { read: { value: read } }));
    await addProvider(ledger, 1, { VCPU: { total: 4 } });
    await forest.fresh();
    await stockProvider(ledger, uuidOf(1), { VCPU: { total: 8 } });
    await ledger.store.write((session) =>
      session.run(
        `INSERT INTO history (at, request, actor, action, provider_id)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) SELECT 1, 'r', 'x', 'claim', 1 FROM n`,
      ),
    );
    expect(imageOf(await forest.fresh())).to.deep.equal(imageOf(await rebuilt(ledger)));
    expect(most).to.be.most(50_000);
  });

  it('is read anew where it could not be brought up to date', async () => {
    let isLost = false;
    const read: Store['read'] = (work) =>
      ledger.store.read((session) => {
        const all: Session['all'] = (text, values) => {
          if (isLost && !text.includes('FROM history')) throw new Error('the connection is lost');
          return session.all(text, values);
        };
        return work(Object.assign(Object.create(session), { all }));
      });
    const forest = new LedgerForest({ ...ledger.store, read });
    await forest.fresh();
    await addProvider(ledger, 1, { VCPU: { total: 4 } });
    isLost = true;
    const error = await forest.fresh().catch((thrown: unknown) => thrown);
    expect(String(error)).to.include('the connection is lost');
    isLost = false;
    expect(imageOf(await forest.fresh())).to.deep.equal(imageOf(await rebuilt(ledger)));
  });

  it('sees a change that began before the last one it saw and came to light after it', async function () {
    // SQLite has one writer at a time: there nothing can be overtaken.
    if (ledger.store.dialect === 'sqlite') return this.skip();
    for (const n of [1, 2]) await addProvider(ledger, n, {});
    const forest = new LedgerForest(ledger.store);
    const namesIn = async (one: LedgerForest) => (await one.fresh()).roots.map(({ name }) => name).sort();
    await forest.fresh();
    const rename = (n: number) => (session: Session, context: ChangeContext) =>
      changeProvider(session, context, { provider: uuidOf(n) }, { name: `later${n}` });
    const [written, leave] = [promise(), promise()];
    const slow = change<object, unknown>(ledger, AUTHOR, async (session, context) => {
      const outcome = await rename(1)(session, context);
      // A change of many rows.
      await session.run(
        `INSERT INTO history (at, request, actor, action) SELECT 0, 'r', 'x', 'y' FROM generate_series(1, 5000)`,
      );
      written.keep();
      await leave.made;
      return outcome;
    });
    await written.made;
    await change<object, unknown>(ledger, AUTHOR, rename(2));
    const later = new LedgerForest(ledger.store);
    for (let look = 0; look < 3; look++)
      for (const one of [forest, later]) expect(await namesIn(one)).to.deep.equal(['later2', 'p1']);
    leave.keep();
    await slow;
    for (const one of [forest, later]) expect(await namesIn(one)).to.deep.equal(['later1', 'later2']);
  });
});
