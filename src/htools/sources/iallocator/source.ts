/** A cluster from a request of the allocator, whose question is not looked at (`-I`). */
import { readInput } from '../../../kit/files/read-input.ts';
import { loading, type Source } from '../parts/cluster-source.ts';

export const IALLOCATOR = {
  key: 'iallocatorFile',
  what: 'a file',
  option: {
    name: 'ialloc-src',
    short: 'I',
    kind: 'text',
    metavar: 'FILE',
    completion: 'file',
    help: 'read a request to an allocator from FILE',
    manual: `Reads the cluster from _FILE_, a JSON document such as Ganeti passes to *hail*(1). Only the cluster in it is used, not the request.`,
  },
  open: async ([file]) => {
    const { parseIallocatorCluster } = await import('./iallocator.ts');
    const content = await loading(() => readInput(file));
    // What is wrong inside of a message is said as hail says it.
    return { snapshot: parseIallocatorCluster(content, file), notes: [] };
  },
} as const satisfies Source;
