import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT, runBuilt, runInShell } from './run-built.ts';

/** What people want first: the command that README.md gives, and what of its answer they are after. */
const TASKS: readonly (readonly [task: string, command: string, answer: RegExp])[] = [
  ['a first plan', 'hbal -L', /^ +1\. .*\n[\s\S]*^Solution length=\d/m],
  ['why an instance is still where it is', 'hbal -L --why=web1', /^It stays because no move that the rules/m],
  ['a cheap plan for tonight', 'hbal -L --budget=2h', /^Price: [^;]*; +about \d+ min at 100 MiB\/s$/m],
  ['whether rack c may be switched off', 'hcompress -L -G rack-c', /^ +1\. rack-c: 4 instances move/m],
  ['for a reboot', 'hroller -L -G rack-c --plan', /^Maintenance of 3 nodes in \d rounds?$/m],
  ['which node cannot be lost', 'hinfo -L --n1', /^ a1\.example\.com +rack-a +3 no +2048 MiB of memory/m],
  [
    'bursts first',
    'hinfo -L --n1',
    /^Fullest, .* memory of b1 \(39%\), disk of b1 \(39%\),\s+virtual cpus of a1/m,
  ],
];

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

describe('what people want first', () => {
  for (const [task, command, answer] of TASKS) {
    const words = command.split(' ');

    it(`is found in the README, and answered by what stands there: ${task}`, () => {
      const shown = command.replace('web1', 'INSTANCE');
      const rows = readme.split('\n').filter((line) => line.includes(task) && line.includes(`\`${shown}`));
      expect(rows).to.have.length(1);
      const { status, stdout } = runBuilt(
        command.replace('-L', '-t testdata/super.data').replace(/--budget.*/, '$& --effort=0.01 --jobs=1'),
      );
      expect(status).to.equal(0);
      expect(stdout).to.match(answer);
    });

    it(`is found from the help of ${words[0]}, too: ${command}`, () => {
      const { stdout } = runBuilt(`${words[0]} --help`);
      for (const option of words.filter((word) => word.startsWith('-')))
        expect(stdout).to.match(new RegExp(`^ +(?:-\\w, )?${option.split('=')[0]}\\b`, 'm'));
    });
  }

  it('is told what tags there are when no node has the one that was asked for', () => {
    const none = runBuilt('hroller -t testdata/super.data --node-tags=rack:c --plan');
    expect(none.stderr).to.equal(
      'Error: Cannot create node graph\nMaybe leave out --node-tags: no node has the tag rack:c, nor any other\n',
    );
    const other = runInShell(
      'hroller -t testdata/super.data --what-if="tag node c1 +rack-c" --node-tags=rack:c',
    );
    expect(other.stderr).to.include(
      'Maybe give one of their tags with --node-tags: rack-c; no node has the tag rack:c\n',
    );
    const some = runInShell(
      'hroller -t testdata/super.data --what-if="tag node c1 +rack-c" --node-tags=rack-c,rack:d --force',
    );
    expect(some.status).to.equal(0);
    expect(some.stderr).to.include("Warning: --node-tags: no node has the tag 'rack:d'\n");
    expect(runBuilt('hroller -t testdata/small.data --node-tags=').stderr).to.equal(
      'Warning: --node-tags is empty, and names nothing\nError: Cannot create node graph\nMaybe name tags with --node-tags, or leave it out\n',
    );
  });
});
