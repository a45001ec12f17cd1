/** A live cluster over the socket of its master daemon (`-L`); empty: that of the master on this machine. */
import { loading, type Source } from '../parts/cluster-source.ts';

export const LUXI = {
  key: 'luxiSocket',
  what: 'a live cluster',
  isSole: true,
  option: {
    name: 'luxi',
    short: 'L',
    kind: 'text',
    metavar: 'SOCKET',
    bare: '',
    completion: 'file',
    isEveryday: true,
    help: 'read the cluster on its master node',
    manual: `Reads the cluster from its master daemon over LUXI, on the master node itself: at */var/run/ganeti/socket/ganeti-query* (under
the folder *GANETI_ROOTDIR* where that is set), or at _SOCKET_. Only root and the daemons' group may use it.`,
  },
  open: async ([socket], { limits }) => {
    const { luxiPath, readLuxi } = await import('./read-luxi.ts');
    return loading(async () => ({ snapshot: await readLuxi(luxiPath(socket), limits), notes: [] }));
  },
} as const satisfies Source;
