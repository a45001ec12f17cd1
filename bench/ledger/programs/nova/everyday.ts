/** What people do with servers while all is well; after each step Nova and its Placement have to agree. */
import type { Random } from '../../../generate/random.ts';
import { check, differences, say } from './check.ts';
import type { ComputeClient, Server } from './compute-client.ts';
import type { Nova } from './nova.ts';

type Steps = Readonly<Record<string, () => Promise<unknown>>>;

export const notActive = (servers: readonly Server[]): string | undefined =>
  servers
    .filter(({ status }) => status !== 'ACTIVE')
    .map(({ name, status, fault }) => `${name}: ${status} ${fault?.message ?? ''}`)
    .join('\n') || undefined;

/** In two parts, the second with what the first has left. */
export function everyday(
  compute: ComputeClient,
  nova: Nova,
  random: Random,
): { readonly first: Steps; readonly second: Steps } {
  const each = async (servers: readonly Server[], action: object, wanted = 'ACTIVE'): Promise<void> => {
    await Promise.all(servers.map(({ id }) => compute.act(id, action)));
    await compute.settled(
      servers.map(({ id }) => id),
      wanted,
    );
  };
  const some = async (count: number): Promise<readonly Server[]> =>
    random.sample([...(await compute.settled())], count);
  const lost = nova.hosts.at(-1)!;
  const first: Steps = {
    '39 servers': () =>
      Promise.all(Array.from({ length: 13 }, (_, k) => compute.boot(`first${k}`, 'small', 3))),
    'six resizes, three of them taken back': async () => {
      const resized = await some(6);
      await each(resized, { resize: { flavorRef: 'large' } }, 'VERIFY_RESIZE');
      await each(resized.slice(0, 3), { confirmResize: null });
      await each(resized.slice(3), { revertResize: null });
    },
    'four migrations': async () => {
      const moved = await some(4);
      await each(moved, { migrate: null }, 'VERIFY_RESIZE');
      await each(moved, { confirmResize: null });
    },
    'four live migrations': async () =>
      each(await some(4), { 'os-migrateLive': { host: null, block_migration: 'auto' } }),
  };
  const second: Steps = {
    'two servers put aside and taken up again': async () => {
      const shelved = await some(2);
      await each(shelved, { shelve: null }, 'SHELVED_OFFLOADED');
      await each(shelved, { unshelve: null });
    },
    'a lost compute, emptied and come back': async () => {
      await nova.killCompute(lost);
      await compute.setDown(lost, true);
      const servers = await compute.servers();
      await each(
        servers.filter((server) => server['OS-EXT-SRV-ATTR:host'] === lost),
        { evacuate: {} },
      );
      nova.startCompute(lost);
      await compute.setDown(lost, false);
    },
    '15 servers removed': async () => Promise.all((await some(15)).map(({ id }) => compute.delete(id))),
    '30 boots at a time': () =>
      Promise.all(Array.from({ length: 30 }, (_, k) => compute.boot(`second${k}`, 'tiny'))),
  };
  return { first, second };
}

/** Now and then the fake driver stumbles over a server that it has put away; Placement has no part in it. */
const STUMBLED = /^Instance \S+ already exists/;

async function withoutStumbled(compute: ComputeClient): Promise<readonly Server[]> {
  const servers = await compute.settled();
  const stumbled = servers.filter(({ fault }) => STUMBLED.test(fault?.message ?? ''));
  if (stumbled.length === 0) return servers;
  say(`removed, since the fake driver stumbled: ${stumbled.map(({ name }) => name).join(', ')}`);
  await Promise.all(stumbled.map(({ id }) => compute.delete(id)));
  return compute.settled();
}

/** @param placement its URL */
export async function take(steps: Steps, compute: ComputeClient, placement: string): Promise<void> {
  for (const [what, step] of Object.entries(steps)) {
    const went = await step().then(() => undefined, String);
    const servers = await withoutStumbled(compute);
    const problem = went ?? notActive(servers) ?? (await differences(compute, placement));
    check(`${what} (${servers.length} now)`, problem);
  }
}
