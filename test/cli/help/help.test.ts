import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { helpText } from '../../../src/cli/help/help.ts';
import { VERSION, versionText } from '../../../src/cli/help/version.ts';
import { OPTIONS } from '../../../src/cli/options/option-table.ts';
import type { OptionDefinition } from '../../../src/cli/options/owners/option.ts';
import { PROGRAM_NAMES, programDefinition } from '../../../src/cli/options/program-table.ts';

describe('--help', () => {
  for (const program of PROGRAM_NAMES)
    it(`shows every option of ${program} within 80 columns`, async () => {
      const lines = (await helpText(program)).split('\n');
      expect(lines[0]).to.match(new RegExp(`^Usage: ${program} `));
      expect(lines.filter((line) => line.length > 80)).to.deep.equal([]);
      for (const key of programDefinition(program).options) {
        const { name, short }: OptionDefinition = OPTIONS[key];
        const start = short ? `  -${short}, --${name}` : `      --${name}`;
        expect(lines.some((line) => line.startsWith(start))).to.equal(true, start);
      }
    });

  it('names arguments, tells optional from required ones, and gives defaults', async () => {
    const text = await helpText('hbal');
    expect(text).to.match(/-C, --print-commands\[=FILE\] /);
    expect(text).to.match(/-l, --max-length=N .*\n.*\[default: -1\]/);
  });
});

describe('--version', () => {
  it("is package.json's", () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(VERSION).to.equal(version);
    expect(versionText('hbal')).to.match(/^hbal \(evenkeel\) \d+\.\d+\.\d+\nNode\.js /);
  });
});
