import { expect } from 'chai';
import type { Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { newsBehind, type Tail, tailBehind, tailNow } from '../../../src/ledger/claims/tables/history.ts';
import type { Session } from '../../../src/ledger/store/store.ts';
import { promise } from '../../builders/promise.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { freshLedger } from './ledgers.ts';

const ADD = "INSERT INTO history (at, request, actor, action) VALUES (0, 'r', 'x', 'y')";

/** Reads on and on. */
class Reader {
  readonly seen: number[] = [];
  constructor(
    private readonly ledger: Ledger,
    private tail: Tail,
  ) {}

  async look(most = 1000): Promise<readonly number[]> {
    const { news, tail } = await this.ledger.store.read((session) => newsBehind(session, this.tail, most));
    this.tail = tail;
    const ids = news.map(({ id }) => id);
    this.seen.push(...ids);
    return ids;
  }

  get passed(): number {
    return this.tail.passed.size;
  }
}

describeOnEachStore('the tail of the history', (freshUrl) => {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await freshLedger(await freshUrl());
  });
  afterEach(() => ledger.store.close());

  const write = (work: (session: Session) => Promise<unknown>) => ledger.store.write(work);

  it('is read in pieces', async () => {
    await write(async (session) => {
      for (let count = 0; count < 5; count++) await session.run(ADD);
    });
    const reader = new Reader(ledger, tailBehind(1));
    expect([await reader.look(3), await reader.look(3), await reader.look(3)]).to.deep.equal([
      [2, 3, 4],
      [5],
      [],
    ]);
  });

  it('has each change once, however late it comes to light, and gives up what never comes', async function () {
    if (ledger.store.dialect === 'sqlite') return this.skip();
    const early = new Reader(ledger, tailBehind(0));
    const [written, leave] = [promise(), promise()];
    const slow = write(async (session) => {
      await session.run("UPDATE schema_versions SET version = version WHERE component = 'claims'");
      for (let count = 0; count < 3; count++) await session.run(ADD);
      written.keep();
      await leave.made;
    });
    await written.made;
    // A number that nobody will have.
    await ledger.store.write(
      (session) => session.run(ADD),
      () => false,
    );
    await write((session) => session.run(ADD));
    const late = new Reader(ledger, await ledger.store.read(tailNow));
    for (let look = 0; look < 3; look++) {
      await early.look();
      await late.look();
    }
    expect([early.seen, late.seen]).to.deep.equal([[5], []]);
    leave.keep();
    await slow;
    for (const reader of [early, late]) {
      expect(await reader.look()).to.deep.equal([1, 2, 3]);
      // The server itself may be at work, too.
      do expect(await reader.look()).to.deep.equal([]);
      while (reader.passed > 0);
    }
  });
});
