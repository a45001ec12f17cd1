/** What a client with its own idea of Placement sees: generations, and numbers as they are written. */
import { request } from 'node:http';
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

  it('stay where a provider gets the traits that it has, and rise where it gets others', async () => {
    const set = async (traits: readonly string[], resource_provider_generation: number) => {
      const body = { traits, resource_provider_generation };
      const { status, body: answer } = await service.call('PUT', `/resource_providers/${p[0]}/traits`, body);
      return [status, answer.resource_provider_generation];
    };
    expect(await set([], 1)).to.deep.equal([200, 1]);
    expect(await set(['HW_CPU_X86_VMX', 'COMPUTE_NODE'], 1)).to.deep.equal([200, 2]);
    expect(await set(['COMPUTE_NODE', 'HW_CPU_X86_VMX'], 2)).to.deep.equal([200, 2]);
    const remove = () => service.call('DELETE', `/resource_providers/${p[0]}/traits`);
    expect([(await remove()).status, (await remove()).status]).to.deep.equal([204, 204]);
    expect(await generations()).to.deep.equal([3, 1]);
  });

  it('are not looked at where a class is added', async () => {
    const body = { resource_class: 'DISK_GB', total: 10, resource_provider_generation: 77 };
    const { status } = await service.call('POST', `/resource_providers/${p[0]}/inventories`, body);
    expect(status).to.equal(201);
  });

  it('are not what is wrong with a reshaping that reserves more than there is', async () => {
    const inventories = { VCPU: { total: 8, reserved: 9 } };
    const { status, body } = await service.call('POST', '/reshaper', {
      inventories: { [p[0]!]: { resource_provider_generation: 1, inventories } },
      allocations: {},
    });
    expect(status).to.equal(400);
    expect(body.errors[0].detail).to.include('The reserved value is greater than total');
  });

  it('are not what is wrong with a request that names one consumer or provider twice', async () => {
    const inventories = { resource_provider_generation: 1, inventories: { VCPU: { total: 8 } } };
    const claim = { allocations: {}, project_id: 'p', user_id: 'u', consumer_generation: null };
    const share = { resources: { VCPU: 1 } };
    const one = { ...claim, consumer_type: 'INSTANCE', allocations: { [p[0]!]: share } };
    const uuid = 'abcdef00-0000-4000-8000-000000000001';
    const twins = (name: string) => ({ [name]: share, [name.toUpperCase()]: share });
    for (const [what, body] of [
      [
        'consumer',
        { inventories: { [p[0]!]: inventories }, allocations: { [uuid]: one, [uuid.toUpperCase()]: one } },
      ],
      [
        'provider',
        { inventories: { [uuid]: inventories, [uuid.toUpperCase()]: inventories }, allocations: {} },
      ],
      [
        'provider',
        { inventories: { [p[0]!]: inventories }, allocations: { [A]: { ...one, allocations: twins(uuid) } } },
      ],
    ] as const) {
      const { status, body: answer } = await service.call('POST', '/reshaper', body);
      expect([status, answer.errors[0].detail]).to.deep.equal([
        400,
        `JSON does not validate: one ${what} is named twice, in different spellings`,
      ]);
    }
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

  const statusOf = async (method: string, path: string, body?: unknown): Promise<number> =>
    (await service.call(method, path, body)).status;

  it('says what is wrong with a parent before it says that a name is taken', async () => {
    const [above, below] = [await service.provider('above', {}), await service.provider('below', {})];
    const path = `/resource_providers/${above}`;
    const parent_provider_uuid = above;
    expect([
      await statusOf('POST', '/resource_providers', { name: 'below', uuid: above, parent_provider_uuid }),
      await statusOf('POST', '/resource_providers', { name: 'below', parent_provider_uuid: uuidOf(99) }),
      await statusOf('PUT', path, { name: 'below', parent_provider_uuid }),
      await statusOf('PUT', path, { name: 'below', parent_provider_uuid: below }),
    ]).to.deep.equal([400, 400, 400, 409]);
  });

  it('asks for the type of a body before it looks for the path', async () => {
    const body = Buffer.from('{}');
    const headers = { 'x-auth-token': 'admin' };
    const answer = await fetch(`${service.url}/nowhere`, { method: 'PUT', headers, body });
    expect([answer.status, await answer.text()].join(' ')).to.match(
      /^400 .*"content-type header required when content-length > 0"/,
    );
  });

  it('knows no class of a path that nobody has made', async () => {
    const path = `/resource_providers/${await service.provider('bare', {})}/inventories`;
    const body = { total: 1, resource_provider_generation: 0 };
    expect(await statusOf('PUT', `${path}/CUSTOM_NOBODYS`, body)).to.equal(404);
    expect(await statusOf('PUT', `${path}/DISK_GB`, body)).to.equal(400);
  });

  it('has nothing at a path that ends before the name', async () => {
    const paths = ['/allocations/', '/resource_providers/', '/traits/', '/resource_classes/'];
    const statuses = await Promise.all(paths.map((path) => statusOf('GET', path)));
    expect(statuses).to.deep.equal([404, 404, 404, 404]);
  });

  it('knows no parameter that every object has, and takes an empty name for none', async () => {
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(await statusOf('GET', `/resource_providers?${name}=x`), name).to.equal(400);
    const all = await service.call('GET', '/resource_providers?name=');
    expect(all.body.resource_providers).not.to.deep.equal([]);
  });

  it('says of every method that it is none of a path', async () => {
    const headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' };
    for (const method of ['TRACE', 'PROPFIND', 'QUERY', 'PURGE']) {
      const status = await new Promise((resolve) =>
        request(`${service.url}/traits`, { method, headers, agent: false }, (response) =>
          resolve(response.resume().statusCode),
        ).end(),
      );
      expect(status, method).to.equal(405);
    }
  });

  it('does not look at the type of what has no body', async () => {
    const headers = { 'x-auth-token': 'admin', 'content-type': 'json' };
    const url = `${service.url}/resource_providers/${await service.provider('leaving', {})}`;
    expect((await fetch(url, { method: 'DELETE', headers })).status).to.equal(204);
  });

  it('takes mappings of groups of any name', async () => {
    const node = await service.provider('mapped', { VCPU: 4 });
    const body = {
      allocations: { [node]: { resources: { VCPU: 1 } } },
      mappings: { 'a.b': [node], '': [node] },
      consumer_generation: null,
      project_id: 'p',
      user_id: 'u',
      consumer_type: 'INSTANCE',
    };
    expect(await statusOf('PUT', `/allocations/${A}`, body)).to.equal(204);
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

  it('says in Placement’s words what is not there, and what is newer', async () => {
    const node = await service.provider('worded', { VCPU: 4 });
    const [known, late, nobody] = [uuidOf(13), uuidOf(14), uuidOf(99)];
    const path = `/resource_providers/${node}/inventories`;
    const none = `No resource provider with uuid ${nobody} found`;
    const share = (name: string) => ({
      allocations: { [node]: { resources: { [name]: 1 } } },
      project_id: 'p',
      user_id: 'u',
      consumer_type: 'INSTANCE',
      consumer_generation: null,
    });
    expect((await service.call('PUT', `/allocations/${known}`, share('VCPU'))).status).to.equal(204);
    const given = { resource_provider_generation: 2, inventories: { VCPU: { total: 4 } } };
    const claims = { [late]: share('CUSTOM_NO') };
    const answers = [
      ['GET', `/resource_providers/${nobody}`, undefined, none],
      ['GET', `/resource_providers/${nobody}/inventories`, undefined, `${none} : ${none}`],
      ['GET', `/resource_providers/${nobody}/inventories/VCPU`, undefined, `${none} : ${none}`],
      ['GET', `/resource_providers/${nobody}/usages`, undefined, `${none}: ${none}`],
      ['GET', `/resource_providers/${nobody}/traits`, undefined, `${none}: ${none}`],
      ['GET', `/resource_providers/${nobody}/aggregates`, undefined, none],
      [
        'GET',
        `/resource_providers/${nobody}/allocations`,
        undefined,
        `Resource provider '${nobody}' not found: ${none}`,
      ],
      ['DELETE', `/resource_providers/${nobody}`, undefined, `${none} for delete`],
      ['PUT', `/resource_providers/${nobody}/inventories`, given, none],
      [
        'DELETE',
        `${path}/DISK_GB`,
        undefined,
        'No inventory of class DISK_GB found for delete: No inventory of class DISK_GB found for delete',
      ],
      [
        'DELETE',
        `${path}/CUSTOM_NO`,
        undefined,
        'No inventory of class CUSTOM_NO found for delete: No such resource class CUSTOM_NO.',
      ],
      [
        'PUT',
        `/allocations/${late}`,
        share('CUSTOM_NO'),
        `Unable to allocate inventory for consumer ${late}: No such resource class CUSTOM_NO.`,
      ],
      ['POST', '/allocations', claims, 'Unable to allocate inventory No such resource class CUSTOM_NO.'],
      [
        'POST',
        '/reshaper',
        { inventories: { [node]: given }, allocations: claims },
        'malformed reshaper data: No such resource class CUSTOM_NO.',
      ],
      [
        'PUT',
        `/allocations/${known}`,
        share('VCPU'),
        'consumer generation conflict - expected 1 but got None',
      ],
    ] as const;
    for (const [method, url, body, detail] of answers) {
      const answer = await service.call(method, url, body);
      expect(answer.body.errors[0].detail, `${method} ${url}`).to.equal(detail);
    }
  });

  it('takes a kind of consumers that begins with all for one that nobody has', async () => {
    const { status, body } = await service.call('GET', '/usages?project_id=p&consumer_type=allow');
    expect([status, body]).to.deep.equal([200, { usages: {} }]);
    expect((await service.call('GET', '/usages?project_id=p&consumer_type=unknowns')).status).to.equal(400);
  });

  it('names each unknown member of a query', async () => {
    for (const path of [
      '/resource_providers?',
      '/traits?',
      '/usages?project_id=p&',
      '/allocation_candidates?',
    ]) {
      const { detail } = (await service.call('GET', `${path}nam=x&nom=y`)).body.errors[0];
      expect(detail).to.include("'nam'").and.to.include("'nom'");
    }
  });

  it('looks at the last of a parameter that is named twice where one counts', async () => {
    const node = await service.provider('twice', {});
    const { body } = await service.call('GET', `/resource_providers?uuid=x&uuid=${node}`);
    expect(body.resource_providers).to.have.lengthOf(1);
  });
});
