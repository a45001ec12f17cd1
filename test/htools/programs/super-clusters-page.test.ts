import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ROOT, runInShell } from '../../suite/run-built.ts';

const PAGE = readFileSync(`${ROOT}/docs/how-to/super-clusters.md`, 'utf8');
const EXAMPLE = /^```console\n\$ (.+)\n([\s\S]*?)\n```$/gm;

/** What a shell prints for a command of the page, without blanks at the ends of lines. */
function printed(command: string): string {
  const { stdout } = runInShell(command);
  return stdout.replaceAll(/ +$/gm, '').trimEnd();
}

describe('the page on super clusters', () => {
  const examples = [...PAGE.matchAll(EXAMPLE)];

  it('has an example of each program', () => {
    const programs = new Set(examples.map(([, command]) => command!.split(' ')[0]));
    expect([...programs].sort()).to.deep.equal(['hbal', 'hcompress', 'hinfo', 'hredist', 'hspread']);
  });

  for (const [, command, output] of examples)
    it(`shows what ${command} prints`, () => {
      expect(printed(command!)).to.equal(output);
    });
});
