/** The packages that are made of the build: what each is for, and what belongs to it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * `pages`: manual pages about all programs; `folder`: the folder of src whose programs and threads it has;
 * `library`: its subpaths, by the files of src/api; `port`: a subpath for another package alone, and
 * `imports`: what is loaded by way of package.json; `examples`: clusters to try it on, which its compiled
 * forms are trained with, too.
 */
export const PRODUCTS = [
  {
    name: 'evenkeel',
    pages: ['man/evenkeel-plans.7', 'man/evenkeel.7'],
    folder: 'htools',
    summary:
      "Places, balances, repairs and compresses clusters of virtual machines; takes the place of Ganeti's htools",
    library: {
      '.': 'index',
      './allocate': 'allocate',
      './groups': 'groups',
      './plan': 'plan',
      './redundancy': 'redundancy',
    },
    imports: { '#promises': 'evenkeel-ledger/promises' },
    examples: ['small.data', 'super.data', 'small-allocate.json'],
  },
  {
    name: 'evenkeel-ledger',
    folder: 'ledger',
    summary:
      'A ledger of who was promised what on clusters of virtual machines: claims, candidates, pods, and a service',
    library: { '.': 'claims' },
    port: { './promises': 'dist/apart/promises.cjs' },
    examples: ['small.data'],
  },
  {
    name: 'evenkeel-disk',
    folder: 'disk',
    summary:
      'Lays out the disks of nodes: schemas of spaces become exact sizes, or the requirements that clash',
    library: {},
    examples: ['disks/storage-node.yaml', 'disks/rack/node1.yaml'],
  },
];

/** Names of the programs of a product: what has a folder of its own, with a main file. */
export function programsOf({ folder }) {
  const programs = join(ROOT, 'src', folder, 'programs');
  return readdirSync(programs).filter((name) => existsSync(join(programs, name, 'main.ts')));
}
