/** A made-up cluster (`--simulate`). */
import { loading, type Source } from '../parts/cluster-source.ts';

export const SIMULATE = {
  key: 'simulate',
  what: 'a made-up one',
  option: {
    kind: 'repeated',
    metavar: 'SPEC',
    isEveryday: true,
    help: 'make up equal nodes: policy,nodes,disk,mem,cpus',
    manual: `Makes up an empty group of equal nodes instead of reading one. _SPEC_ is
*policy*,*nodes*,*disk*,*memory*,*cpus*[,*spindles*[,*exclusive*]]: the allocation policy (*preferred*, *last_resort*,
*unallocable*, or *p*, *a*, *u*), the number of nodes, disk and memory of each (MiB, or with a unit as in *2t* and *64g*), its cpus,
its spindles, and *True* or *False* for exclusive storage. Each further use adds a group.`,
  },
  open: async (specs) => {
    const { simulateCluster } = await import('./simulate.ts');
    return loading(() => ({ snapshot: simulateCluster(specs), notes: [] }));
  },
} as const satisfies Source;
