import { expect } from 'chai';
import { CommitGroup, type Transaction } from '../../../src/ledger/store/group-commit.ts';
import type { Session } from '../../../src/ledger/store/store.ts';

/** Notes the statements; `failing` ones throw, and end the transaction when `losing`. */
function fakeTransaction(failing = '', losing = false) {
  const said: string[] = [];
  let isOpen = false;
  const say = (statement: string): void => {
    said.push(statement);
    if (statement === failing) {
      if (losing) isOpen = false;
      throw new Error(`${statement} failed`);
    }
    if (statement === 'COMMIT' || statement === 'ROLLBACK') isOpen = false;
  };
  const transaction: Transaction = {
    begin: async () => {
      say('BEGIN');
      isOpen = true;
    },
    run: say,
    commit: () => say('COMMIT'),
    isOpen: () => isOpen,
    session: {
      run: async (statement: string) => {
        say(statement);
        return 1;
      },
    } as unknown as Session,
  };
  return { said, group: new CommitGroup(transaction) };
}

const asks = (statement: string) => (session: Session) => session.run(statement);
const fates = async (results: readonly Promise<unknown>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(results)).map((one) =>
    one.status === 'fulfilled' ? 'done' : (one.reason as Error).message,
  );

describe('a group of changes', () => {
  it('of one has a transaction without savepoints', async () => {
    const { said, group } = fakeTransaction();
    const result = group.add(asks('a'), () => true);
    await group.commit();
    expect(await result).to.equal(1);
    expect(said).to.deep.equal(['BEGIN', 'a', 'COMMIT']);
  });

  it('shares one commit, and each change is kept or taken back for itself', async () => {
    const { said, group } = fakeTransaction('c');
    const results = [
      group.add(asks('a'), () => true),
      group.add(asks('b'), () => false),
      group.add(asks('c'), () => true),
      group.add(asks('d'), () => true),
    ];
    await group.commit();
    expect(await fates(results)).to.deep.equal(['done', 'done', 'c failed', 'done']);
    const taken = ['ROLLBACK TO one', 'RELEASE one'];
    expect(said).to.deep.equal(
      [['BEGIN'], ['SAVEPOINT one', 'a', 'RELEASE one'], ['SAVEPOINT one', 'b', ...taken]]
        .concat([['SAVEPOINT one', 'c', ...taken], ['SAVEPOINT one', 'd', 'RELEASE one'], ['COMMIT']])
        .flat(),
    );
  });

  it('writes nothing when nothing is kept', async () => {
    const { said, group } = fakeTransaction();
    const result = group.add(asks('a'), () => false);
    await group.commit();
    await result;
    expect(said).to.deep.equal(['BEGIN', 'a', 'ROLLBACK']);
  });

  it('tells everybody when the commit fails, those that were refused, too', async () => {
    const { said, group } = fakeTransaction('COMMIT');
    const results = [group.add(asks('a'), () => true), group.add(asks('b'), () => false)];
    await group.commit();
    expect(await fates(results)).to.deep.equal(['COMMIT failed', 'COMMIT failed']);
    expect(said.at(-1)).to.equal('ROLLBACK');
  });

  it('tells everybody when the disk does not take what was committed', async () => {
    const { said, group } = fakeTransaction('COMMIT', true);
    const results = [group.add(asks('a'), () => true), group.add(asks('b'), () => false)];
    await group.commit();
    expect(await fates(results)).to.deep.equal(['COMMIT failed', 'COMMIT failed']);
    expect(said.at(-1)).to.equal('COMMIT');
  });

  it('tells everybody when the transaction is lost on the way', async () => {
    const { group } = fakeTransaction('b', true);
    const results = ['a', 'b', 'c'].map((name) => group.add(asks(name), () => true));
    await group.commit();
    expect(await fates(results)).to.deep.equal(['b failed', 'b failed', 'b failed']);
  });

  it('tells everybody when there is no turn to be had', async () => {
    const { said, group } = fakeTransaction('BEGIN');
    const results = ['a', 'b'].map((name) => group.add(asks(name), () => true));
    await group.commit();
    expect(await fates(results)).to.deep.equal(['BEGIN failed', 'BEGIN failed']);
    expect(said).to.deep.equal(['BEGIN']);
  });
});
