import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { audit, isWarning } from '../../../src/ledger/claims/audit/audit.ts';
import { change, type Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { enterImage } from '../../../src/ledger/claims/cluster/enter-image.ts';
import type { LedgerImage } from '../../../src/ledger/claims/cluster/image.ts';
import { readImage } from '../../../src/ledger/claims/cluster/read-image.ts';
import { Client } from '../../../src/ledger/moving/client.ts';
import { openDatabase } from '../../../src/ledger/moving/database.ts';
import { Draft } from '../../../src/ledger/moving/draft.ts';
import { placementDifferences, readPlacement } from '../../../src/ledger/moving/placement.ts';
import { writeDatabase } from '../../../src/ledger/moving/write-database.ts';
import { newFolder } from '../../builders/folder.ts';
import { forSeedsAsync, halved } from '../../builders/seeds.ts';
import { AUTHOR, addProvider, claimFor, freshLedger, START, uuidOf } from '../claims/ledgers.ts';
import { type InProcess, serviceOn } from '../programs/hplaced/in-process.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { execute, makePlacementTables } from './placement-tables.ts';
import { someImage } from './some-image.ts';

const enter = (ledger: Ledger, image: LedgerImage, mode: 'fresh' | 'replace' = 'fresh') =>
  change(ledger, AUTHOR, (session, context) => enterImage(session, context, image, mode));
const read = (url: string, draft?: Draft) =>
  readPlacement({ url, credentials: undefined, says: () => {} }, draft);
const faultOf = (work: Promise<unknown>): Promise<Error & { remedy?: string; problems?: object[] }> =>
  work.then(
    () => expect.fail('no fault'),
    (error) => error,
  );
const faultsIn = async (ledger: Ledger) =>
  (await ledger.store.read(audit)).filter((finding) => !isWarning(finding));

describeOnEachStore('what moves between ledgers and Placement', (freshUrl, share) => {
  it('is entered with its generations, and leaves a clean ledger that goes on', () =>
    forSeedsAsync(share * halved(8), async (seed) => {
      const image = someImage(seed);
      const ledger = await freshLedger(await freshUrl());
      expect((await enter(ledger, image)).kind).to.equal('done');
      expect(placementDifferences(await ledger.store.read(readImage), image)).to.deep.equal([]);
      expect(await faultsIn(ledger)).to.deep.equal([]);
      const uuid = await addProvider(ledger, 77, { VCPU: { total: 4 } });
      expect(
        (await claimFor(ledger, [...image.consumers.keys()][0] ?? 'new', { [uuid]: { VCPU: 1 } })).kind,
      ).to.equal('done');
      expect(await faultsIn(ledger)).to.deep.equal([]);
      // Again over what is there now.
      expect((await enter(ledger, image)).kind).to.equal('refused');
      expect((await enter(ledger, image, 'replace')).kind).to.equal('done');
      expect(placementDifferences(await ledger.store.read(readImage), image)).to.deep.equal([]);
      expect(await faultsIn(ledger)).to.deep.equal([]);
      await ledger.store.close();
    }));

  it('is the same after the way through the database of a Placement', () =>
    forSeedsAsync(share * halved(8), async (seed) => {
      const image = someImage(seed);
      const url = await freshUrl();
      await makePlacementTables(url);
      const database = await openDatabase(url);
      await writeDatabase(database, image, START);
      await database.close();
      const back = await read(url);
      expect(placementDifferences(image, back)).to.deep.equal([]);
      expect([...back.providers.keys()]).to.have.members([...image.providers.keys()]);
    }));

  it('is found in a database of old tables, too, which know no kinds of consumers', async () => {
    const url = await freshUrl();
    await makePlacementTables(url);
    const database = await openDatabase(url);
    const image = someImage(3);
    await writeDatabase(database, image, START);
    await database.close();
    await execute(
      url,
      `ALTER TABLE consumers DROP COLUMN consumer_type_id; DROP TABLE consumer_types;
       UPDATE alembic_version SET version_num = 'b5c396305c25'`,
    );
    const types = [...(await read(url)).consumers.values()].map(({ type }) => type);
    expect(types).to.not.be.empty;
    expect(new Set(types)).to.deep.equal(new Set([null]));
    const fault = await faultOf(openDatabase(url).then((old) => writeDatabase(old, image, START)));
    expect(fault.message).to.contain('b5c396305c25');
    await execute(url, "UPDATE alembic_version SET version_num = 'abc'");
    expect((await faultOf(read(url))).message).to.contain('abc');
  });

  it('goes into an empty database that Placement has used, and into no other', async () => {
    const url = await freshUrl();
    await makePlacementTables(url);
    const write = async (image: LedgerImage) => {
      const database = await openDatabase(url);
      try {
        await writeDatabase(database, image, START);
      } finally {
        await database.close();
      }
    };
    const image = someImage(3);
    const named = new Map([['vm1', { ...[...image.consumers.values()][0]!, consumer: 'vm1' }]]);
    expect((await faultOf(write({ ...image, consumers: named }))).message).to.contain("such as 'vm1'");
    await execute(url, 'DELETE FROM resource_classes');
    expect((await faultOf(write(image))).message).to.contain('no Placement has used it yet');
    await execute(url, "INSERT INTO resource_classes (id, name) VALUES (0, 'VCPU'), (1, 'MEMORY_MB')");
    await write(image);
    const before = await read(url);
    expect((await faultOf(write(image))).message).to.match(/not empty: it has \d+ resource providers/);
    expect(placementDifferences(before, await read(url))).to.deep.equal([]);
  });

  it('is not looked for in a database of something else', async () => {
    const url = await freshUrl();
    await (await freshLedger(url)).store.close();
    const { message, remedy } = await faultOf(read(url));
    expect(message).to.contain('this is no database of Placement');
    expect(remedy).to.contain('placement.conf');
  });

  it('says all that a ledger cannot hold', async () => {
    const url = await freshUrl();
    await makePlacementTables(url);
    await execute(
      url,
      `INSERT INTO resource_providers (id, uuid, name, generation) VALUES (1, '${uuidOf(1)}', 'host', 1);
       INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size,
         allocation_ratio) VALUES (1, 0, 4, 5, 1, 4, 1, 0.1);
       INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used) VALUES (1, '${uuidOf(2)}', 1, 1)`,
    );
    const { problems } = await faultOf(read(url));
    expect(problems).to.deep.include.members([
      {
        field: 'inventory VCPU of host, reserved 5',
        problem: 'must not be above the total (4)',
        remedy: 'set this inventory anew in Placement',
      },
      {
        field: `allocation of MEMORY_MB to ${uuidOf(2)}`,
        problem: `is of an inventory that provider ${uuidOf(1)} does not have`,
        remedy: undefined,
      },
      {
        field: `allocation of MEMORY_MB to ${uuidOf(2)}`,
        problem: 'has no row for its consumer',
        remedy: 'let Placement make what is missing: placement-manage db online_data_migrations',
      },
    ]);
    expect(problems).to.have.length(3);
  });

  it('has one spelling for each UUID, whichever Placement was given', async () => {
    const url = await freshUrl();
    await makePlacementTables(url);
    const spelt = (number: number): string => uuidOf(number).replace(/^0/, 'A');
    const kept = (number: number): string => spelt(number).toLowerCase();
    await execute(
      url,
      `INSERT INTO resource_providers (id, uuid, name, generation) VALUES (1, '${spelt(1)}', 'host', 1);
       INSERT INTO resource_providers (id, uuid, name, generation, parent_provider_id) VALUES (2, '${kept(2)}', 'numa', 1, 1);
       INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size,
         allocation_ratio) VALUES (1, 0, 4, 0, 1, 4, 1, 1.0);
       INSERT INTO placement_aggregates (id, uuid) VALUES (1, '${kept(3)}'), (2, '${spelt(3).replaceAll('-', '')}');
       INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id) VALUES (1, 1), (1, 2);
       INSERT INTO projects (id, external_id) VALUES (1, 'p');
       INSERT INTO users (id, external_id) VALUES (1, 'u');
       INSERT INTO consumers (uuid, project_id, user_id, generation) VALUES ('${spelt(4)}', 1, 1, 1);
       INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used) VALUES (1, '${spelt(4)}', 0, 2)`,
    );
    const image = await read(url);
    expect([...image.providers.keys()]).to.deep.equal([kept(1), kept(2)]);
    expect(image.providers.get(kept(2))!.parent).to.equal(kept(1));
    expect(image.providers.get(kept(1))!.aggregates).to.deep.equal([{ uuid: kept(3), name: null }]);
    expect(image.consumers.get(kept(4))!.allocations).to.deep.equal(
      new Map([[kept(1), new Map([['VCPU', 2]])]]),
    );
    const ledger = await freshLedger(await freshUrl());
    expect((await enter(ledger, image)).kind).to.equal('done');
    await ledger.store.close();
    // Two there would be one here, with what both have.
    await execute(
      url,
      `INSERT INTO consumers (uuid, project_id, user_id, generation) VALUES ('${kept(4)}', 1, 1, 1)`,
    );
    expect((await faultOf(read(url))).problems).to.deep.equal([
      { field: `consumer ${kept(4)}`, problem: 'is there twice, in different spellings', remedy: undefined },
    ]);
  });

  it('leaves no provider out whose parents go round in a circle', async () => {
    const url = await freshUrl();
    await makePlacementTables(url);
    await execute(
      url,
      `INSERT INTO resource_providers (id, uuid, name, generation) VALUES (1, '${uuidOf(1)}', 'a', 1), (2, '${uuidOf(2)}', 'b', 1);
       UPDATE resource_providers SET parent_provider_id = 3 - id`,
    );
    const { problems } = await faultOf(read(url));
    const problem = 'stands below itself, or below one that does';
    expect(problems).to.deep.equal(
      [1, 2].map((number) => ({ field: `provider ${uuidOf(number)}`, problem, remedy: undefined })),
    );
  });
});

describe('the database of a Placement', () => {
  it('says which file of certificates is missing', async () => {
    const database = await openDatabase('mysql://placement@127.0.0.1/placement?ssl_ca=/missing/ca.pem');
    const { message } = await faultOf(database.read(async () => undefined));
    expect(message).to.contain('cannot read /missing/ca.pem: does not exist');
  });
});

describe('what is read from a Placement over HTTP', () => {
  const folder = newFolder();
  let ledger: Ledger;
  let service: InProcess;
  let url: string;
  /** Stands before the service: what it answers itself goes no further. */
  let door: Server;
  let asked: string[];
  let instead: (path: string) => { status: number; body?: object } | undefined;

  const serve = async (image: LedgerImage): Promise<void> => {
    ledger = await freshLedger(join(folder, `${Math.random()}.db`));
    await enter(ledger, image);
    service = serviceOn(ledger);
    const target = await service.listen();
    asked = [];
    instead = () => undefined;
    door = createServer(async (request, response) => {
      asked.push(request.url!);
      const own = instead(request.url!);
      if (own) return response.writeHead(own.status).end(JSON.stringify(own.body ?? {}));
      const answer = await fetch(target + request.url, {
        headers: {
          'x-auth-token': String(request.headers['x-auth-token']),
          'openstack-api-version': String(request.headers['openstack-api-version']),
        },
      });
      response.writeHead(answer.status).end(await answer.text());
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  };
  const stop = async (): Promise<void> => {
    door.closeAllConnections();
    door.close();
    await service.close();
  };

  it('is what it holds', () =>
    forSeedsAsync(halved(8), async (seed) => {
      const image = someImage(seed);
      await serve(image);
      expect(placementDifferences(image, await read(url))).to.deep.equal([]);
      await stop();
    }));

  describe('when something goes wrong', () => {
    const image = Array.from({ length: 50 }, (_, seed) => someImage(seed)).find(
      ({ providers, consumers }) => providers.size > 6 && consumers.size > 8,
    )!;
    beforeEach(() => serve(image));
    afterEach(stop);

    it('is taken up where a run was broken, and read anew where something changed', async () => {
      const what = `${url}\nledger`;
      let left = 30;
      instead = () => (left-- > 0 ? undefined : { status: 500 });
      const first = new Draft(what);
      expect((await faultOf(read(url, first))).message).to.contain('status 500');
      first.close(false);
      const wasted = new Set(
        asked.filter((path) => path.includes('traits') || path.startsWith('/allocations/')),
      );
      expect(wasted).to.not.be.empty;
      // Meanwhile one provider got a trait, and with it a generation.
      const moved = [...image.providers.values()][0]!;
      const { generation } = (await service.call('GET', `/resource_providers/${moved.uuid}`)).body;
      await service.call('PUT', `/resource_providers/${moved.uuid}/traits`, {
        traits: ['COMPUTE_NODE'],
        resource_provider_generation: generation,
      });
      asked = [];
      instead = () => undefined;
      const second = new Draft(what);
      expect(second.size).to.be.greaterThan(3);
      const found = await read(url, second);
      expect(placementDifferences(await ledger.store.read(readImage), found)).to.deep.equal([]);
      const again = asked.filter((path) => wasted.has(path) && !path.includes(moved.uuid));
      expect(again.length).to.be.lessThan(wasted.size / 2);
      second.close(true);
      expect(new Draft(what).size).to.equal(0);
    });

    it('is read anew where a consumer was removed and made anew with the same generation', async () => {
      const what = `${url}\nanew`;
      const first = new Draft(what);
      await read(url, first);
      first.close(false);
      await ledger.store.write((session) => session.run('UPDATE allocations SET used = used + 1'));
      const second = new Draft(what);
      const found = await read(url, second);
      expect(placementDifferences(await ledger.store.read(readImage), found)).to.deep.equal([]);
      second.close(true);
    });

    it('is read anew where an old client has given a provider other aggregates, which keeps the generation', async () => {
      const what = `${url}\nregrouped`;
      const first = new Draft(what);
      await read(url, first);
      first.close(false);
      const [provider] = image.providers.keys();
      const path = `/resource_providers/${provider}/aggregates`;
      expect((await service.call('PUT', path, [provider], '1.18')).status).to.equal(200);
      const second = new Draft(what);
      const found = await read(url, second);
      expect(placementDifferences(await ledger.store.read(readImage), found)).to.deep.equal([]);
      second.close(true);
    });

    it('is not written to any more once it is closed, when its number is that of another file', async () => {
      const draft = new Draft(`${url}\nlate`);
      const answer = { arrives: () => {} };
      const late = draft.once(
        '/late',
        1,
        () => new Promise<object>((done) => (answer.arrives = () => done({}))),
      );
      draft.close(false);
      const other = join(newFolder(), 'other');
      const descriptor = openSync(other, 'a');
      answer.arrives();
      await late;
      closeSync(descriptor);
      expect(readFileSync(other, 'utf8')).to.equal('');
    });

    it('is not left behind where nothing was read', () => {
      const draft = new Draft(`${url}\nnothing`);
      expect(existsSync(draft.file)).to.equal(true);
      draft.close(false);
      expect(existsSync(draft.file)).to.equal(false);
    });

    it('survives a line that was broken off, and does not believe it', async () => {
      const what = `${url}\ntorn`;
      const draft = new Draft(what);
      await read(url, draft);
      draft.close(false);
      const text = readFileSync(draft.file, 'utf8').trim();
      writeFileSync(draft.file, text.slice(0, -20));
      const taken = new Draft(what);
      expect(taken.size).to.equal(text.split('\n').length - 1);
      expect(placementDifferences(image, await read(url, taken))).to.deep.equal([]);
      taken.close(true);
    });

    it('is not taken when a provider changed meanwhile', async () => {
      const { uuid, name } = [...image.providers.values()].at(-1)!;
      instead = (path) => {
        if (path === `/resource_providers/${uuid}/allocations`)
          void change(ledger, AUTHOR, async (session) => ({
            kind: 'done',
            value: await session.run('UPDATE resource_providers SET generation = 600 WHERE uuid = ?', [uuid]),
          }));
        return undefined;
      };
      const { message, remedy } = await faultOf(read(url));
      expect(message).to.contain(`Placement changed while it was read: ${name}`);
      expect(remedy).to.contain('run this again');
    });

    it('is not taken when a consumer has something else than its providers gave', async () => {
      const [consumer] = [...image.consumers.values()];
      const [provider] = consumer!.allocations.keys();
      const forged = {
        allocations: { [provider!]: { generation: 1, resources: { VCPU: 4711 } } },
        consumer_generation: consumer!.generation,
        project_id: 'p',
        user_id: 'u',
      };
      instead = (path) =>
        path === `/allocations/${consumer!.consumer}` ? { status: 200, body: forged } : undefined;
      expect((await faultOf(read(url))).message).to.contain(`consumer ${consumer!.consumer}`);
    });

    it('waits for what passes, and logs in again when its token has ended', async () => {
      const statuses = [503, 401, 401];
      instead = (path) =>
        path === '/traits' && statuses.length > 0 ? { status: statuses.shift()! } : undefined;
      // A new token is no better.
      expect((await faultOf(read(url))).message).to.contain('status 401');
      statuses.push(503, 401, 429);
      expect(placementDifferences(image, await read(url))).to.deep.equal([]);
    });

    it('waits for a Keystone that is not there for a moment', async () => {
      let fails = 2;
      const client = new Client(url, async () => {
        if (fails-- > 0) throw new Error('no token from Keystone');
        return 'admin';
      });
      await client.greet();
      expect([client.hasTypes, fails]).to.deep.equal([true, -1]);
    });

    it('is refused of an older Placement, and of what is none', async () => {
      instead = (path) =>
        path === '/' ? { status: 200, body: { versions: [{ max_version: '1.35' }] } } : undefined;
      expect((await faultOf(read(url))).message).to.contain('speaks version 1.35');
      instead = () => ({ status: 200, body: { hello: 1 } });
      expect((await faultOf(read(url))).message).to.contain('answers, but not as Placement does');
    });

    it('has no kinds of consumers where Placement knows none', async () => {
      const versions: object = { versions: [{ max_version: '1.37' }] };
      instead = (path) => (path === '/' ? { status: 200, body: versions } : undefined);
      const found = await read(url);
      expect(new Set([...found.consumers.values()].map(({ type }) => type))).to.deep.equal(new Set([null]));
    });
  });
});
