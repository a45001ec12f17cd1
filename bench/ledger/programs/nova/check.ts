/** What Nova and hplaced say of the same servers, and what Nova says of Placement in its logs. */
import { obstacleAfter } from '../../../until.ts';
import type { ComputeClient, Server } from './compute-client.ts';
import { logIn } from './keystone.ts';
import { read } from './machine.ts';

let failures = 0;
const started = Date.now();

export const say = (what: string): void =>
  console.log(`nova: -- ${Math.round((Date.now() - started) / 1000)} s: ${what}`);

/** Says how a check went. @param problem what is wrong; undefined = nothing */
export function check(what: string, problem: string | undefined): void {
  say(`${what}: ${problem === undefined ? 'fine' : `FAILED\n${problem}`}`);
  if (problem !== undefined) failures++;
}

/** The last line. @returns the exit status */
export function conclude(): number {
  console.log(failures === 0 ? 'nova: all fine' : `nova: ${failures} FAILED`);
  return failures === 0 ? 0 : 1;
}

/** Consumer, provider by name, class and amount, one a line. */
async function allocated(placement: string): Promise<readonly string[]> {
  const token = await logIn('admin', 'admin');
  const get = async <T>(path: string): Promise<T> => {
    const headers = { 'x-auth-token': token, 'openstack-api-version': 'placement 1.39' };
    const response = await fetch(placement + path, { headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const { resource_providers: providers } = await get<{
    resource_providers: { uuid: string; name: string }[];
  }>('/resource_providers');
  const lines: string[] = [];
  for (const { uuid, name } of providers) {
    const { allocations } = await get<{ allocations: Record<string, { resources: Record<string, number> }> }>(
      `/resource_providers/${uuid}/allocations`,
    );
    for (const [consumer, { resources }] of Object.entries(allocations)) {
      const owner = await get<{ project_id: string; user_id: string }>(`/allocations/${consumer}`);
      for (const [resource, amount] of Object.entries(resources))
        lines.push(`${consumer} ${owner.project_id} ${owner.user_id} ${name} ${resource} ${amount}`);
    }
  }
  return lines.sort();
}

const wanted = (servers: readonly Server[]): readonly string[] =>
  servers
    .filter((server) => server['OS-EXT-SRV-ATTR:host'] !== null && server.status !== 'ERROR')
    .flatMap(({ id, tenant_id, user_id, flavor, ...server }) =>
      [
        ['VCPU', flavor.vcpus],
        ['MEMORY_MB', flavor.ram],
        ['DISK_GB', flavor.disk],
      ].map(
        ([resource, amount]) =>
          `${id} ${tenant_id} ${user_id} ${server['OS-EXT-SRV-ATTR:host']} ${resource} ${amount}`,
      ),
    )
    .sort();

/** Nova tidies up after it has said that all is done. */
const TIDY_MS = 180_000;

/**
 * @param isExact whether nothing may be allocated beyond what servers have; where Placement was away, Nova
 * leaves behind what it could not give back
 * @returns what is in one and not in the other; undefined when both are the same
 */
export async function differences(
  compute: ComputeClient,
  placement: string,
  isExact = true,
): Promise<string | undefined> {
  return obstacleAfter(TIDY_MS, async () => {
    const [have, want] = [await allocated(placement), wanted(await compute.settled())];
    const lines = [
      ...want.filter((line) => !have.includes(line)).map((line) => `missing: ${line}`),
      ...have.filter((line) => isExact && !want.includes(line)).map((line) => `too much: ${line}`),
    ];
    return lines.length === 0 ? undefined : lines.slice(0, 20).join('\n');
  });
}

/** When hplaced was away, in ms since 1970. */
export interface Away {
  readonly from: number;
  readonly until: number;
}

/** A request that began while it was away may say so later: Nova tries for a while. */
const LATER_MS = 5_000;

/**
 * @returns lines of Nova's logs that lay an error on Placement, but for the times when it was away;
 * undefined: none
 */
export function complaints(logs: readonly string[], away: readonly Away[]): string | undefined {
  const lines = logs.flatMap((log) =>
    read(`/srv/log/${log}`)
      .split('\n')
      .filter(
        (line) =>
          /^\S+ \S+ \d+ (ERROR|WARNING|CRITICAL) /.test(line) &&
          /placement|scheduler\.client\.report/i.test(line),
      )
      .filter((line) => {
        const at = Date.parse(`${line.slice(0, 23).replace(' ', 'T')}Z`);
        return !away.some(({ from, until }) => at >= from && at <= until + LATER_MS);
      })
      .map((line) => `${log}: ${line.slice(0, 400)}`),
  );
  return lines.slice(0, 20).join('\n') || undefined;
}
