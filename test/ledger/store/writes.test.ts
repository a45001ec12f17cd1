import { expect } from 'chai';
import { openStore } from '../../../src/ledger/store/open-store.ts';
import { UnstorableText } from '../../../src/ledger/store/storable.ts';
import { type SqlValue, type Store, StoreConflict } from '../../../src/ledger/store/store.ts';
import { describeOnEachStore } from './each-store.ts';

describeOnEachStore('writing', (freshUrl) => {
  let store: Store;

  beforeEach(async () => {
    store = await openStore(await freshUrl(), { isMade: true });
    await store.file?.prepare();
    await store.write((session) =>
      session.script('CREATE TABLE cups (name {text} NOT NULL UNIQUE, count {integer} NOT NULL) {table}'),
    );
  });
  afterEach(() => store.close());

  const cups = async (): Promise<readonly string[]> =>
    (await store.read((session) => session.all<{ name: string }>('SELECT name FROM cups ORDER BY name'))).map(
      ({ name }) => name,
    );

  it('many changes at once are kept, taken back or fail each for itself', async () => {
    const change = (i: number) =>
      store.write(
        async (session) => {
          await session.run('INSERT INTO cups (name, count) VALUES (?, ?)', [`cup${i}`, i]);
          if (i % 3 === 1) throw new Error('broken');
          return i;
        },
        (count) => count % 3 === 0,
      );
    const results = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => change(i)));
    const kept = Array.from({ length: 10 }, (_, i) => `cup${3 * i}`).sort();
    expect(await cups()).to.deep.equal(kept);
    expect(results.filter(({ status }) => status === 'rejected')).to.have.length(10);
  });

  it('a text with NUL or half of a character is refused before anything is done with it', async () => {
    for (const text of ['victim\0x', '\0', 'a\ud800', '\udc00b']) {
      const put = (values: readonly SqlValue[], statement: string) =>
        store
          .write((session) => session.run(statement, values))
          .then(
            () => expect.fail(`${JSON.stringify(text)} was taken`),
            (error: unknown) => expect(error, String(error)).to.be.instanceOf(UnstorableText),
          );
      await put([text], 'INSERT INTO cups (name, count) VALUES (?, 1)');
      await put([['a', text]], 'DELETE FROM cups WHERE name IN_TEXTS(?)');
    }
    await store.write((session) =>
      session.run('INSERT INTO cups (name, count) VALUES (?, 1)', ['\u{1f375} tea']),
    );
    expect(await cups()).to.deep.equal(['\u{1f375} tea']);
  });

  it('of two that want the same name one gets it, and the other hears of it', async () => {
    const add = () =>
      store.write((session) => session.run("INSERT INTO cups (name, count) VALUES ('tea', 1)"));
    const results = await Promise.allSettled([add(), add()]);
    const failed = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(failed).to.have.length(1);
    expect(failed[0]).to.be.instanceOf(StoreConflict);
    expect(await cups()).to.deep.equal(['tea']);
  });

  it('statements that are given at once run in their order, from the first one on', async () => {
    const counts = await store.write(async (session) => {
      const count = () =>
        session.get<{ count: number }>('SELECT COUNT(*) AS count FROM cups').then((row) => row!.count);
      const add = (name: string) => session.run('INSERT INTO cups (name, count) VALUES (?, 0)', [name]);
      const [none, , one, , two] = await Promise.all([count(), add('a'), count(), add('b'), count()]);
      const [, three] = await Promise.all([add('c'), count()]);
      return [none, one, two, three];
    });
    expect(counts).to.deep.equal([0, 1, 2, 3]);
  });

  it('a statement that fails takes back those that were given with it', async () => {
    const failure = await store
      .write((session) =>
        Promise.all([
          session.run("INSERT INTO cups (name, count) VALUES ('a', 0)"),
          session.run("INSERT INTO nowhere (name) VALUES ('b')"),
          session.run("INSERT INTO cups (name, count) VALUES ('c', 0)"),
        ]),
      )
      .catch((error: Error) => error);
    expect((failure as Error).message).to.match(/nowhere/);
    expect(await cups()).to.deep.equal([]);
    await store.write((session) => session.run("INSERT INTO cups (name, count) VALUES ('later', 0)"));
    expect(await cups()).to.deep.equal(['later']);
  });
});
