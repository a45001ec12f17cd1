/** A cluster from a text file (`-t`). */
import { readInput } from '../../../kit/files/read-input.ts';
import { loading, type Source } from '../parts/cluster-source.ts';

export const TEXT = {
  key: 'textFile',
  what: 'a file',
  isSole: true,
  option: {
    name: 'text-data',
    short: 't',
    kind: 'text',
    metavar: 'FILE',
    completion: 'file',
    isEveryday: true,
    help: 'read a saved cluster from FILE',
    manual: `Reads the cluster from _FILE_: five sections (groups, nodes, instances, cluster tags, policies) separated by empty lines,
with fields separated by *|*. This is the format that *--save* writes. *-* is standard input.`,
  },
  open: async ([file]) => {
    const { readText } = await import('./text.ts');
    return loading(() => readText(readInput(file), file));
  },
} as const satisfies Source;
