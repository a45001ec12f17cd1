/** All commands of bench/, by what they are for. */

interface About {
  /** In a few words, for the list that --help prints. */
  readonly about: string;
  /** The library is built as well, and everything anew. */
  readonly needsLibrary?: boolean;
}
/** A module that reads its words from the command line when it is loaded, these ahead; or words for mocha. */
export type Command = About &
  ({ readonly file: string; readonly words?: readonly string[] } | { readonly test: readonly string[] });

const TEST_HOURS = '3600000';

export const COMMANDS = {
  bench: {
    programs: { file: './run.ts', about: 'cpu time and memory of our programs and of the stock ones' },
    plans: { file: './htools/planners/search/plans.ts', about: 'the deep search against greedy steps' },
    bound: { file: './htools/planners/search/bound.ts', about: 'how far above the proven bound it ends' },
    'group-plans': { file: './htools/planners/groups/plans.ts', about: 'the deep search across groups' },
    evacuations: { file: './htools/planners/evacuate/plans.ts', about: 'evacuations by the deep search' },
    mending: {
      file: './htools/planners/mend/sizes.ts',
      about: 'what --only-rules comes to on large clusters',
    },
    claims: { file: './ledger/claims/run.ts', about: 'the ledger, on both databases' },
    pods: { file: './ledger/binding/speed.ts', about: 'hbind on 1,000 pods' },
    hplaced: { file: './ledger/programs/hplaced/speed.ts', about: 'hplaced over 10,000 hosts' },
    placement: {
      file: './ledger/programs/hplaced/beside-placement.ts',
      about: 'hplaced beside a real Placement',
    },
    layouts: { file: './disk/measure-layouts.ts', about: 'hdisk' },
  },
  check: {
    package: {
      test: ['--no-parallel', '--timeout', '300000', 'test/package/*.package.ts'],
      needsLibrary: true,
      about: 'packs the packages, installs them offline, compiles a consumer',
    },
    mutants: { file: './mutate.ts', about: 'small mistakes in the code: do the tests see them?' },
    mending: {
      test: ['--timeout', TEST_HOURS, 'test/htools/planners/mend/mend.property.test.ts'],
      about: 'mending against brute force, as often as PROPERTY_FACTOR says',
    },
    maintenances: {
      file: './htools/planners/maintain/roll.ts',
      about: 'rolling maintenances of random clusters against the checker',
    },
    live: { file: './htools/live/run.ts', about: 'against a real Ganeti, brought up for this' },
    soak: {
      file: './htools/live/run.ts',
      words: ['--parts=soak'],
      about: 'a fortnight of nights on a real Ganeti, in a quarter of an hour',
    },
    'hostile-servers': { file: './htools/hostile/run.ts', about: 'every program against bad servers' },
    shelltests: { file: './htools/shelltests/run.ts', about: "Ganeti's own offline shell tests" },
    pages: { file: './htools/pages/run.ts', about: 'the pages of --html in a real browser' },
    torture: { file: './ledger/claims/torture.ts', about: 'claims while processes are killed' },
    'power-loss': { file: './ledger/claims/power-loss.ts', about: 'claims while the power fails' },
    histories: { file: './ledger/binding/histories.ts', about: 'pods, asked and killed at random' },
    'hplaced-load': { file: './ledger/programs/hplaced/load.ts', about: 'hplaced under load, and killed' },
    'hplaced-attacks': {
      file: './ledger/programs/hplaced/attacks.ts',
      about: 'requests that could stop hplaced, with /healthz beside',
    },
    moving: { file: './ledger/moving/run.ts', about: 'a ledger into a real Placement, and back' },
    nova: {
      file: './ledger/programs/nova/run.ts',
      about: 'a real Nova and Keystone on hplaced, brought up for this',
    },
    gabbi: { file: './ledger/programs/gabbi/run.ts', about: "Placement's own HTTP tests against hplaced" },
  },
  compare: {
    stock: { file: './htools/compare.ts', about: 'our programs with the stock ones, byte for byte' },
    before: { file: './htools/before.ts', about: 'our programs with another build of them, byte for byte' },
    groups: {
      file: './htools/planners/groups/compare.ts',
      about: 'the group planners with trying everything',
    },
    placement: { file: './ledger/candidates/compare-placement.ts', about: "candidates with Placement's" },
    requests: {
      file: './ledger/programs/beside/run.ts',
      about: 'hplaced with a real Placement, asked the same at random',
    },
    expressions: { file: './disk/compare-expressions.ts', about: "expressions with Debian's python3-yaql" },
    solvers: { file: './disk/compare-solvers.ts', about: 'layouts of disks with a second solver' },
    layouts: { file: './disk/compare-fixtures.ts', about: "layouts of disks with Bareon's fixtures" },
  },
  fuzz: {
    programs: { file: './fuzz.ts', about: 'damaged input for all programs' },
    layouts: { file: './disk/fuzz-layouts.ts', about: 'damaged schemas for hdisk' },
    hplaced: { file: './ledger/programs/hplaced/hostile.ts', about: 'hostile requests to hplaced' },
  },
} as const satisfies Record<string, Record<string, Command>>;

export type Kind = keyof typeof COMMANDS;

export const isKind = (word: string): word is Kind => Object.hasOwn(COMMANDS, word);
