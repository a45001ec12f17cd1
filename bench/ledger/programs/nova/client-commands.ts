/** The commands of operators, with passwords: `openstack`, `nova-status` and `nova-manage`. */
import { check } from './check.ts';
import { openrc } from './keystone.ts';
import { run, tryRun } from './machine.ts';
import { novaCommand } from './nova.ts';

const openstack = (line: string): Promise<string> =>
  run(['openstack', ...line.split(' ')], openrc('admin', 'admin'));
const PROVIDER = 'resource provider';

/** Makes a provider, allocates from it and removes it. */
export async function byHand(): Promise<void> {
  const uuid = (await openstack(`${PROVIDER} create by-hand -f value -c uuid`)).trim();
  await openstack('resource class create CUSTOM_GOLD');
  await openstack(`${PROVIDER} inventory set ${uuid} --resource VCPU=8 --resource CUSTOM_GOLD=2`);
  await openstack('trait create CUSTOM_SHINY');
  await openstack(`${PROVIDER} trait set ${uuid} --trait CUSTOM_SHINY`);
  const consumer = '99999999-2222-4333-8444-555555555555';
  await openstack(
    `${PROVIDER} allocation set ${consumer} --allocation rp=${uuid},VCPU=3 --project-id p --user-id u --consumer-type INSTANCE`,
  );
  const query = 'allocation candidate list --resource VCPU=5 --required CUSTOM_SHINY -f json';
  const candidates = JSON.parse(await openstack(query)) as readonly unknown[];
  const usage = await openstack(`${PROVIDER} usage show ${uuid} -f json`);
  check(
    'openstack makes a provider, allocates from it and finds what is left',
    candidates.length === 1 && /"VCPU",\s*"usage": 3/.test(usage)
      ? undefined
      : `${JSON.stringify(candidates)}\n${usage}`,
  );
  await openstack(`${PROVIDER} allocation delete ${consumer}`);
  await openstack(`${PROVIDER} delete ${uuid}`);
  for (const words of [`${PROVIDER} list`, 'resource usage show p']) {
    const refused = await tryRun(['openstack', ...words.split(' ')], openrc('watcher', 'demo'));
    check(
      `who only reads another project is refused '${words}'`,
      refused.status !== 0 && /403/.test(refused.stderr) ? undefined : refused.stdout + refused.stderr,
    );
  }
}

/** @param hosts that Nova has */
export async function inspect(hosts: readonly string[]): Promise<void> {
  const providers = JSON.parse(await openstack(`${PROVIDER} list -f json`)) as readonly { name: string }[];
  const names = providers.map(({ name }) => name).sort();
  check('openstack lists the computes', String(names) === String(hosts) ? undefined : JSON.stringify(names));
  const upgrade = await novaCommand('status', 'upgrade', 'check');
  const verdict = /Check: Placement API.*\n\| Result: (\w+)/.exec(upgrade.stdout)?.[1];
  check('nova-status finds Placement', verdict === 'Success' ? undefined : upgrade.stdout + upgrade.stderr);
  const audited = await novaCommand('manage', 'placement', 'audit', '--verbose');
  check(
    'nova-manage audits Placement and finds nothing',
    audited.status === 0 ? undefined : audited.stdout + audited.stderr.slice(-2000),
  );
}
