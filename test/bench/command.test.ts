import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { listOf } from '../../bench/command.ts';
import { COMMANDS, type Command } from '../../bench/commands.ts';
import { itInLongRun } from '../builders/seeds.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MOST_SCRIPTS = 15;

const start = (...words: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'bench/command.ts', ...words], {
    cwd: ROOT,
    encoding: 'utf8',
  });

describe('the commands of bench/', () => {
  const all = Object.entries(COMMANDS).flatMap(([kind, commands]) =>
    Object.entries(commands as Record<string, Command>).map(([name, command]) => ({ kind, name, command })),
  );

  it('tell how they are started in their own usage', () => {
    for (const { kind, name, command } of all)
      if ('file' in command) {
        // The words of `live` and `nova` are read in files of their own.
        const file = command.file.replace(/(live|nova)\/run\.ts/, '$1/$1-arguments.ts');
        const source = readFileSync(`${ROOT}/bench/${file}`, 'utf8');
        expect(source, command.file).to.match(
          new RegExp(`(usage: |readSizes\\(')npm run ${kind} -- ${name}\\b`),
        );
      }
  });

  it('are listed by --help', () => {
    for (const name of Object.keys(COMMANDS.fuzz))
      expect(listOf('fuzz')).to.match(new RegExp(`^  ${name} `, 'm'));
  });

  it('are refused with the list where a name is none', () => {
    const { status, stderr } = start('compare', 'constructor');
    expect(status).to.equal(2);
    expect(stderr).to.equal(`Error: There is no 'constructor'\n${listOf('compare')}\n`);
  });

  it('fail where what they wait for never comes', () => {
    const command = `import('./bench/command.ts').then(({ toItsEnd }) => toItsEnd(new Promise(() => {}), 'torture'))`;
    const words = ['--import', 'tsx', '--input-type=module', '-e', command];
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
    expect([status, stderr]).to.deep.equal([1, 'Error: torture waits for what never comes\n']);
  });

  itInLongRun('get the words behind their name', () => {
    const { status, stdout } = start('compare', 'solvers', '--help');
    expect(status).to.equal(0);
    expect(stdout).to.match(/^usage: npm run compare -- solvers /);
  });

  it('have one script of package.json for each kind, and there are few others', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
    for (const kind of Object.keys(COMMANDS))
      expect(scripts[kind]).to.equal(`node --import tsx bench/command.ts ${kind}`);
    expect(Object.keys(scripts).length).to.be.at.most(MOST_SCRIPTS);
  });
});
