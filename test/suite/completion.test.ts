import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { completionList, completionScript } from '../../src/kit/cli/help/shell-completion.ts';
import { SHELLS } from '../../src/kit/cli/options/general-options.ts';
import { PROGRAM_NAMES, PROGRAMS } from '../../src/suite/programs.ts';
import { newFolder } from '../builders/folder.ts';

const hasShell = (shell: string): boolean => spawnSync(shell, ['-c', ':']).status === 0;

/** What bash would offer for the last of the words. */
function bashOffers(words: readonly string[]): readonly string[] {
  const program = words[0]!;
  const script = `${completionScript(PROGRAMS[program as 'hbal'], 'bash')}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length - 1}
    compopt() { :; }
    _evenkeel_${program}
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(stderr).to.equal('');
  return stdout.trim().split('\n');
}

describe('completion', () => {
  const folder = newFolder();

  it('lists options with the type of their arguments, in the order of the stock programs', () => {
    const lines = completionList(PROGRAMS.hail).split('\n');
    expect(lines.slice(0, 5)).to.deep.equal([
      '-p,--print-nodes none',
      '-S,--save none',
      '-t,--text-data file',
      '--simulate string',
      '-v,--verbose none',
    ]);
    expect(lines.slice(-5)).to.deep.equal([
      '-V,--version none',
      '-h,--help none',
      '--help-completion none',
      'file 1 1',
      '',
    ]);
    expect(completionList(PROGRAMS.hspace)).to.include(
      '--disk-template choices=diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext,gluster\n',
    );
  });

  for (const shell of SHELLS)
    it(`makes scripts that ${shell} can read`, function () {
      if (!hasShell(shell)) this.skip();
      const file = join(folder, `completion.${shell}`);
      for (const program of PROGRAM_NAMES) {
        writeFileSync(file, completionScript(PROGRAMS[program], shell));
        const check = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
        expect(`${check.status} ${check.stderr}`).to.equal('0 ');
      }
    });

  it('offers options, choices and files in bash', () => {
    expect(bashOffers(['hbal', '--no-'])).to.deep.equal([
      '--no-disk-moves',
      '--no-instance-moves',
      '--no-journal',
    ]);
    expect(bashOffers(['hbal', '--text-d'])).to.deep.equal(['--text-data=']);
    expect(bashOffers(['hbal', '--color', '=', 'a'])).to.deep.equal(['auto', 'always']);
    expect(bashOffers(['hspace', '--disk-template', 'd'])).to.deep.equal(['diskless', 'drbd']);
    expect(bashOffers(['hbal', '-t', 'package.j'])).to.deep.equal(['package.json']);
    expect(bashOffers(['hail', 'package.j'])).to.deep.equal(['package.json']);
  });

  it('offers commands in bash, and the second words of those that have them', () => {
    expect(bashOffers(['hclaim', 're'])).to.deep.equal(['renew', 'release', 'restore']);
    expect(bashOffers(['hclaim', '--db', 'x', 'p'])).to.deep.equal(['plan', 'prune', 'provider']);
    expect(bashOffers(['hclaim', '-v', 'inventory', ''])).to.deep.equal(['set', 'rm']);
    expect(bashOffers(['hclaim', 'inventory', 'set', ''])).to.deep.equal(['']);
    expect(bashOffers(['hbind', 'pod', 'm'])).to.deep.equal(['maintenance']);
    expect(bashOffers(['hclaim', 'claim', '--tt'])).to.deep.equal(['--ttl=']);
  });

  it('offers all commands in every shell', () => {
    for (const program of ['hclaim', 'hbind'] as const)
      for (const shell of SHELLS) {
        const script = completionScript(PROGRAMS[program], shell);
        for (const { words } of PROGRAMS[program].commands!) {
          const [first, second] = words.split(' ');
          expect(script, `${program} ${shell}`).to.match(new RegExp(`[( ']${first}[ ')]`));
          if (second) expect(script, `${program} ${shell}`).to.match(new RegExp(`[ ']${second}[ ';]`));
        }
      }
  });
});
