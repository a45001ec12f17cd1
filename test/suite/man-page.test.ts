import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  exitStatusTable,
  STATUS_MARKS,
  withBlock,
  withExampleOutput,
  withOptions,
  withStatuses,
} from '../../src/kit/cli/help/man-page.ts';
import type { OptionDefinition } from '../../src/kit/cli/options/option.ts';
import {
  COMMON_PAGES,
  commonPageOf,
  commonPageOptions,
  GANETI_PROGRAMS,
  programOptions,
} from '../../src/suite/manual.ts';
import { OPTIONS, PROGRAM_NAMES, PROGRAMS } from '../../src/suite/programs.ts';
import { itInLongRun } from '../builders/seeds.ts';
import { ROOT, runInShell } from './run-built.ts';

const fileOf = (name: string): string => `man/${name}.${COMMON_PAGES.includes(name as never) ? 7 : 1}`;
const pageOf = (name: string): string => readFileSync(join(ROOT, fileOf(name)), 'utf8');

/** The whole of a page; a reader gives up on what is longer, and so do we. */
const MOST_LINES = 400;
/** Shown on 80 columns: hclaim has forty commands. */
const MOST_SHOWN = 425;

/** How many items of a page are about an option: its long name stands in their first line. */
const entriesOf = (page: string, { name }: OptionDefinition): number =>
  page.split('\n').filter((line, index, lines) => {
    const isFirst = lines[index - 1]?.startsWith('.TP');
    return isFirst && line.startsWith('\\fB\\-') && line.includes(`\\-\\-${name.replaceAll('-', '\\-')}\\fR`);
  }).length;

const hasGroff = spawnSync('groff', ['--version']).status === 0;

describe('manual pages', () => {
  for (const program of PROGRAM_NAMES) {
    it(`has the options and exit statuses of ${program} as the tables have them (else: npm run docs)`, () => {
      const page = pageOf(program);
      expect(withOptions(page, programOptions(program))).to.equal(page);
      expect(withStatuses(page, PROGRAMS[program])).to.equal(page);
    });

    it(`tells about every option of ${program} once: here, or where those of many programs stand`, () => {
      for (const option of Object.values(PROGRAMS[program].options)) {
        const common = commonPageOf(option);
        const isShort = common !== undefined && GANETI_PROGRAMS.has(program) && !option.isAddition;
        const told = { [program]: entriesOf(pageOf(program), option) };
        if (common) told[common] = entriesOf(pageOf(common), option);
        expect(told, option.name).to.deep.equal(
          common ? { [program]: isShort ? 1 : 0, [common]: 1 } : { [program]: 1 },
        );
        expect(pageOf(program), option.name).to.include(`\\-\\-${option.name.replaceAll('-', '\\-')}`);
      }
    });

    it(`has every chapter for ${program}, in the usual order`, () => {
      const chapters = Array.from(pageOf(program).matchAll(/^\.SH (.+)$/gm), ([, chapter]) => chapter);
      expect(chapters).to.deep.equal([
        'NAME',
        'SYNOPSIS',
        'DESCRIPTION',
        'OPTIONS',
        'EXIT STATUS',
        'ENVIRONMENT',
        'FILES',
        'EXAMPLES',
        'BUGS',
        ...(GANETI_PROGRAMS.has(program) ? ['COMPATIBILITY'] : []),
        'SEE ALSO',
      ]);
    });

    (program === 'hinfo' ? it : itInLongRun)(
      `shows examples of ${program} that print what the page says`,
      () => {
        const page = pageOf(program);
        let examples = 0;
        const asPrinted = withExampleOutput(page, (command) => {
          const { status, stdout, stderr } = runInShell(command);
          expect({ command, status, stderr }).to.deep.equal({ command, status: 0, stderr: '' });
          examples++;
          return stdout;
        });
        expect(asPrinted).to.equal(page);
        expect(examples).to.be.above(1);
      },
    );
  }
});

describe('every manual page', () => {
  for (const name of [...COMMON_PAGES, ...PROGRAM_NAMES]) {
    it(`is short enough to be read: ${name}`, () => {
      expect(pageOf(name).match(/\n/g)?.length).to.be.below(MOST_LINES);
    });

    it(`is one that groff has nothing to say about, short on 80 columns, and parts no word: ${name}`, function () {
      if (!hasGroff) this.skip();
      const { status, stdout, stderr } = spawnSync(
        'groff',
        ['-man', '-ww', '-Tutf8', '-rLL=80n', '-P-c', fileOf(name)],
        { cwd: ROOT, encoding: 'utf8' },
      );
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      const lines = stdout.split('\n');
      expect(lines.length).to.be.below(MOST_SHOWN);
      expect(lines.filter((line) => line.endsWith('\u2010'))).to.deep.equal([]);
    });
  }

  for (const name of COMMON_PAGES)
    it(`has the options of many programs as the tables have them (else: npm run docs): ${name}`, () => {
      expect(withOptions(pageOf(name), commonPageOptions(name))).to.equal(pageOf(name));
    });

  it('begins with the options of Ganeti where it has the program', () => {
    for (const name of GANETI_PROGRAMS) {
      const options = pageOf(name).slice(pageOf(name).indexOf('.SH OPTIONS'));
      const [, first] = /^\.SS (.*)$/m.exec(options)!;
      expect(first).to.equal(`Options of Ganeti's ${name}`);
    }
  });
});

describe('the table of exit statuses', () => {
  it('stands in the documentation as the programs have it (else: npm run docs)', () => {
    const page = readFileSync(join(ROOT, 'docs/reference/machine-readable.md'), 'utf8');
    const table = exitStatusTable(PROGRAM_NAMES.map((name) => PROGRAMS[name]));
    expect(withBlock(page, STATUS_MARKS, table)).to.equal(page);
  });

  it('gives no status two meanings, but where stock does or jobs are carried out', () => {
    for (const name of PROGRAM_NAMES) {
      const { endings, faultStatus = 1 } = PROGRAMS[name];
      const own = { no: 1, left: 3, changed: 4 } as const;
      const taken = Object.entries(own).filter(([ending]) => ending in endings);
      const isStock = faultStatus === 1;
      expect(
        taken.some(([, status]) => status === faultStatus),
        name,
      ).to.equal(isStock && endings.no !== undefined);
    }
  });
});

describe('the made parts of a manual page', () => {
  it('name an option with its forms, argument, text and default', () => {
    const block = commonPageOptions('evenkeel');
    expect(block).to.include('\\fB\\-t\\fR \\fIFILE\\fR, \\fB\\-\\-text\\-data\\fR=\\fIFILE\\fR\n');
    expect(block).to.include('\\fB\\-p\\fR[\\fIFIELDS\\fR], \\fB\\-\\-print\\-nodes\\fR[=\\fIFIELDS\\fR]\n');
    const short =
      '\\fB\\-p\\fR, \\fB\\-\\-print\\-nodes\\fR[=\\fIFIELDS\\fR]\nshow the nodes; of a plan before and after\n';
    expect(programOptions('hspace')).to.include(short);
    expect(block).to.include('Default: \\fB4096\\fR MiB.\n');
  });

  it('keep bold and placeholders apart', () => {
    expect(OPTIONS.exclusionTags.manual).to.include('*htools:iextags:*_PREFIX_');
    const block = commonPageOptions('evenkeel-plans');
    expect(block).to.include('\\fBhtools:iextags:\\fR\\fIPREFIX\\fR');
    expect(block).not.to.match(/[*]htools|_PREFIX_/);
  });

  it('carry output into roff so that it shows as it is', () => {
    const page = withExampleOutput('.PP\n.EX\n$ prog \\-x\n.EE\n', (command) => {
      expect(command).to.equal('prog -x');
      return ".starts with a dot\n'and a quote\n  -1 \\ back\\-slash\n";
    });
    expect(page).to.equal(
      ".PP\n.EX\n$ prog \\-x\n\\&.starts with a dot\n\\&'and a quote\n  \\-1 \\e back\\e\\-slash\n.EE\n",
    );
  });

  it('are refused for a page without markers', () => {
    expect(withOptions('.TH X 1\n', programOptions('hbal'))).to.equal(undefined);
    expect(withStatuses('.TH X 1\n', PROGRAMS.hbal)).to.equal(undefined);
  });

  it('sets placeholders in italics, those with underscores of their own as well', () => {
    expect(commonPageOptions('evenkeel')).to.contain('transfers \\fIMIB_PER_S\\fR MiB');
    for (const program of PROGRAM_NAMES)
      expect(programOptions(program), program).not.to.match(/ _[A-Z_]+_[ ,.]/);
  });
});
