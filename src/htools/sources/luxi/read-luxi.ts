/** Reads a cluster from its master daemon (`-L`). */
import type { RawSnapshot } from '../../cluster/snapshot.ts';
import { LuxiClient } from '../../ganeti/luxi/client.ts';
import { checkSocketPath, masterSocket } from '../../ganeti/luxi/socket-path.ts';
import { askAgain } from '../../ganeti/wire/connection-cut.ts';
import type { WireLimits } from '../../ganeti/wire/limits.ts';
import { type LuxiAnswers, luxiCluster } from './luxi-cluster.ts';
import { GROUP_FIELDS, INSTANCE_FIELDS, NODE_FIELDS } from './queries.ts';

/** The socket that `-L` means: the one it names, or that of the master on this machine. */
export const luxiPath = (named: string): string =>
  checkSocketPath(named === '' ? masterSocket(process.env.GANETI_ROOTDIR) : named);

/** One connection, four calls one after another, as the stock programs make them. */
async function askCluster(path: string, limits: WireLimits): Promise<LuxiAnswers> {
  const client = await LuxiClient.connect(path, limits);
  try {
    const nodes = await client.call('Query', ['node', NODE_FIELDS, null]);
    const instances = await client.call('Query', ['instance', INSTANCE_FIELDS, null]);
    const cluster = await client.call('QueryClusterInfo', []);
    const groups = await client.call('Query', ['group', GROUP_FIELDS, null]);
    return { nodes, instances, cluster, groups };
  } finally {
    client.close();
  }
}

/** @throws BackendError when the daemon cannot be asked @throws InputError for answers of no cluster */
export const readLuxi = async (path: string, limits: WireLimits): Promise<RawSnapshot> =>
  luxiCluster(await askAgain(() => askCluster(path, limits)), path);
