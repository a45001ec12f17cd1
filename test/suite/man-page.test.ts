import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { exitStatusTable, STATUS_MARKS } from '../../src/kit/cli/help/exit-statuses.ts';
import {
  optionBlock,
  withBlock,
  withExampleOutput,
  withMadeBlocks,
} from '../../src/kit/cli/help/man-page.ts';
import { OPTIONS, PROGRAM_NAMES, PROGRAMS } from '../../src/suite/programs.ts';
import { ROOT, runInShell } from './run-built.ts';

const pageOf = (program: string): string => readFileSync(join(ROOT, `man/${program}.1`), 'utf8');

const hasCommand = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

/** Programs that Ganeti has, too: their pages say which version is matched. */
const HAS_STOCK: ReadonlySet<string> = new Set(
  'hail harep hbal hcheck hinfo hroller hscan hspace hsqueeze'.split(' '),
);

describe('manual pages', () => {
  for (const program of PROGRAM_NAMES) {
    it(`has the options and exit statuses of ${program} as the tables have them (else: npm run docs)`, () => {
      expect(withMadeBlocks(pageOf(program), PROGRAMS[program])).to.equal(pageOf(program));
    });

    it(`is a page for ${program} that groff has nothing to say about`, function () {
      if (!hasCommand('groff')) this.skip();
      const { status, stderr } = spawnSync('groff', ['-man', '-ww', '-z', `man/${program}.1`], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
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
        ...(HAS_STOCK.has(program) ? ['COMPATIBILITY'] : []),
        'SEE ALSO',
      ]);
    });

    it(`shows examples of ${program} that print what the page says`, () => {
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
    });
  }
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
    const block = optionBlock(PROGRAMS.hspace);
    expect(block).to.include('\\fB\\-t\\fR \\fIFILE\\fR, \\fB\\-\\-text\\-data\\fR=\\fIFILE\\fR\n');
    expect(block).to.include('\\fB\\-p\\fR[\\fIFIELDS\\fR], \\fB\\-\\-print\\-nodes\\fR[=\\fIFIELDS\\fR]\n');
    expect(block).to.include('Default: \\fB4096\\fR MiB.\n');
  });

  it('keep bold and placeholders apart', () => {
    expect(OPTIONS.exclusionTags.manual).to.include('*htools:iextags:*_PREFIX_');
    expect(optionBlock(PROGRAMS.hbal)).to.include('\\fBhtools:iextags:\\fR\\fIPREFIX\\fR');
    expect(optionBlock(PROGRAMS.hbal)).not.to.match(/[*]htools|_PREFIX_/);
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
    expect(withMadeBlocks('.TH X 1\n', PROGRAMS.hbal)).to.equal(undefined);
  });

  it('sets placeholders in italics, those with underscores of their own as well', () => {
    expect(optionBlock(PROGRAMS.hcompress)).to.contain('transfers \\fIMIB_PER_S\\fR MiB');
    for (const program of PROGRAM_NAMES)
      expect(optionBlock(PROGRAMS[program]), program).not.to.match(/ _[A-Z_]+_[ ,.]/);
  });
});
