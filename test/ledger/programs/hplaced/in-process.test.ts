import { expect } from 'chai';
import { PODS } from '../../../../src/ledger/binding/schema/migrations.ts';
import { migrate } from '../../../../src/ledger/store/migrations.ts';
import { type Store, StoreConflict } from '../../../../src/ledger/store/store.ts';
import { addProvider, claimFor, freshLedger, START, uuidOf } from '../../claims/ledgers.ts';
import { describeOnEachStore } from '../../store/each-store.ts';
import { writing } from '../../store/writing.ts';
import { serviceOn } from './in-process.ts';

/** A store in which somebody changes all providers just before each change. */
const disturbed = (store: Store, statement: string): Store =>
  writing(store, async (work, isKept) => {
    await store.write((session) => session.run(statement));
    return store.write(work, isKept);
  });

describeOnEachStore('a name that others are in the way of', (freshUrl) => {
  it('is neither said to be there nor made', async () => {
    const ledger = await freshLedger(await freshUrl());
    await migrate(ledger.store, PODS, START);
    const store = writing(ledger.store, async () => {
      throw new StoreConflict('somebody came first');
    });
    const service = serviceOn({ ...ledger, store });
    const requests = [
      ['POST', '/resource_classes', { name: 'CUSTOM_A' }],
      ['PUT', '/resource_classes/CUSTOM_A', undefined],
      ['PUT', '/traits/CUSTOM_A', undefined],
      ['POST', '/resource_providers', { name: 'p1' }],
    ] as const;
    for (const [method, path, name] of requests) {
      const { status, body } = await service.call(method, path, name);
      expect([status, body?.errors[0].code], path).to.deep.equal([409, 'placement.concurrent_update']);
    }
    await service.close();
  });
});

describeOnEachStore('a ledger that stands still', (freshUrl) => {
  it('is told to whoever watches the service', async () => {
    const ledger = await freshLedger(await freshUrl());
    const store: Store = { ...ledger.store, read: () => new Promise(() => {}) };
    const service = serviceOn({ ...ledger, store });
    const { status, body } = await service.call('GET', '/healthz');
    expect([status, body.errors[0].detail]).to.deep.equal([503, 'The ledger does not answer.']);
    await ledger.store.close();
  });
});

describeOnEachStore('a class that vanishes before it is renamed', (freshUrl) => {
  it('is not said to have the new name', async () => {
    const ledger = await freshLedger(await freshUrl());
    await migrate(ledger.store, PODS, START);
    await serviceOn(ledger).call('PUT', '/resource_classes/CUSTOM_A');
    const service = serviceOn({ ...ledger, store: disturbed(ledger.store, 'DELETE FROM resource_classes') });
    const { status, body } = await service.call(
      'PUT',
      '/resource_classes/CUSTOM_A',
      { name: 'CUSTOM_B' },
      '1.6',
    );
    expect([status, body.errors?.[0].detail]).to.deep.equal([404, 'No such resource class CUSTOM_A.']);
    await service.close();
  });
});

describeOnEachStore('a provider that vanishes while it is changed', (freshUrl) => {
  it('has no traits left to take, and its inventories were changed by another', async () => {
    const ledger = await freshLedger(await freshUrl());
    await migrate(ledger.store, PODS, START);
    const service = serviceOn({
      ...ledger,
      store: disturbed(ledger.store, 'DELETE FROM resource_providers'),
    });
    const first = await addProvider(ledger, 1, {});
    expect((await service.call('DELETE', `/resource_providers/${first}/traits`)).status).to.equal(204);
    const second = await addProvider(ledger, 2, {});
    const { status, body } = await service.call('PUT', `/resource_providers/${second}/inventories`, {
      inventories: { VCPU: { total: 4 } },
      resource_provider_generation: 0,
    });
    const [{ code, detail }] = body.errors;
    expect([status, code]).to.deep.equal([409, 'placement.concurrent_update']);
    expect(detail).to.match(
      /^update conflict: Another thread concurrently updated the resource provider data/,
    );
    await service.close();
  });

  it('is not said to lack a class or a trait', async () => {
    const ledger = await freshLedger(await freshUrl());
    await migrate(ledger.store, PODS, START);
    const tables = ['provider_traits', 'inventories', 'resource_providers'];
    const store = writing(ledger.store, async (work, isKept) => {
      await ledger.store.write(async (session) => {
        for (const table of tables) await session.run(`DELETE FROM ${table}`);
      });
      return ledger.store.write(work, isKept);
    });
    const service = serviceOn({ ...ledger, store });
    const requests = [
      ['POST', 'inventories', { resource_class: 'DISK_GB', total: 4 }, /concurrently updated/],
      ['PUT', 'traits', { traits: ['HW_CPU_X86_AVX'], resource_provider_generation: 1 }, /already changed/],
      ['DELETE', 'inventories', undefined, /No resource provider/],
      ['DELETE', 'inventories/VCPU', undefined, /No resource provider/],
    ] as const;
    for (const [i, [method, path, sent, why]] of requests.entries()) {
      const provider = await addProvider(ledger, i + 1, { VCPU: { total: 4 } });
      const { status, body } = await service.call(method, `/resource_providers/${provider}/${path}`, sent);
      expect(status, path).to.equal(method === 'DELETE' ? 404 : 409);
      expect(body.errors[0].detail).to.match(why);
    }
    await service.close();
  });
});

describeOnEachStore('a provider that moves on while it is reshaped', (freshUrl) => {
  it('keeps what it has, though it was to have nothing', async () => {
    const ledger = await freshLedger(await freshUrl());
    await migrate(ledger.store, PODS, START);
    const raising = 'UPDATE resource_providers SET generation = generation + 1';
    const service = serviceOn({ ...ledger, store: disturbed(ledger.store, raising) });
    const provider = await addProvider(ledger, 1, { VCPU: { total: 4 } });
    const shape = { inventories: {}, resource_provider_generation: 1 };
    const body = { inventories: { [provider]: shape }, allocations: {} };
    const { status, body: answer } = await service.call('POST', '/reshaper', body);
    expect([status, answer.errors[0].code]).to.deep.equal([409, 'placement.concurrent_update']);
    const left = await service.call('GET', `/resource_providers/${provider}/inventories`);
    expect(Object.keys(left.body.inventories)).to.deep.equal(['VCPU']);
    await service.close();
  });
});

describeOnEachStore('a provider that moves on while it is changed', (freshUrl) => {
  it('is told so in the words of Placement', async () => {
    const ledger = await freshLedger(await freshUrl());
    await migrate(ledger.store, PODS, START);
    const raising = 'UPDATE resource_providers SET generation = generation + 1';
    const service = serviceOn({ ...ledger, store: disturbed(ledger.store, raising) });
    const provider = await addProvider(ledger, 1, { VCPU: { total: 4 } });
    const another =
      'pdate conflict: Another thread concurrently updated the resource provider data. Please retry your update';
    const requests = [
      ['PUT', 'inventories', { inventories: {} }, `u${another}`],
      ['POST', 'inventories', { resource_class: 'DISK_GB', total: 4 }, `U${another}`],
      ['PUT', 'inventories/VCPU', { total: 4 }, `u${another}`],
      [
        'PUT',
        'traits',
        { traits: [] },
        "Resource provider's generation already changed. Please update the generation and try again.",
      ],
      ['PUT', 'aggregates', { aggregates: [] }, `U${another}`],
    ] as const;
    for (const [i, [method, path, sent, why]] of requests.entries()) {
      const body = { ...sent, resource_provider_generation: 1 + i };
      const answer = await service.call(method, `/resource_providers/${provider}/${path}`, body);
      const [{ code, detail }] = answer.body.errors;
      expect([code, detail], path).to.deep.equal(['placement.concurrent_update', why]);
    }
    await service.close();
  });
});

describeOnEachStore('a provider that moves on as soon as it was changed', (freshUrl) => {
  it('is answered as the change has left it', async () => {
    const ledger = await freshLedger(await freshUrl());
    await migrate(ledger.store, PODS, START);
    const store = writing(ledger.store, async (work, isKept) => {
      const result = await ledger.store.write(work, isKept);
      await ledger.store.write((session) =>
        session.script(
          `UPDATE resource_providers SET generation = generation + 10, name = 'another';
           UPDATE consumers SET generation = generation + 10; UPDATE inventories SET total = 99; DELETE FROM provider_traits`,
        ),
      );
      return result;
    });
    const service = serviceOn({ ...ledger, store });
    const named = await service.call('POST', '/resource_providers', { name: 'p1' });
    expect(named.body).to.deep.include({ name: 'p1', generation: 0 });
    const path = `/resource_providers/${named.body.uuid}`;
    const renamed = await service.call('PUT', path, { name: 'p2' });
    expect(renamed.body).to.deep.include({ name: 'p2', generation: 10 });
    const vcpu = { resource_class: 'VCPU', total: 4 };
    const traits = ['HW_CPU_X86_AVX'];
    const requests = [
      ['PUT', 'inventories', { inventories: { MEMORY_MB: { total: 4 } } }],
      ['POST', 'inventories', vcpu],
      ['PUT', 'inventories/VCPU', { total: 4 }],
      ['PUT', 'traits', { traits }],
      ['PUT', 'aggregates', { aggregates: [named.body.uuid] }],
    ] as const;
    const answers = [];
    for (const [i, [method, what, sent]] of requests.entries()) {
      const seen = { resource_provider_generation: 20 + 11 * i };
      answers.push((await service.call(method, `${path}/${what}`, { ...sent, ...seen })).body);
    }
    expect(answers.map((answer) => answer.resource_provider_generation)).to.deep.equal([21, 32, 43, 54, 65]);
    expect([answers[0].inventories.MEMORY_MB.total, answers[1].total, answers[2].total]).to.deep.equal([
      4, 4, 4,
    ]);
    expect(answers[3].traits).to.deep.equal(traits);
    const consumer = uuidOf(1);
    await claimFor(ledger, consumer, { [named.body.uuid]: { VCPU: 1 } });
    const confirmed = await service.call('POST', `/allocations/${consumer}/confirm`);
    expect(confirmed.body.consumer_generation).to.equal(2);
    await service.close();
  });
});

describeOnEachStore('a consumer of any name', (freshUrl) => {
  it('is among those of its provider', async () => {
    const ledger = await freshLedger(await freshUrl());
    await migrate(ledger.store, PODS, START);
    const service = serviceOn(ledger);
    const provider = await addProvider(ledger, 1, { VCPU: { total: 4 } });
    await claimFor(ledger, '__proto__', { [provider]: { VCPU: 1 } });
    const { body } = await service.call('GET', `/resource_providers/${provider}/allocations`);
    expect(Object.keys(body.allocations)).to.deep.equal(['__proto__']);
    await service.close();
  });
});
