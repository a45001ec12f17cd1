import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { COMMON_PAGES } from '../../src/suite/manual.ts';
import { PROGRAM_NAMES } from '../../src/suite/programs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Names of the files of a folder that end in `ending`, without it, sorted. */
const namesIn = (folder: string, ending: string): readonly string[] =>
  readdirSync(`${ROOT}/${folder}`)
    .filter((file) => file.endsWith(ending) && statSync(`${ROOT}/${folder}/${file}`).isFile())
    .map((file) => file.slice(0, file.length - ending.length))
    .sort();

const PRODUCTS = ['htools', 'ledger', 'disk'];
/** Folder of what several programs use. */
const SHARED = 'shared';

describe('every program', () => {
  const manifest = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));

  it('has a main file', () => {
    const folders = PRODUCTS.flatMap((product) =>
      readdirSync(`${ROOT}/src/${product}/programs`, { withFileTypes: true }),
    ).filter((entry) => entry.isDirectory() && entry.name !== SHARED);
    expect(folders.map(({ name }) => name).sort()).to.deep.equal(PROGRAM_NAMES);
    for (const { parentPath, name } of folders)
      expect(readFileSync(`${parentPath}/${name}/main.ts`, 'utf8')).to.match(
        /^export (const|function|async function) main\b/m,
      );
  });

  it('has a launcher that can be run', () => {
    const launchers = namesIn('bin', '').filter((name) => name !== 'package.json');
    expect(launchers).to.deep.equal(PROGRAM_NAMES);
    for (const name of launchers) accessSync(`${ROOT}/bin/${name}`, constants.X_OK);
  });

  it('has a manual page', () => {
    expect(namesIn('man', '.1')).to.deep.equal(PROGRAM_NAMES);
  });

  it('is installed with its manual page', () => {
    expect(Object.keys(manifest.bin).sort()).to.deep.equal(PROGRAM_NAMES);
    for (const name of PROGRAM_NAMES) expect(manifest.bin[name]).to.equal(`bin/${name}`);
    expect([...manifest.man].sort()).to.deep.equal([
      ...COMMON_PAGES.map((page) => `man/${page}.7`).sort(),
      ...PROGRAM_NAMES.map((name) => `man/${name}.1`),
    ]);
  });

  it('has a row in the README', () => {
    const readme = readFileSync(`${ROOT}/README.md`, 'utf8');
    expect(PROGRAM_NAMES.filter((name) => !readme.includes(`\n| \`${name}\` |`))).to.deep.equal([]);
  });
});

describe('the page about the floor plan', () => {
  it('names every floor', () => {
    const page = readFileSync(`${ROOT}/docs/why/architecture.md`, 'utf8');
    const table = page.split('\n').filter((line) => line.startsWith('| `'));
    const floors = readdirSync(`${ROOT}/src`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const missing = floors.filter(
      ({ name }) => !table.some((line) => line.split('|')[1]!.includes(`\`${name}/`)),
    );
    expect(missing.map(({ name }) => name)).to.deep.equal([]);
  });
});
