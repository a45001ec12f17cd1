/** The floor plan of src/: which rooms there are, and what each may see. Every folder with files is a room and stands here. */

/**
 * Rooms by floor, from the ground up. A file imports from its own room and from the rooms of lower floors; what it may see on its
 * own floor stands in `NEIGHBOURS`.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ['stock', 'cluster', 'cluster/storage', 'cluster/prepare'],
  ['store'],
  [
    'model/state',
    'model/score',
    'model/rules',
    'model/moves',
    'model/redundancy',
    'model/redundancy/drbd',
    'model/redundancy/shared',
    'model/redundancy/packing',
  ],
  ['plan', 'plan/checker'],
  ['wings/claims/model', 'wings/claims/schema', 'wings/claims/tables', 'wings/claims/ledger'],
  [
    'planners/allocate',
    'planners/allocate/by-group',
    'planners/allocate/choose',
    'planners/allocate/explain',
    'planners/allocate/fill',
    'planners/answer',
    'planners/balance',
    'planners/balance/bounds',
    'planners/balance/scan',
    'planners/balance/steps',
    'planners/balance/threads',
    'planners/evacuate',
    'planners/groups/empty',
    'planners/groups/heal',
    'planners/groups/homes',
    'planners/groups/relocate',
    'planners/groups/spread',
  ],
  [
    'sources',
    'sources/files',
    'sources/iallocator',
    'sources/json',
    'sources/mond',
    'sources/simulate',
    'sources/text',
    'sources/usage',
    'report',
    'cli',
    'cli/help',
    'cli/options',
    'cli/parse',
    'workers',
    'workers/pool',
  ],
  [
    'programs',
    'programs/hail',
    'programs/hbal',
    'programs/hcheck',
    'programs/hcompress',
    'programs/hinfo',
    'programs/hredist',
    'programs/hspace',
    'programs/hspread',
    'programs/shared/balance',
    'programs/shared/cluster',
    'programs/shared/groups',
    'programs/shared/listings',
    'programs/shared/plan',
    'index.ts',
  ],
];

const SHARED = [
  'programs/shared/balance',
  'programs/shared/cluster',
  'programs/shared/groups',
  'programs/shared/listings',
  'programs/shared/plan',
];

/** The arrows between rooms of one floor: a room, and the rooms of its floor that it may import from. */
export const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  cluster: ['stock'],
  'cluster/storage': ['cluster'],
  'cluster/prepare': ['cluster', 'cluster/storage'],
  'model/score': ['model/state'],
  'model/rules': ['model/state'],
  'model/moves': ['model/state', 'model/score', 'model/rules'],
  'model/redundancy': ['model/state', 'model/moves', 'model/redundancy/drbd', 'model/redundancy/shared'],
  'model/redundancy/drbd': ['model/state', 'model/score', 'model/rules', 'model/moves'],
  'model/redundancy/shared': ['model/state', 'model/rules', 'model/redundancy/packing'],
  'plan/checker': ['plan'],
  'planners/allocate/by-group': ['planners/allocate', 'planners/allocate/choose'],
  'planners/allocate/choose': ['planners/allocate'],
  'planners/allocate/explain': ['planners/allocate/choose', 'planners/allocate/fill'],
  'planners/allocate/fill': ['planners/allocate', 'planners/allocate/choose'],
  'planners/answer': [
    'planners/allocate',
    'planners/allocate/by-group',
    'planners/allocate/choose',
    'planners/evacuate',
    'planners/groups/homes',
    'planners/groups/relocate',
  ],
  'planners/balance/scan': ['planners/balance'],
  'planners/balance/bounds': ['planners/balance/scan'],
  'planners/balance/threads': ['planners/balance/scan'],
  'planners/balance/steps': [
    'planners/balance',
    'planners/balance/bounds',
    'planners/balance/scan',
    'planners/balance/threads',
  ],
  'planners/evacuate': ['planners/allocate/by-group', 'planners/allocate/choose'],
  'planners/groups/empty': ['planners/groups/homes', 'planners/groups/relocate'],
  'planners/groups/heal': ['planners/groups/homes', 'planners/groups/relocate'],
  'planners/groups/homes': ['planners/allocate/choose', 'planners/groups/relocate'],
  'planners/groups/spread': ['planners/balance', 'planners/groups/homes', 'planners/groups/relocate'],
  'wings/claims/tables': ['wings/claims/model'],
  'wings/claims/ledger': ['wings/claims/model', 'wings/claims/schema', 'wings/claims/tables'],
  sources: [
    'sources/files',
    'sources/iallocator',
    'sources/mond',
    'sources/simulate',
    'sources/text',
    'sources/usage',
  ],
  'sources/iallocator': ['sources/files', 'sources/json'],
  'sources/mond': ['sources/files', 'sources/json'],
  'sources/text': ['sources/files'],
  'sources/usage': ['sources/files'],
  cli: ['cli/help', 'cli/options', 'cli/parse'],
  'cli/help': ['cli/options', 'cli/parse'],
  'cli/parse': ['cli/options'],
  report: ['cli'],
  'programs/hail': SHARED,
  'programs/hbal': SHARED,
  'programs/hcheck': SHARED,
  'programs/hcompress': SHARED,
  'programs/hinfo': [...SHARED, 'programs/hbal'],
  'programs/hredist': SHARED,
  'programs/hspace': SHARED,
  'programs/hspread': SHARED,
  'programs/shared/groups': ['programs/shared/cluster', 'programs/shared/plan'],
  'programs/shared/listings': ['programs/shared/plan'],
};

/** Rooms that see less than all that is below them: a folder (with the folders in it), and the folders that it may import from. */
export const VIEWS: Readonly<Record<string, readonly string[]>> = {
  report: ['stock', 'cluster', 'cli', 'report'],
  cli: ['stock', 'cluster', 'cli'],
  sources: ['stock', 'cluster', 'sources'],
  store: ['cluster', 'store'],
  wings: ['stock', 'cluster', 'store', 'wings'],
};

/** The folders whose files may touch files, networks, time, chance and the process. */
export const IO_FOLDERS: readonly string[] = ['store', 'sources', 'report', 'cli', 'workers', 'programs'];

/** Libraries that some folders keep to themselves, so that the others need not load them. */
export const LIBRARY_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  zod: ['sources'],
  yargs: ['cli'],
  chalk: ['report'],
  piscina: ['workers'],
  '@photostructure/sqlite': ['store'],
  pg: ['store'],
};

/** Whether `path` is `folder` or lies in it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);
