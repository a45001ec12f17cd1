import { expect } from 'chai';
import { Random } from '../../../bench/generate/random.ts';
import { fillBook, step, type Told } from '../../../bench/ledger/binding/history-step.ts';
import { judge } from '../../../bench/ledger/binding/replay.ts';
import { bookOn } from '../../../src/ledger/binding/book/book.ts';
import { runsOf } from '../../builders/seeds.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { freshBook, type TestBook } from './books.ts';

const SEED = Number(process.env.PROPERTY_SEED ?? 1);

/** What came of a history, but for the numbers of rows, which a refused try may use up. */
type Answers = readonly string[];

describeOnEachStore('random histories of pods', (freshUrl, share) => {
  const requests = runsOf(120 * share);
  const open: TestBook[] = [];
  afterEach(async () => {
    for (const book of open.splice(0)) await book.store.close();
  });

  /** @param askers books on the same database that take turns, or ask at once */
  async function play(askers: number, isAtOnce: boolean): Promise<Answers> {
    const book = await freshBook(await freshUrl());
    open.push(book);
    await fillBook(book);
    const books = Array.from({ length: askers }, () => bookOn(book.store, book.now));
    const randoms = books.map((_, at) => new Random(SEED, `asker ${at}`));
    const told: Told[] = [];
    const one = async (at: number): Promise<void> => {
      const answer = await step(books[at]!, randoms[at]!, `asker ${at}`);
      if (answer) told.push(answer);
    };
    while (told.length < requests) {
      book.clock.ms += 1000;
      if (isAtOnce) await Promise.all(books.map((_, at) => one(at)));
      else for (const at of books.keys()) await one(at);
    }
    const { troubles } = await judge(book, told);
    expect(troubles).to.deep.equal([]);
    expect(new Set(told.map(({ kind }) => kind)).size).to.equal(3);
    return told.map(({ tenant, kind, pod, generation }) => `${tenant} ${kind} ${pod} ${generation}`);
  }

  it('keep the rules when several ask and change at once', async () => {
    await play(3, true);
  });

  it('give the same choices to the same input', async () => {
    expect(await play(2, false)).to.deep.equal(await play(2, false));
  });
});
