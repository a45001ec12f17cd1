/**
 * The packages as users get them: packed, installed without a network, run, imported and compiled against.
 * `npm run check -- package` runs this; it is no part of `npm test`, since packing takes a whole build.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { COMMON_PAGES } from '../../src/suite/manual.ts';
import { PROGRAM_NAMES } from '../../src/suite/programs.ts';
import { CONSUMER, CONSUMER_PRINTS, LEDGER_CONSUMER, LEDGER_CONSUMER_PRINTS } from './consumer.ts';
import { tryPrograms, tryServer } from './try-programs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

const CONSUMER_CONFIG = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
    types: ['node'],
  },
  files: ['consumer.ts'],
};

/** Measured, in MB: 2.80, 9.4 (most of it SQLite for four systems) and 1.57. */
const MOST_BYTES = { evenkeel: 2_810_000, 'evenkeel-ledger': 9_500_000, 'evenkeel-disk': 2_000_000 };
type Name = keyof typeof MOST_BYTES;
const NAMES = Object.keys(MOST_BYTES) as readonly Name[];
/** Processor time of an installation: by the clock, a busy machine takes many times what an idle one does. */
const MOST_CPU_SECONDS = 10;

/** Libraries that each package has bundled, and that the others must not have. */
const OWN_LIBRARIES: Readonly<Record<Name, readonly string[]>> = {
  evenkeel: ['cli-table3', 'piscina', 'yaml'],
  'evenkeel-ledger': ['@photostructure/sqlite', 'pg', 'fastify', 'ajv', 'cli-table3', 'piscina'],
  'evenkeel-disk': ['cli-table3', 'highs', 'yaml'],
};

interface Bom {
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly {
    readonly name: string;
    readonly group?: string;
    readonly version: string;
  }[];
}

/** What scripts/packages/nodes.mjs has. */
interface Nodes {
  readonly TRIED: readonly string[];
  readonly nodeFolder: (version: string) => string;
}

describe('the packages', () => {
  let folder: string;
  let packed: ReadonlyMap<string, string>;

  const run = (command: string, words: readonly string[], cwd = folder): string => {
    const { status, stdout, stderr, error } = spawnSync(command, words, { cwd, encoding: 'utf8' });
    if (status !== 0)
      expect.fail(`${command} ${words.join(' ')}: exit ${status}\n${error ?? ''}${stdout}${stderr}`);
    return stdout;
  };
  /** Installs packages in a place of their own, without a network. @returns seconds of processor time */
  function install(place: string, ...names: readonly Name[]): number {
    mkdirSync(join(folder, place));
    writeFileSync(join(folder, place, 'package.json'), '{ "type": "module" }\n');
    const files = names.map((name) => packed.get(name)!);
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    const words = ['install', '--offline', '--cache', join(folder, 'empty-cache'), ...quiet, ...files];
    const timed = ['-c', 'TIMEFORMAT="%U %S"; { time npm "$@" >&2; } 2>&1', 'npm', ...words];
    const [user, system] = run('bash', timed, join(folder, place)).trim().split('\n').at(-1)!.split(' ');
    return Number(user) + Number(system);
  }
  const installed = (place: string, name: Name): string => join(folder, place, 'node_modules', name);
  const programs = (place: string): readonly string[] =>
    readdirSync(join(folder, place, 'node_modules/.bin'));

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-package-'));
    const files = run(process.execPath, ['scripts/packages/pack.mjs', '--out', folder], ROOT)
      .trim()
      .split('\n');
    packed = new Map(NAMES.map((name) => [name, files.find((file) => file.includes(`/${name}-0`))!]));
    expect(install('all', ...NAMES)).to.be.below(MOST_CPU_SECONDS);
    expect(install('htools', 'evenkeel')).to.be.below(MOST_CPU_SECONDS);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('bring all programs, and they run', async () => {
    expect([...programs('all')].sort()).to.deep.equal([...PROGRAM_NAMES].sort());
    const places = {
      '%D': join(installed('all', 'evenkeel'), 'testdata'),
      '%S': join(installed('all', 'evenkeel-disk'), 'testdata'),
      '%L': join(folder, 'ledger.db'),
    };
    const bin = (name: string): string => join(folder, 'all/node_modules/.bin', name);
    tryPrograms(PROGRAM_NAMES, places, (name) => [bin(name)]);
    await tryServer(places['%L'], [bin('hplaced')]);
    const pg = `require('${installed('all', 'evenkeel-ledger')}/dist/vendor/pg.cjs').Pool.name`;
    expect(run(process.execPath, ['-e', pg])).to.equal('');
  });

  it('install nothing but themselves', () => {
    const modules = (place: string): readonly string[] =>
      readdirSync(join(folder, place, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(modules('all')).to.deep.equal([...NAMES].sort());
    expect(modules('htools')).to.deep.equal(['evenkeel']);
    for (const name of NAMES)
      expect(existsSync(join(installed('all', name), 'node_modules'))).to.equal(false);
  });

  it('have the pages that theirs refer to, and links that lead somewhere', () => {
    for (const name of NAMES) {
      const place = installed('all', name);
      for (const page of COMMON_PAGES)
        expect(existsSync(join(place, `man/${page}.7`)), `${name}: ${page}`).to.equal(true);
      for (const file of ['README.md', 'CHANGELOG.md']) {
        const links = [...readFileSync(join(place, file), 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(
          ([, to]) => to!,
        );
        expect(links.length, file).to.be.above(3);
        expect(links.filter((to) => !/^https:|^#/.test(to))).to.deep.equal([]);
      }
    }
  });

  it('are small', () => {
    for (const [name, most] of Object.entries(MOST_BYTES))
      expect(statSync(packed.get(name)!).size, name).to.be.below(most);
  });

  it('leave database, server and solver out of evenkeel, which says what it lacks', () => {
    expect(readdirSync(join(installed('htools', 'evenkeel'), 'dist/vendor')).sort()).to.deep.equal([
      'chalk.cjs',
      'cli-table3.cjs',
      'fastest-levenshtein.cjs',
      'package.json',
      'piscina.cjs',
      'worker.js',
      'yargs.cjs',
    ]);
    const words = ['-t', join(installed('htools', 'evenkeel'), 'testdata/small.data'), '--ledger', 'none.db'];
    const { status, stdout, stderr } = spawnSync(join(folder, 'htools/node_modules/.bin/hbal'), words, {
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).to.deep.equal({
      status: 1,
      stdout: '',
      stderr:
        'Error: --ledger: the package evenkeel-ledger is not installed\nMaybe install it with npm, or as a Debian package\n',
    });
  });

  it('say whose work is in them, as text and as a list of components', () => {
    const all = new Set(Object.values(OWN_LIBRARIES).flat());
    for (const name of NAMES) {
      const file = (path: string): string => readFileSync(join(installed('all', name), path), 'utf8');
      const inText = [...file('LICENSES.txt').matchAll(/^(\S+) (\d+\.\d+\.\d+\S*)$/gm)].map(([line]) => line);
      const bom: Bom = JSON.parse(file('bom.cdx.json'));
      const inBom = bom.components.map(
        (one) => `${one.group ? `${one.group}/` : ''}${one.name} ${one.version}`,
      );
      expect(bom.metadata.component.name).to.equal(name);
      expect([...new Set(inBom)].sort()).to.deep.equal([...new Set(inText)].sort());
      const libraries = [...all].filter((library) => inBom.some((one) => one.startsWith(`${library} `)));
      expect(libraries, name).to.have.members(OWN_LIBRARIES[name] as string[]);
    }
  });

  it('have the schemas of all documents', () => {
    const schemas = NAMES.flatMap((name) => readdirSync(join(installed('all', name), 'schemas')));
    expect(schemas.sort()).to.deep.equal(readdirSync(join(ROOT, 'schemas')).sort());
  });

  it('bring examples and no other test data', () => {
    expect(readdirSync(join(installed('all', 'evenkeel'), 'testdata')).sort()).to.deep.equal([
      'small-allocate.json',
      'small.data',
      'super.data',
    ]);
    for (const name of NAMES) expect(existsSync(join(installed('all', name), 'test'))).to.equal(false);
  });

  it('keep compiled forms where they are told to, and never by themselves', () => {
    const home = installed('all', 'evenkeel');
    const keptForms = (): readonly string[] =>
      readdirSync(join(home, 'dist')).filter((name) => name.endsWith('.cache'));
    expect(keptForms()).to.deep.equal([]);
    run('npm', ['run', '--silent', 'keep-compiled'], home);
    expect(keptForms()).to.include.members(['hail.cjs.cache', 'hbal.cjs.cache']);
  });

  it('run on the oldest Node and on the newest, also where another one has compiled them', async () => {
    const places = {
      '%D': join(installed('all', 'evenkeel'), 'testdata'),
      '%S': join(installed('all', 'evenkeel-disk'), 'testdata'),
    };
    const script = new URL('../../scripts/packages/nodes.mjs', import.meta.url).href;
    const nodes: Nodes = await import(script);
    expect(readdirSync(join(installed('all', 'evenkeel'), 'dist'))).to.include('hail.cjs.cache');
    for (const version of nodes.TRIED) {
      const node = join(nodes.nodeFolder(version), 'bin/node');
      const [ledger, bin] = [join(folder, `${version}.db`), join(folder, 'all/node_modules/.bin')];
      tryPrograms(PROGRAM_NAMES, { ...places, '%L': ledger }, (name) => [node, join(bin, name)]);
      await tryServer(ledger, [node, join(bin, 'hplaced')]);
    }
  });

  it('declare types that need no library: not even zod, of which the documents are made', () => {
    for (const name of ['evenkeel', 'evenkeel-ledger'] as const) {
      const place = installed('all', name);
      const files = readdirSync(place, { recursive: true, encoding: 'utf8' });
      const declarations = files.filter((file) => file.endsWith('.d.ts'));
      expect(declarations, name).not.to.deep.equal([]);
      for (const file of declarations) {
        const needed = readFileSync(join(place, file), 'utf8').matchAll(/(?:from|import\() *'([^'.][^']*)'/g);
        const libraries = [...needed].map(([, library]) => library!);
        expect(
          libraries.filter((library) => !library.startsWith('node:') && library !== 'evenkeel'),
          file,
        ).to.deep.equal([]);
      }
    }
  });

  const consume = (place: string, source: string): string => {
    writeFileSync(join(folder, place, 'consumer.ts'), source);
    writeFileSync(join(folder, place, 'tsconfig.json'), JSON.stringify(CONSUMER_CONFIG));
    run(process.execPath, [TSC, '-p', join(folder, place)]);
    const data = join(installed(place, 'evenkeel'), 'testdata');
    return run(process.execPath, ['consumer.js', data], join(folder, place));
  };

  it('are libraries that a strict consumer compiles against and runs, with evenkeel alone', () => {
    expect(consume('htools', CONSUMER)).to.equal(CONSUMER_PRINTS);
  });

  it('are for CommonJS, too', () => {
    const place = join(folder, 'htools');
    const config = { ...CONSUMER_CONFIG, files: ['consumer.cts'] };
    writeFileSync(
      join(place, 'consumer.cts'),
      "import { InputError } from 'evenkeel';\nimport { howManyFit } from 'evenkeel/allocate';\n" +
        "console.log(new InputError('x', []).name, howManyFit.length);\n",
    );
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config));
    run(process.execPath, [TSC, '-p', place]);
    expect(run(process.execPath, ['consumer.cjs'], place)).to.equal('InputError 2\n');
  });

  it('and with the ledger', () => {
    expect(consume('all', LEDGER_CONSUMER)).to.equal(LEDGER_CONSUMER_PRINTS);
  });
});
