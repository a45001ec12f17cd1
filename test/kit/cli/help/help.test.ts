import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { helpText } from '../../../../src/kit/cli/help/help.ts';
import { VERSION, versionText } from '../../../../src/kit/cli/help/version.ts';
import { PROGRAM_NAMES, PROGRAMS } from '../../../../src/suite/programs.ts';

describe('--help', () => {
  for (const program of PROGRAM_NAMES)
    it(`shows every option of ${program} within 80 columns`, async () => {
      const lines = (await helpText(PROGRAMS[program])).split('\n');
      expect(lines[0]).to.match(new RegExp(`^Usage: ${program} `));
      expect(lines.filter((line) => line.length > 80)).to.deep.equal([]);
      for (const { name, short } of Object.values(PROGRAMS[program].options)) {
        const start = short ? `  -${short}, --${name}` : `      --${name}`;
        expect(lines.some((line) => line.startsWith(start))).to.equal(true, start);
      }
    });

  it('breaks no word, says no default twice, and shows commands in two columns', async () => {
    for (const program of PROGRAM_NAMES) {
      const text = await helpText(PROGRAMS[program]);
      const words = new Set(text.split(/\s+|(?=\[default)/));
      for (const { name, help, default: usual } of Object.values(PROGRAMS[program].options)) {
        for (const word of help.split(' ')) expect(words, `--${name}`).to.include(word);
        if (typeof usual === 'string' || typeof usual === 'number')
          expect(help, `--${name}`).to.not.include('(default');
      }
    }
    const lines = (await helpText(PROGRAMS.hclaim)).split('\n');
    expect(lines).to.include('  release CONSUMER...   give everything back');
  });

  it('names arguments, tells optional from required ones, and gives defaults', async () => {
    const text = await helpText(PROGRAMS.hbal);
    expect(text).to.match(/-C, --print-commands\[=FILE\] /);
    expect(text).to.match(/-l, --max-length=N .*\n.*\[default: -1\]/);
  });
});

describe('--version', () => {
  it("is package.json's", () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
    );
    expect(VERSION).to.equal(version);
    expect(versionText('hbal')).to.match(/^hbal \(evenkeel\) \d+\.\d+\.\d+\nNode\.js /);
  });
});
