import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { helpText } from '../../../../src/kit/cli/help/help.ts';
import { VERSION, versionText } from '../../../../src/kit/cli/help/version.ts';
import { EVERYDAY } from '../../../../src/kit/cli/options/general-options.ts';
import type { OptionTable } from '../../../../src/kit/cli/options/option.ts';
import { optionTable } from '../../../../src/kit/cli/options/option-table.ts';
import { parseCommandLine } from '../../../../src/kit/cli/parse/parse.ts';
import { UsageError } from '../../../../src/kit/faults.ts';
import { PROGRAM_NAMES, PROGRAMS, type ProgramName } from '../../../../src/suite/programs.ts';

/** All options of a program, which several tests read. */
const wholeHelp = new Map<ProgramName, Promise<string>>();
function wholeHelpOf(program: ProgramName): Promise<string> {
  if (!wholeHelp.has(program)) wholeHelp.set(program, helpText(PROGRAMS[program], 'all'));
  return wholeHelp.get(program)!;
}

describe('--help', () => {
  for (const program of PROGRAM_NAMES) {
    it(`fits a screen for ${program}, with three examples and what is used every day`, async () => {
      const { options } = PROGRAMS[program];
      const text = await helpText(PROGRAMS[program], EVERYDAY);
      expect(text.split('\n')).to.have.length.at.most(40 + 1);
      expect(text.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
      expect(text.match(new RegExp(`^  ${program} `, 'gm'))).to.have.length(3);
      const shown = Object.values(options).filter(({ name }) =>
        text.match(new RegExp(` --${name}(?![-\\w])`)),
      );
      expect(shown.length).to.be.within(Math.min(5, Object.keys(options).length), 20);
    });

    it(`names for ${program} the groups that have further options, and no other`, async () => {
      const { groups } = PROGRAMS[program];
      const [, further] = (await helpText(PROGRAMS[program], EVERYDAY)).split('\nFurther options, ');
      const named = Array.from(further!.matchAll(/^ {2}(\w+) /gm), ([, topic]) => topic!);
      const left = Object.values(PROGRAMS[program].options).filter(({ isEveryday }) => !isEveryday);
      const topics = Object.keys(groups).filter(
        (topic) => topic !== 'general' && left.some(({ group }) => group === topic),
      );
      expect(named.filter((topic) => topic in groups)).to.have.members(topics);
    });

    it(`shows every option of ${program} under --help=all, and under its group`, async () => {
      const all = (await wholeHelpOf(program)).split('\n');
      expect(all[0]).to.match(new RegExp(`^Usage: ${program} `));
      expect(all.filter((line) => line.length > 80)).to.deep.equal([]);
      const options = Object.values(PROGRAMS[program].options);
      const groups = new Map<string, string[]>();
      for (const { group } of options)
        if (!groups.has(group)) groups.set(group, (await helpText(PROGRAMS[program], group)).split('\n'));
      for (const { name, short, group } of options) {
        const start = short ? `-${short}, --${name}` : `--${name}`;
        for (const lines of [all, groups.get(group)!])
          expect(lines.some((line) => line.startsWith('  ') && line.trimStart().startsWith(start))).to.equal(
            true,
            start,
          );
      }
    });

    it(`has examples that ${program} understands`, () => {
      for (const [command] of PROGRAMS[program].examples) {
        const [name, ...words] = command
          .replaceAll(/(["'])(.*?)\1/g, (_, _quote, text) => text.replaceAll(' ', '_'))
          .split(' ');
        expect(name).to.equal(program);
        expect(parseCommandLine(PROGRAMS[program], words), command).to.include({ kind: 'run' });
      }
    });
  }

  it('breaks no word, says no default twice, and shows commands in two columns', async () => {
    for (const program of PROGRAM_NAMES) {
      const text = await wholeHelpOf(program);
      const words = new Set(text.split(/\s+/));
      for (const { name, help, default: usual } of Object.values(PROGRAMS[program].options)) {
        for (const word of help.split(' ')) expect(words, `--${name}`).to.include(word);
        if (typeof usual === 'string' || typeof usual === 'number')
          expect(help, `--${name}`).to.not.include('(default');
      }
    }
    expect(await helpText(PROGRAMS.hclaim, 'commands')).to.match(
      /^ {2}release CONSUMER\.\.\. {2,}give everything back$/m,
    );
  });

  it('names arguments, tells optional from required ones, and gives defaults', async () => {
    const text = await wholeHelpOf('hbal');
    expect(text).to.match(/-C, --print-commands\[=FILE\] /);
    expect(text).to.match(/-l, --max-length=N .*\n?.*\[default:\s+-1\]/);
  });

  it('tells about a command in place of the program', async () => {
    const text = await helpText(PROGRAMS.hclaim, EVERYDAY, ['provider', 'add', 'p1']);
    expect(text).to.match(/^Usage: hclaim provider add NAME \[OPTION\.\.\.\]\n\nmake a provider\.\n/);
    expect(text).to.include('--parent=').and.not.include('--moves=');
  });

  it('lists the groups where there is none of a name', async () => {
    const fault = await helpText(PROGRAMS.hscan, 'execution').catch((error: unknown) => error);
    expect(fault)
      .to.be.instanceOf(UsageError)
      .with.property('message', "hscan has no help about 'execution'");
    expect(fault).to.have.property('remedy', 'give one of: all, input, connection, output, general');
  });

  it('takes a group of the table of groups for each option, and no other', () => {
    const option = { kind: 'flag', help: '', manual: '' } as const;
    optionTable('output', { option }) satisfies OptionTable<'output'>;
    // @ts-expect-error: there is no such group
    optionTable('outptu', { option }) satisfies OptionTable<'output'>;
    const own = { ...option, group: 'x' } as const;
    // @ts-expect-error: neither for one option
    optionTable('output', { own }) satisfies OptionTable<'output'>;
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
