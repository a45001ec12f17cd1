/** A live cluster over RAPI, or a folder with its answers (`-m`). */
import { loading, type Source } from '../parts/cluster-source.ts';

export const RAPI = {
  key: 'rapiAddress',
  what: 'a live cluster',
  isSole: true,
  option: {
    name: 'master',
    short: 'm',
    kind: 'text',
    metavar: 'ADDRESS',
    completion: 'host',
    isEveryday: true,
    help: 'read the cluster over RAPI: HOST, URL, folder',
    manual: `Reads the cluster over Ganeti's remote API, from anywhere. _ADDRESS_ is a host, *HOST:PORT*, a URL, or *file://*_FOLDER_ with the
answers in *groups.json*, *nodes.json*, *instances.json*, *info.json* and, where there is one, *networks.json*. The default port is 5080. Since Ganeti's certificates are
self-signed, the server's is *not* verified unless *--rapi-ca* or *--rapi-fingerprint* says what to trust: an attacker between you and it could
make up a cluster. A password is not sent to such a server (*--rapi-insecure*).`,
  },
  open: async ([address], wire) => {
    const { readRapi } = await import('./read-rapi.ts');
    return loading(async () => ({ snapshot: await readRapi(address, wire), notes: [] }));
  },
} as const satisfies Source;
