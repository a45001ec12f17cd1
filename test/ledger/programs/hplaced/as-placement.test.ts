/** What a client with its own idea of Placement sees: generations, and numbers as they are written. */
import { expect } from 'chai';
import { audit } from '../../../../src/ledger/claims/audit/audit.ts';
import type { Ledger } from '../../../../src/ledger/claims/claim/ledger.ts';
import { addProvider, freshLedger, uuidOf } from '../../claims/ledgers.ts';
import { describeOnEachStore } from '../../store/each-store.ts';
import { type InProcess, serviceOn } from './in-process.ts';
import { RunningService } from './running.ts';

const [A, B] = [uuidOf(11), uuidOf(12)];

describeOnEachStore('generations of providers', (freshUrl) => {
  let ledger: Ledger;
  let service: InProcess;
  let p: readonly string[];
  beforeEach(async () => {
    ledger = await freshLedger(await freshUrl());
    p = [
      await addProvider(ledger, 1, { VCPU: { total: 8 } }),
      await addProvider(ledger, 2, { VCPU: { total: 8 } }),
    ];
    service = serviceOn(ledger);
  });
  afterEach(async () => {
    // Rows of the history that raised a generation are as many as it says.
    expect(await ledger.store.read(audit)).to.deep.equal([]);
    await service.close();
  });

  const generations = (): Promise<number[]> =>
    Promise.all(
      p.map(async (uuid) => (await service.call('GET', `/resource_providers/${uuid}`)).body.generation),
    );
  const bodyOf = (providers: readonly string[], generation: number | null) => ({
    allocations: Object.fromEntries(providers.map((uuid) => [uuid, { resources: { VCPU: 1 } }])),
    consumer_generation: generation,
    project_id: 'p',
    user_id: 'u',
    consumer_type: 'INSTANCE',
  });
  const put = async (consumer: string, providers: readonly string[], generation: number | null) =>
    expect(
      (await service.call('PUT', `/allocations/${consumer}`, bodyOf(providers, generation))).status,
    ).to.equal(204);

  it('rise where a replaced consumer has something afterwards, and not where it gives back', async () => {
    await put(A, [p[0]!], null);
    expect(await generations()).to.deep.equal([2, 1]);
    await put(A, [p[1]!], 1);
    expect(await generations()).to.deep.equal([2, 2]);
    await put(A, [p[0]!, p[1]!], 2);
    expect(await generations()).to.deep.equal([3, 3]);
  });

  it('rise where a consumer gives all back by having nothing, and not where it is deleted', async () => {
    await put(A, [p[0]!], null);
    await put(A, [], 1);
    expect(await generations()).to.deep.equal([3, 1]);
    await put(A, [p[0]!], null);
    expect((await service.call('DELETE', `/allocations/${A}`)).status).to.equal(204);
    expect(await generations()).to.deep.equal([4, 1]);
  });

  it('rise once for several consumers', async () => {
    await put(A, [p[0]!], null);
    const both = { [A]: bodyOf([], 1), [B]: bodyOf([p[1]!], null) };
    expect((await service.call('POST', '/allocations', both)).status).to.equal(204);
    expect(await generations()).to.deep.equal([3, 2]);
  });

  it('are not asked for by who has nothing and is to have nothing', async () => {
    await put(A, [], null);
    await put(A, [p[0]!], null);
    expect(await generations()).to.deep.equal([2, 1]);
  });
});

describe('hplaced beside Placement', () => {
  let service: RunningService;
  before(async () => {
    service = await RunningService.start();
  });
  after(() => service.stop());

  it('writes ratios with a point', async () => {
    const node = await service.provider('node', { VCPU: 4 });
    const path = `${service.url}/resource_providers/${node}/inventories`;
    const headers = { 'x-auth-token': 'admin' };
    const textOf = async (one: string) => (await fetch(path + one, { headers })).text();
    const put = (ratio: number, generation: number) =>
      service.call('PUT', `/resource_providers/${node}/inventories/VCPU`, {
        total: 4,
        allocation_ratio: ratio,
        resource_provider_generation: generation,
      });
    expect(await textOf('')).to.include('"allocation_ratio":1.0}');
    await put(16, 1);
    expect(await textOf('/VCPU')).to.include('"allocation_ratio":16.0,');
    await put(1.5, 2);
    expect(await textOf('/VCPU')).to.include('"allocation_ratio":1.5,');
  });

  it('names a misspelled member of a query as Placement’s schema library does, and what was meant', async () => {
    const faultOf = async (path: string) =>
      (await service.call('GET', path)).body.errors[0].detail.split('\n')[0];
    const group = '([a-zA-Z0-9_-]{1,64})?$';
    expect(await faultOf('/allocation_candidates?resource=VCPU:1')).to.equal(
      `Invalid query string parameters: 'resource' does not match any of the regexes: '^in_tree${group}', '^member_of${group}', '^required${group}', '^resources${group}'. Did you mean 'resources'?`,
    );
    expect(await faultOf('/resource_providers?nam=x')).to.equal(
      "Invalid query string parameters: Additional properties are not allowed ('nam' was unexpected)",
    );
    expect(await faultOf('/usages?project_id=a&projekt=x')).to.equal(
      "Invalid query string parameters: Additional properties are not allowed ('projekt' was unexpected)",
    );
  });
});
