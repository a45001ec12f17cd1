import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { PROGRAM_NAMES } from '../../src/cli/options/program-table.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Names of the files of a folder that end in `ending`, without it, sorted. */
const namesIn = (folder: string, ending: string): readonly string[] =>
  readdirSync(`${ROOT}/${folder}`)
    .filter((file) => file.endsWith(ending) && statSync(`${ROOT}/${folder}/${file}`).isFile())
    .map((file) => file.slice(0, file.length - ending.length))
    .sort();

/** Folder of what several programs use. */
const SHARED = 'shared';

describe('every program', () => {
  const manifest = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));

  it('has a main file', () => {
    const folders = readdirSync(`${ROOT}/src/programs`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== SHARED)
      .map(({ name }) => name)
      .sort();
    expect(folders).to.deep.equal(PROGRAM_NAMES);
    for (const name of folders)
      expect(readFileSync(`${ROOT}/src/programs/${name}/main.ts`, 'utf8')).to.match(
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
    expect([...manifest.man].sort()).to.deep.equal(PROGRAM_NAMES.map((name) => `man/${name}.1`));
  });
});
