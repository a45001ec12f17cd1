import { expect } from 'chai';
import { RunningService } from './running.ts';

describe('hplaced with pods', () => {
  let service: RunningService;

  before(async () => {
    service = await RunningService.start();
    for (const name of ['P1', 'P2']) await service.call('POST', '/pods', { name });
  });
  after(() => service?.stop());

  const memory = (used: number) => ({ usage: { memory: { total: 1000, used } } });
  const names = (pods: readonly { readonly name: string }[]) => pods.map(({ name }) => name);

  it('makes, changes, lists and removes pods', async () => {
    const made = await service.call('POST', '/pods', {
      name: 'a/b c',
      az: 'A',
      affinity: { resource: 'CAD' },
      cost: 2.5,
      limits: { metrics: { memory: { free: 50 } }, reopen: 0.5 },
    });
    expect(made.status).to.equal(201);
    expect(made.headers.get('location')).to.match(/\/pods\/a%2Fb%20c$/);
    expect(made.body).to.deep.include({ az: 'A', cost: 2.5, state: 'open', isExhausted: false });
    expect(made.body.limits).to.deep.equal({
      metrics: { '*': { share: 0.9 }, memory: { free: 50 } },
      reopen: 0.5,
    });
    expect((await service.call('POST', '/pods', { name: 'P1' })).status).to.equal(409);
    const { body } = await service.call('GET', '/pods?limit=2');
    expect([names(body.pods), body.total, body.next]).to.deep.equal([['P1', 'P2'], 3, 'P2']);
    expect(names((await service.call('GET', '/pods?after=P2')).body.pods)).to.deep.equal(['a/b c']);
    expect(names((await service.call('GET', '/pods?az=A')).body.pods)).to.deep.equal(['a/b c']);
    const closed = await service.call('PUT', '/pods/a%2Fb%20c', {
      state: 'closed',
      limits: { reopen: null },
    });
    expect(closed.body.limits).to.deep.include({ reopen: null });
    expect((await service.call('DELETE', '/pods/a%2Fb%20c')).status).to.equal(204);
    expect((await service.call('GET', '/pods/a%2Fb%20c')).status).to.equal(404);
  });

  it('binds a tenant, keeps it, and moves it on when its pod is full', async () => {
    const ask = (more: object = {}) => service.call('POST', '/bindings', { tenant: 't1', ...more });
    const first = await ask();
    expect([first.status, first.body.result, first.body.pod]).to.deep.equal([201, 'new', 'P1']);
    const kept = await ask({ specs: { 'hw:numa': '2' } });
    expect([kept.status, kept.body.result, kept.body.binding.id]).to.deep.equal([
      200,
      'kept',
      first.body.binding.id,
    ]);
    expect((await service.call('PUT', '/pods/P1/usage', memory(900))).body).to.deep.include({
      isExhausted: true,
      fullest: { metric: 'memory', share: 0.9 },
    });
    const dry = await ask({ dryRun: true, explain: true });
    expect([dry.status, dry.body.pod]).to.deep.equal([200, 'P2']);
    expect(
      dry.body.explanation.map(({ pod, place }: { pod: string; place: number | null }) => [pod, place]),
    ).to.deep.equal([
      ['P2', 1],
      ['P1', null],
    ]);
    const moved = await ask();
    expect([moved.status, moved.body.pod, moved.body.ended.pod, moved.body.ended.endReason]).to.deep.equal([
      201,
      'P2',
      'P1',
      'exhausted',
    ]);
    const none = await ask({ az: 'nowhere' });
    expect([none.status, none.body.errors[0].result, none.body.errors[0].refusedBy]).to.deep.equal([
      409,
      'none',
      { az: 2 },
    ]);
    const { body } = await service.call('GET', '/bindings?tenant=t1');
    expect(
      body.bindings.map((row: { pod: string; end: string | null }) => [row.pod, row.end === null]),
    ).to.deep.equal([
      ['P2', true],
      ['P1', false],
    ]);
    const paged = async (path: string) => (await service.call('GET', path)).body.next;
    expect(await paged('/bindings?tenant=t1&limit=1')).to.equal(body.bindings[0].id);
    expect(await paged('/bindings?tenant=t1&limit=2')).to.equal(null);
    const shown = await service.call('GET', '/pods/P2');
    expect([shown.body.tenants, shown.body.bindings[0].tenant]).to.deep.equal([1, 't1']);
  });

  it('maintains, rebinds, binds and unbinds', async () => {
    await service.call('PUT', '/pods/P1/usage', memory(100));
    const begun = await service.call('PUT', '/pods/P2/maintenance', { maintenance: true, rebind: true });
    expect(begun.body.rebound.map((one: { to: string }) => one.to)).to.deep.equal(['P1']);
    expect((await service.call('POST', '/bindings/rebind', { dryRun: true })).body.rebound).to.deep.equal([]);
    const ended = await service.call('PUT', '/pods/P2/maintenance', { maintenance: false, return: true });
    expect(ended.body.rebound.map((one: { reason: string }) => one.reason)).to.deep.equal(['returned']);
    expect((await service.call('PUT', '/pods/P2/maintenance', { maintenance: false })).status).to.equal(409);
    expect((await service.call('PUT', '/bindings', { tenant: 't1', pod: 'P1' })).body.isKept).to.equal(false);
    expect((await service.call('PUT', '/bindings', { tenant: 't1', pod: 'nix' })).status).to.equal(404);
    expect((await service.call('DELETE', '/bindings?tenant=t1')).status).to.equal(204);
    expect((await service.call('DELETE', '/bindings?tenant=t1')).status).to.equal(404);
    expect((await service.call('DELETE', '/pods/P1')).status).to.equal(409);
  });

  it('has a policy, forecasts and simulations', async () => {
    expect(
      (await service.call('PUT', '/bindings/policy', { weighers: { idle: 2 } })).body.weighers,
    ).to.deep.equal({ idle: 2 });
    expect((await service.call('GET', '/bindings/policy')).body.filters).to.include('az');
    const { body } = await service.call('GET', '/bindings/forecast?days=7');
    expect(body.pods[0]).to.deep.include({ pod: 'P1', readings: 2 });
    const events = [{ tenant: 'x', need: { memory: 850 } }, { tenant: 'y' }];
    const day = await service.call('POST', '/bindings/simulate', { events });
    expect(day.body).to.deep.include({ requests: 2, bound: 2, refused: 0 });
  });

  it('says what is wrong with a body or a query', async () => {
    const wrong: readonly (readonly [string, string, unknown, RegExp])[] = [
      ['POST', '/pods', { name: '' }, /too short/],
      ['POST', '/pods', { name: 'x', state: 'maintenance' }, /does not match/],
      ['PUT', '/pods/P1', {}, /enough properties/],
      ['PUT', '/pods/P1', { weight: -1e308 }, /minimum/],
      ['PUT', '/bindings/policy', { weighers: { idle: 1e308 } }, /maximum/],
      ['PUT', '/pods/P1/usage', { usage: { memory: { total: -1, used: 0 } } }, /usage\.memory\.total/],
      ['PUT', '/pods/P1/maintenance', { maintenance: true, return: true }, /goes with maintenance false/],
      ['POST', '/bindings', { az: 'A' }, /'tenant' is a required property/],
      ['POST', '/bindings', { tenant: 'a\u0007b' }, /does not match/],
      ['POST', '/bindings', { tenant: 'x', policy: { filters: ['nix'] } }, /does not match/],
      ['POST', '/bindings/simulate', { events: [{ tenant: 5 }] }, /events\[0\]\.tenant: is not a name/],
      ['GET', '/bindings', undefined, /'tenant' is a required property/],
      ['GET', '/pods?limit=0', undefined, /limit=0/],
      ['GET', '/pods?zone=A', undefined, /'zone' was unexpected/],
      ['POST', '/pods?dryRun=true', { name: 'x' }, /'dryRun' was unexpected/],
      ['GET', '/hplaced/history?tenant=x', undefined, /'tenant' was unexpected/],
    ];
    for (const [method, path, body, message] of wrong) {
      const answer = await service.call(method, path, body);
      expect([path, answer.status]).to.deep.equal([path, 400]);
      expect(answer.body.errors[0].detail).to.match(message);
    }
  });
});
