import { expect } from 'chai';
import { addProvider, freshLedger, START } from '../../claims/ledgers.ts';
import { describeOnEachStore } from '../../store/each-store.ts';
import { serviceOn } from './in-process.ts';
import { RunningService } from './running.ts';

const CONSUMER = '22222222-2222-4222-8222-222222222222';
const OTHER = '33333333-3333-4333-8333-333333333333';
const HOUR = 3600;
const V41 = { 'openstack-api-version': 'placement 1.41' };

describe('hplaced with ends', () => {
  let service: RunningService;
  let node: string;

  before(async () => {
    service = await RunningService.start('--max-version', '1.41');
    node = await service.provider('node1', { VCPU: 8, MEMORY_MB: 100 });
  });
  after(() => service.end());
  afterEach(async () => {
    for (const consumer of [CONSUMER, OTHER]) await service.call('DELETE', `/allocations/${consumer}`);
  });

  const call = (method: string, path: string, body?: unknown) => service.call(method, path, body, V41);
  const body = (amounts: Record<string, number>, generation: number | null, lasts_seconds?: number) => ({
    allocations: { [node]: { resources: amounts } },
    consumer_generation: generation,
    project_id: 'shop',
    user_id: 'eve',
    consumer_type: 'INSTANCE',
    lasts_seconds,
  });
  const put = async (...of: Parameters<typeof body>) =>
    (await call('PUT', `/allocations/${CONSUMER}`, body(...of))).status;
  const shown = async () => (await call('GET', `/allocations/${CONSUMER}`)).body;
  /** `VCPU 2, MEMORY_MB 4`: what goes back, and whether in about so many seconds. */
  const endsIn = (seconds: number, { allocations }: Awaited<ReturnType<typeof shown>>): object => {
    const [end] = allocations[node].ends;
    expect(allocations[node].ends).to.have.length(1);
    expect(Date.parse(end.at) / 1000).to.be.closeTo(Date.now() / 1000 + seconds, 60);
    return end.resources;
  };

  it('takes an end, and answers what is stored', async () => {
    expect(await put({ VCPU: 2, MEMORY_MB: 4 }, null, HOUR)).to.equal(204);
    expect(endsIn(HOUR, await shown())).to.deep.equal({ MEMORY_MB: 4, VCPU: 2 });
    const { body: onNode } = await call('GET', `/resource_providers/${node}/allocations`);
    expect(onNode.allocations[CONSUMER].ends).to.deep.equal((await shown()).allocations[node].ends);
    // What it had for good stays so, and what is claimed without an end is for good, all of it.
    expect(await put({ VCPU: 2 }, 1)).to.equal(204);
    expect((await shown()).allocations[node].ends).to.deep.equal([]);
    expect(await put({ VCPU: 5 }, 2, HOUR)).to.equal(204);
    expect(endsIn(HOUR, await shown())).to.deep.equal({ VCPU: 3 });
  });

  it('takes an end for each of several consumers', async () => {
    const both = { [CONSUMER]: body({ VCPU: 1 }, null, HOUR), [OTHER]: body({ VCPU: 1 }, null) };
    expect((await call('POST', '/allocations', both)).status).to.equal(204);
    const { allocations } = (await call('GET', `/resource_providers/${node}/allocations`)).body;
    expect([allocations[CONSUMER].ends.length, allocations[OTHER].ends.length]).to.deep.equal([1, 0]);
  });

  it('gives back what nobody confirmed', async () => {
    expect(await put({ VCPU: 2 }, null)).to.equal(204);
    expect(await put({ VCPU: 8 }, 1, 1)).to.equal(204);
    while ((await shown()).allocations[node].resources.VCPU !== 2)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await shown()).allocations[node].ends).to.deep.equal([]);
  });

  it('confirms, and renews what has an end', async () => {
    const path = `/allocations/${CONSUMER}`;
    await put({ VCPU: 2 }, null, HOUR);
    const renewed = await call('POST', `${path}/renew`, { lasts_seconds: 2 * HOUR });
    expect([renewed.status, renewed.body.consumer_generation]).to.deep.equal([200, 2]);
    expect(endsIn(2 * HOUR, renewed.body)).to.deep.equal({ VCPU: 2 });
    const confirmed = await call('POST', `${path}/confirm`);
    expect([confirmed.status, confirmed.body]).to.deep.equal([200, await shown()]);
    expect(confirmed.body.allocations[node].ends).to.deep.equal([]);
    // For good: nothing to renew.
    const again = await call('POST', `${path}/renew`, { lasts_seconds: HOUR });
    expect(again.body.allocations[node].ends).to.deep.equal([]);
  });

  it('refuses as Placement words it', async () => {
    const refused = async (path: string, sent?: unknown, headers = V41) => {
      const { status, body: answer } = await service.call('POST', path, sent, headers);
      return `${status} ${answer.errors[0].detail.split('\n')[0]}`;
    };
    const path = `/allocations/${CONSUMER}`;
    const nothing = `404 No allocations for consumer '${CONSUMER}'`;
    expect(await refused(`${path}/confirm`)).to.equal(nothing);
    expect(await refused(`${path}/renew`, { lasts_seconds: 5 })).to.equal(nothing);
    expect(await refused(`${path}/renew`, { lasts_seconds: 0 })).to.equal(
      '400 JSON does not validate: 0 is less than the minimum of 1',
    );
    expect(await refused(`${path}/renew`, {})).to.equal(
      "400 JSON does not validate: 'lasts_seconds' is a required property",
    );
    // Placement's own versions have none of it.
    const old = { 'openstack-api-version': 'placement 1.39' };
    expect(await refused(`${path}/confirm`, undefined, old)).to.equal('404 The resource could not be found.');
    expect((await service.call('PUT', path, body({ VCPU: 1 }, null, HOUR))).status).to.equal(400);
    await put({ VCPU: 1 }, null, HOUR);
    expect((await service.call('GET', path)).body.allocations[node]).to.have.all.keys(
      'generation',
      'resources',
    );
  });
});

describeOnEachStore('an end that has come', (freshUrl) => {
  it('can neither be confirmed nor renewed over HTTP, whether or not the room is gone yet', async () => {
    const clock = { ms: START };
    const ledger = await freshLedger(await freshUrl(), clock);
    const node = await addProvider(ledger, 1, { VCPU: { total: 4 } });
    const service = serviceOn(ledger);
    const path = `/allocations/${CONSUMER}`;
    const body = {
      allocations: { [node]: { resources: { VCPU: 1 } } },
      consumer_generation: null,
      project_id: 'shop',
      user_id: 'eve',
      consumer_type: 'INSTANCE',
      lasts_seconds: 5,
    };
    expect((await service.call('PUT', path, body)).status).to.equal(204);
    clock.ms += 5000;
    for (const [what, sent] of [['confirm'], ['renew', { lasts_seconds: 5 }]] as const) {
      const { status, body: answer } = await service.call('POST', `${path}/${what}`, sent);
      expect([status, answer.errors[0].code]).to.deep.equal([409, 'hplaced.allocations_expired']);
      expect(answer.errors[0].detail).to.include('should have gone back already');
    }
    await service.close();
  });
});
