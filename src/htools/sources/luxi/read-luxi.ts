/** Reads a cluster from its master daemon (`-L`). */
import { BackendError } from '../../../kit/faults.ts';
import type { RawSnapshot } from '../../cluster/snapshot.ts';
import { LuxiClient } from '../../ganeti/luxi/client.ts';
import { askAgain } from '../../ganeti/wire/connection-cut.ts';
import type { WireLimits } from '../../ganeti/wire/limits.ts';
import {
  GROUP_FIELDS,
  INSTANCE_FIELDS,
  type LuxiAnswers,
  luxiCluster,
  NETWORK_FIELDS,
  NODE_FIELDS,
} from './luxi-cluster.ts';

const USUAL_SOCKET = '/var/run/ganeti/socket/ganeti-query';

/** The kernel's limit for the path of a socket, in bytes, with the zero byte at its end. */
const MAX_PATH_BYTES = 108;

/**
 * The socket that `-L` means: the one it names, or that of the master on this machine. `GANETI_ROOTDIR` moves
 * it, as it moves everything of Ganeti's. Source: ganeti(7).
 * @throws BackendError for a path that no socket can have
 */
export function luxiPath(named: string): string {
  const path = named === '' ? `${process.env.GANETI_ROOTDIR ?? ''}${USUAL_SOCKET}` : named;
  const bytes = Buffer.byteLength(path);
  if (bytes < MAX_PATH_BYTES) return path;
  throw new BackendError(
    `the path of the socket has ${bytes} bytes, and the system allows ${MAX_PATH_BYTES - 1}: ${path}`,
    'make a symbolic link to its folder in a place with a shorter name',
  );
}

/** One connection, one call after another, as the stock programs make them. */
async function askCluster(path: string, limits: WireLimits): Promise<LuxiAnswers> {
  const client = await LuxiClient.connect(path, limits);
  try {
    const nodes = await client.call('Query', ['node', NODE_FIELDS, null]);
    const instances = await client.call('Query', ['instance', INSTANCE_FIELDS, null]);
    const cluster = await client.call('QueryClusterInfo', []);
    const groups = await client.call('Query', ['group', GROUP_FIELDS, null]);
    const networks = await client.call('Query', ['network', NETWORK_FIELDS, null]);
    return { nodes, instances, cluster, groups, networks };
  } finally {
    client.close();
  }
}

/** @throws BackendError when the daemon cannot be asked @throws InputError for answers of no cluster */
export const readLuxi = async (path: string, limits: WireLimits): Promise<RawSnapshot> =>
  luxiCluster(await askAgain(() => askCluster(path, limits)), path);
