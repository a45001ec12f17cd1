import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { Fault } from '../../../src/kit/faults.ts';
import { postgresFault } from '../../../src/ledger/store/postgres-faults.ts';
import { PostgresStore } from '../../../src/ledger/store/postgres-store.ts';
import { OutcomeUnknown, StoreConflict } from '../../../src/ledger/store/store.ts';
import { fakePostgres, says } from './fake-postgres.ts';

const errorOf = (work: Promise<unknown>): Promise<Fault> =>
  work.then(
    () => expect.fail('there was no error'),
    (error) => error,
  );

/** A transaction may begin as READ COMMITTED. */
const isSaid = (word: string, said: string): boolean => new RegExp(`\\b${word}\\b`).test(said);

/** A server that does all it is told, but for what `serve` does in its place. */
async function withStore(
  serve: (said: string, client: Socket, number: number) => boolean,
  work: (store: PostgresStore) => Promise<void>,
): Promise<void> {
  const { url, close } = await fakePostgres((said, client, number) => {
    if (serve(said, client, number)) return;
    if (said.includes('user\0')) client.write(says.welcome);
    for (const command of ['BEGIN', 'COMMIT', 'ROLLBACK'] as const)
      if (isSaid(command, said)) client.write(says.done(command));
  });
  const store = new PostgresStore(url);
  try {
    await work(store);
  } finally {
    close();
    await store.close();
  }
}

describe('a PostgreSQL server or network that breaks', () => {
  it('tells who asked, where the server lets him in and stops, all at once', () =>
    withStore(
      (_said, client) => client.end(Buffer.concat([says.welcome, says.farewell('57P01')])) !== undefined,
      async (store) => {
        const fault = await errorOf(store.read(async () => {}));
        expect(fault.message).to.match(/^postgres:.*: no connection \(/);
        expect(fault.remedy).to.match(/server runs/);
      },
    ));

  it('leaves open whether a change was made where the server ends at COMMIT, whatever it dies of', async () => {
    for (const code of ['57P01', '53100', 'XX000'])
      await withStore(
        (said, client) => isSaid('COMMIT', said) && client.end(says.farewell(code)) !== undefined,
        async (store) => {
          expect(await errorOf(store.write(async () => {})), code).to.be.instanceOf(OutcomeUnknown);
        },
      );
  });

  it('leaves nothing open where the server lives on, or was never told to commit', async () => {
    await withStore(
      (said, client) => isSaid('COMMIT', said) && client.write(says.failed('40001')) !== undefined,
      async (store) => {
        expect(await errorOf(store.write(async () => {}))).to.be.instanceOf(StoreConflict);
      },
    );
    let gone: Promise<unknown> | undefined;
    await withStore(
      (said, client) => {
        if (!said.includes('BEGIN')) return false;
        gone = once(client.end(Buffer.concat([says.done('BEGIN'), says.farewell('57P01')])), 'close');
        return true;
      },
      async (store) => {
        const fault = await errorOf(
          store.write(async () => {
            while (gone === undefined) await new Promise(setImmediate);
            await gone;
          }),
        );
        expect(fault).not.to.be.instanceOf(OutcomeUnknown);
        expect(fault.message).to.match(/no connection/);
      },
    );
  });

  it('uses no connection again on which statements are kept that are of no use any more', async () => {
    for (const code of ['26000', '0A000']) {
      const asked: number[] = [];
      await withStore(
        (said, client, number) => {
          if (!said.includes('SELECT')) return false;
          asked.push(number);
          if (said.includes('BEGIN')) client.write(says.done('BEGIN'));
          client.write(says.failed(code));
          return true;
        },
        async (store) => {
          for (let turn = 0; turn < 2; turn++)
            await errorOf(store.read((session) => session.all('SELECT 1')));
        },
      );
      expect(asked, code).to.deep.equal([1, 2]);
    }
  });

  it('is told in words, with what to do', () => {
    const cases: readonly (readonly [code: string, RegExp])[] = [
      ['EAI_AGAIN', /server runs/],
      ['42P01', /search_path/],
      ['42703', /search_path/],
      ['26000', /PgBouncer/],
      ['42P05', /PgBouncer/],
      ['0A000', /try again/],
    ];
    for (const [code, remedy] of cases) {
      const fault = postgresFault(Object.assign(new Error('its words'), { code }), 'ledger') as Fault;
      expect(fault.message, code).to.match(/^ledger: .*its words/);
      expect(fault.remedy).to.match(remedy);
    }
  });
});

describe('a PostgreSQL server that says nothing', () => {
  const plain = globalThis.setInterval;
  let looks: (() => Promise<void>)[];
  beforeEach(() => {
    looks = [];
    globalThis.setInterval = ((look: () => Promise<void>) => looks.push(look)) as never;
  });
  afterEach(() => {
    globalThis.setInterval = plain;
  });

  /** A change to which the server says nothing from this word on, and others only this. */
  async function whileSilent(
    word: string,
    others: Buffer,
    work: (writing: Promise<void>, client: Socket) => Promise<void>,
  ): Promise<void> {
    let heard: (client: Socket) => void;
    const silent = new Promise<Socket>((resolve) => {
      heard = resolve;
    });
    await withStore(
      (said, client, number) => {
        if (number > 1) client.end(others);
        if (isSaid(word, said)) heard(client);
        return number > 1 || isSaid(word, said);
      },
      async (store) => {
        const writing = store.write(async () => {});
        await work(writing, await silent);
      },
    );
  }

  it('is given up where it answers nobody else either', async () => {
    const expectEnd = (word: string, isUnknown: boolean) =>
      whileSilent(word, Buffer.alloc(0), async (writing) => {
        for (let turn = 0; turn < 4; turn++) await looks.at(-1)!();
        const fault = await errorOf(writing);
        expect(fault instanceof OutcomeUnknown, word).to.equal(isUnknown);
        if (!isUnknown) expect(fault.message).to.match(/no connection \(the server says nothing any more\)$/);
      });
    await expectEnd('BEGIN', false);
    await expectEnd('COMMIT', true);
  });

  it('is waited for as long as it answers others, if only that it does not let them in', async () => {
    for (const answer of [says.welcome, says.farewell('53300'), says.farewell('57P03')])
      await whileSilent('COMMIT', answer, async (writing, client) => {
        for (let turn = 0; turn < 5; turn++) await looks.at(-1)!();
        client.write(says.done('COMMIT'));
        await writing;
      });
  });
});
