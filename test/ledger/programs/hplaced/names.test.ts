import { expect } from 'chai';
import { RunningService } from './running.ts';

const CONSUMER = '11111111-1111-4111-8111-111111111111';
/** NUL, half a character, ESC, and a mark that turns the direction of writing around. */
const BAD = ['victim\0x', 'half\ud800', 'bell\u0007', 'esc\u001b[2J', 'turned\u202egnp'];

describe('names that hplaced is given', () => {
  let service: RunningService;
  let node: string;

  before(async () => {
    service = await RunningService.start();
    node = await service.provider('node1', { VCPU: 4 });
  });
  after(() => service.end());

  const statusOf = async (method: string, path: string, body?: unknown) =>
    (await service.call(method, path, body)).status;
  const claimOf = (more: object) => ({
    allocations: { [node]: { resources: { VCPU: 1 } } },
    consumer_generation: null,
    project_id: 'shop',
    user_id: 'eve',
    consumer_type: 'INSTANCE',
    ...more,
  });

  it('are refused with 400 where they cannot be kept, or be shown', async () => {
    for (const name of BAD) {
      const statuses = [
        await statusOf('POST', '/resource_providers', { name }),
        await statusOf('PUT', `/allocations/${CONSUMER}`, claimOf({ project_id: name })),
        await statusOf('PUT', `/allocations/${CONSUMER}`, claimOf({ user_id: name })),
        await statusOf('POST', '/pods', { name }),
        await statusOf('POST', '/bindings', { tenant: name }),
      ];
      expect(statuses, JSON.stringify(name)).to.deep.equal([400, 400, 400, 400, 400]);
    }
    const { body } = await service.call('GET', '/resource_providers');
    expect(body.resource_providers).to.have.length(1);
    expect((await service.call('GET', '/pods')).body.total).to.equal(0);
    expect((await service.call('GET', `/allocations/${CONSUMER}`)).body.allocations).to.deep.equal({});
  });

  it('are refused in paths and queries, too', async () => {
    expect(await statusOf('GET', '/usages?project_id=a%00b')).to.equal(400);
    expect(await statusOf('GET', '/allocations/a%00b')).to.equal(400);
    expect(await statusOf('GET', '/pods/a%00b')).to.equal(400);
    expect(await statusOf('PUT', '/traits/CUSTOM_A%00B')).to.equal(400);
  });

  it('of traits are listed as asked for', async () => {
    for (const name of ['CUSTOM_ONE', 'CUSTOM_TWO', 'CUSTOM_OTHER'])
      await service.call('PUT', `/traits/${name}`);
    const named = async (name: string) => (await service.call('GET', `/traits?name=${name}`)).body.traits;
    expect(await named('in:CUSTOM_TWO,CUSTOM_NONE,CUSTOM_ONE')).to.have.members(['CUSTOM_ONE', 'CUSTOM_TWO']);
    expect(await named('startswith:CUSTOM_O')).to.have.members(['CUSTOM_ONE', 'CUSTOM_OTHER']);
    const standard: string[] = await named('startswith:HW_CPU_X86_AVX');
    expect(standard.length).to.be.above(1);
    expect(standard.filter((name) => !name.startsWith('HW_CPU_X86_AVX'))).to.deep.equal([]);
    expect(await statusOf('GET', '/traits?name=CUSTOM_ONE')).to.equal(400);
  });

  it('may be in any writing', async () => {
    expect(await statusOf('POST', '/pods', { name: 's\u00fcd \u{1f375}' })).to.equal(201);
  });
});
