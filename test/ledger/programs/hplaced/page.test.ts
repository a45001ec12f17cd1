import { expect } from 'chai';
import { Browser, hasBrowser } from '../../../builders/browser.ts';
import { RunningService } from './running.ts';

describe('the page of hplaced in a browser', () => {
  let service: RunningService;
  let browser: Browser;

  before(async function () {
    if (!hasBrowser()) return this.skip();
    service = await RunningService.start();
    const host = await service.provider('host <b>1</b>');
    for (const numa of ['numa0', 'numa1']) {
      const uuid = await service.provider(numa, { VCPU: 4 }, host);
      await service.provider(`${numa}-fpga`, { FPGA: 1 }, uuid);
    }
    browser = await Browser.open();
    await browser.goto(`${service.url}/`);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const texts = (selector: string): Promise<string[]> =>
    browser.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => element.textContent)`,
    );
  const query = (text: string): Promise<unknown> =>
    browser.evaluate(`byId('parameters').value = ${JSON.stringify(text)}; byId('query').requestSubmit()`);

  it('shows trees with bars, and names as they are written', async () => {
    await browser.until(`document.querySelectorAll('.tree').length === 1`);
    expect(await texts('.name')).to.deep.equal([
      'host <b>1</b>',
      'numa0',
      'numa0-fpga',
      'numa1',
      'numa1-fpga',
    ]);
    expect(await texts('.figures')).to.deep.equal(['0 of 4', '0 of 1', '0 of 4', '0 of 1']);
    expect(await texts('#totals')).to.deep.equal(['1 tree, 5 providers']);
  });

  it('shows candidates, and the chosen one in its tree', async () => {
    await query('resources_C=VCPU:2\nresources_F=FPGA:1\nsame_subtree=_C,_F\ngroup_policy=none');
    await browser.until(`document.querySelectorAll('.chosen').length === 2`);
    expect(await texts('#answers small')).to.deep.equal([
      '_C → numa0; _F → numa0-fpga',
      '_C → numa1; _F → numa1-fpga',
    ]);
    await browser.evaluate(`document.querySelectorAll('#answers button')[1].click()`);
    await browser.until(`document.querySelector('.chosen .name')?.textContent === 'numa1'`);
    expect(await texts('.chosen .figures')).to.deep.equal(['0 of 4 + 2', '0 of 1 + 1']);
  });

  it('says why there is no candidate', async () => {
    await query('resources=VCPU:5');
    await browser.until(`byId('reasons').textContent.includes('at most VCPU:4')`);
    expect((await texts('#reasons td')).join(' ')).to.include('numa0: VCPU: 5 asked, capacity leaves 4');
  });

  it('shows what is wrong with a query', async () => {
    await query('resources=VCPU:none');
    await browser.until(`!byId('trouble').hidden`);
    expect((await texts('#trouble'))[0]).to.include('expected positive integer amount. Got: none');
  });

  it('shows the history, and complains of nothing itself', async () => {
    const actions = await texts('#history td:nth-child(3)');
    expect(actions.slice(0, 2)).to.deep.equal(['inventory', 'provider-add']);
    // The refused query above is logged by the browser as a failed request.
    expect(browser.complaints.filter((text) => !text.includes('status of 400'))).to.deep.equal([]);
  });

  it('shows pods with their fill levels and tenants, and where a tenant would go', async () => {
    await service.call('POST', '/pods', { name: 'pod <b>1</b>' });
    await service.call('POST', '/pods', { name: 'pod 2' });
    await service.call('POST', '/bindings', { tenant: 'shop <i>x</i>' });
    const memory = { total: 80_388_128, used: 76_386_944 };
    const usage = { memory, nova: { cpu: { total: 8, free: 6 } } };
    await service.call('PUT', '/pods/pod%20%3Cb%3E1%3C%2Fb%3E/usage', { usage });
    await browser.evaluate(`byId('pod-search').requestSubmit()`);
    await browser.until(`document.querySelectorAll('.pod').length === 2`);
    expect(await texts('.pod .name')).to.deep.equal(['pod <b>1</b>', 'pod 2']);
    expect(await texts('.pod .state')).to.deep.equal(['exhausted', 'open']);
    expect(await texts('.pod .figures')).to.deep.equal(['76.4M of 80.4M', '2 of 8']);
    expect(await browser.evaluate(`document.querySelector('.pod .figures').title`)).to.equal(
      '76386944 of 80388128',
    );
    expect(await texts('.pod button')).to.deep.equal(['1 tenant', '0 tenants']);
    await browser.evaluate(`document.querySelector('.pod button').click()`);
    await browser.until(`document.querySelector('.tenants td')?.textContent === 'shop <i>x</i>'`);
    await browser.evaluate(`byId('tenant').value = 'shop <i>x</i>'; byId('ask-pod').requestSubmit()`);
    await browser.until(`document.querySelectorAll('#where tbody').length === 2`);
    expect(await texts('#where .verdict')).to.deep.equal([
      'shop <i>x</i> would go to pod 2, leaving pod <b>1</b>: exhausted.',
    ]);
    expect(await texts('#where td:last-child')).to.deep.equal([
      'age 0 x 1',
      'exhausted: memory: 76386944 of 80388128 used, limit 0.9',
      '',
    ]);
  });
});
