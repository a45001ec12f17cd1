import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { shellWord } from '../../../src/htools/plan/shell-word.ts';

describe('names in command lines', () => {
  it('stay as they are where Ganeti would allow them', () => {
    for (const name of ['web2', 'node-1.example.com', 'a_b', '10.0.0.1', 'fe80::1'])
      expect(shellWord(name)).to.equal(name);
  });

  for (const name of ['', 'a b', 'a;exit 3', "it's", '$(exit 3)', 'a\nb', '*', '~', '#x', 'grün'])
    it(`${JSON.stringify(name)} is one word to a shell, and itself`, () => {
      const script = `set -- ${shellWord(name)}; printf '%s|%s' "$#" "$1"`;
      expect(execFileSync('sh', ['-euc', script], { encoding: 'utf8' })).to.equal(`1|${name}`);
    });
});
