import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseWords } from '../../bench/arguments.ts';
import { compareWithStock, OPTIONS } from '../../bench/htools/compare.ts';
import { launcherOf } from '../../bench/launchers.ts';
import { newFolder } from '../builders/folder.ts';
import { itInLongRun } from '../builders/seeds.ts';

/**
 * A stand-in that shows its arguments and input, so that it can be compared with no stock program installed.
 */
const FAITHFUL = '#!/bin/sh\necho "score: 1.25000000"\necho "$@"\n';

async function compare(...words: string[]): Promise<{ status: number; stdout: string }> {
  const lines: string[] = [];
  const patient = ['--timeout', '120', ...words];
  const status = await compareWithStock(parseWords(patient, OPTIONS).values, (line) => lines.push(line));
  return { status, stdout: `${lines.join('\n')}\n` };
}

describe('npm run compare -- stock', () => {
  let folder: string;

  const program = (name: string, script: string): string => {
    const place = mkdtempSync(join(folder, 'programs-'));
    writeFileSync(join(place, name), script);
    chmodSync(join(place, name), 0o755);
    return place;
  };

  beforeEach(() => {
    folder = newFolder();
  });

  it('finds a program the same as itself', async () => {
    const place = program('hinfo', FAITHFUL);
    const run = await compare('--programs', 'hinfo', '--count', '3', '--stock', place, '--ours', place);
    expect(run.stdout).to.match(/^hinfo +3 +0 +0 +0 +0 +0 +0 +0 /m);
    expect(run.status).to.equal(0);
  });

  it('notices one wrong digit and says how to see it again', async () => {
    const stock = program('hinfo', FAITHFUL);
    const ours = program('hinfo', FAITHFUL.replace('1.25000000', '1.25000001'));
    const json = join(folder, 'cases.jsonl');
    const run = await compare(
      '--programs',
      'hinfo',
      '--count',
      '2',
      '--seed',
      '7',
      '--stock',
      stock,
      '--ours',
      ours,
      '--json',
      json,
    );
    expect(run.status).to.equal(1);
    expect(run.stdout).to.match(/^hinfo +0 +0 +0 +0 +2 /m);
    expect(run.stdout).to.contain('npm run compare -- stock --programs hinfo --seed 8 --count 1');
    const cases = readFileSync(json, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(cases.map(({ seed, verdict }) => [seed, verdict])).to.deep.equal([
      [7, 'different'],
      [8, 'different'],
    ]);
    expect(cases[0].difference).to.deep.include({ where: 'stdout', line: 1, ours: 'score: 1.25000001' });
  });

  itInLongRun('notices a step that the stock program would not take', async function () {
    const stock = launcherOf('hbal', 'stock');
    if (stock === undefined) this.skip();
    const ours = program(
      'hbal',
      `#!/bin/sh\n[ "$1" != -I ] || exit 0\nfor word; do shift; case $word in --require-group | --stock-figures) ;; *) set -- "$@" "$word" ;; esac; done\n${stock} "$@" | sed 's/ a=f$/ a=r:node99/'\n`,
    );
    const run = await compare('--programs', 'hbal', '--count', '12', '--ours', ours);
    expect(run.status).to.equal(1);
    expect(run.stdout).to.contain('a=r:node99');
  });

  it('says what to install, with a status of its own, where there is no stock program', async () => {
    const said: unknown[] = [];
    const { error } = console;
    console.error = (line) => said.push(line);
    try {
      const { status } = await compare('--programs', 'hinfo', '--stock', folder, '--ours', folder);
      expect(status).to.equal(3);
    } finally {
      console.error = error;
    }
    expect(said.join()).to.contain('apt-get install ganeti-htools');
  });
});
