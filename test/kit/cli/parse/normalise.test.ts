import { expect } from 'chai';
import type { OptionDefinition } from '../../../../src/kit/cli/options/option.ts';
import { normalise } from '../../../../src/kit/cli/parse/normalise.ts';
import { OPTIONS, PROGRAMS, type ProgramName } from '../../../../src/suite/programs.ts';

const definitionsOf = (program: ProgramName): readonly OptionDefinition[] =>
  Object.values(PROGRAMS[program].options);

/** The options of a command line as `--name` and `--name=argument`, then the other words. */
function normalised(program: ProgramName, ...words: string[]): readonly string[] {
  const { uses, positionals, faults } = normalise(definitionsOf(program), words);
  expect(faults).to.deep.equal([]);
  const options = uses.map(({ definition, argument }) =>
    argument === undefined ? `--${definition.name}` : `--${definition.name}=${argument}`,
  );
  return [...options, ...positionals];
}

const faultsOf = (program: ProgramName, ...words: string[]): readonly string[] =>
  normalise(definitionsOf(program), words).faults;

describe('the words of a command line', () => {
  // Lines that a common argument library reads differently from getopt.
  const CASES: readonly (readonly [ProgramName, readonly string[], readonly string[]])[] = [
    ['hbal', ['-pname,pcnt'], ['--print-nodes=name,pcnt']],
    ['hbal', ['-p'], ['--print-nodes']],
    ['hbal', ['-tx.data'], ['--text-data=x.data']],
    ['hbal', ['-t', 'x.data'], ['--text-data=x.data']],
    ['hbal', ['-t', '-v'], ['--text-data=-v']],
    ['hbal', ['-C', 'file'], ['--print-commands', 'file']],
    ['hbal', ['-Cfile'], ['--print-commands=file']],
    ['hbal', ['--print-commands=file'], ['--print-commands=file']],
    ['hbal', ['--print-commands', 'file'], ['--print-commands', 'file']],
    ['hbal', ['--print-commands='], ['--print-commands=']],
    ['hbal', ['--no-disk-moves'], ['--no-disk-moves']],
    ['hbal', ['--no-d'], ['--no-disk-moves']],
    ['hspace', ['--simu', 'p,1,2,3,4'], ['--simulate=p,1,2,3,4']],
    ['hspace', ['--accept-existing'], ['--accept-existing-errors']],
    ['hbal', ['-vv'], ['--verbose', '--verbose']],
    ['hbal', ['-vEl5'], ['--verbose', '--evac-mode', '--max-length=5']],
    ['hbal', ['-l', '-5'], ['--max-length=-5']],
    ['hbal', ['a', '-v', 'b'], ['--verbose', 'a', 'b']],
    ['hbal', ['-v', '--', '-q', '--'], ['--verbose', '-q', '--']],
    ['hbal', ['-v-', '-q'], ['--verbose', '-q']],
    ['hail', ['-'], ['-']],
    ['hbal', ['--text-data=a=b'], ['--text-data=a=b']],
    ['hbal', ['--min-gain', '1'], ['--min-gain=1']],
    ['hbal', ['--save-cluster', 'x'], ['--save=x']],
    ['hbal', ['--sa', 'x'], ['--save=x']],
  ];
  for (const [program, words, expected] of CASES)
    it(`reads "${program} ${words.join(' ')}" as "${expected.join(' ')}"`, () => {
      expect(normalised(program, ...words)).to.deep.equal(expected);
    });

  it('lets an abbreviation of a stock option win over our additions', () => {
    const added: OptionDefinition = { ...OPTIONS.json, name: 'static-of-ours', isAddition: true };
    const { uses, faults } = normalise([...definitionsOf('hinfo'), added], ['--stat', '7']);
    expect(faults).to.deep.equal([]);
    expect(uses.map(({ definition }) => definition.name)).to.deep.equal(['static-kvm-node-memory']);
  });

  it('takes an abbreviation that fits several additions and no stock option to be ambiguous', () => {
    const added: OptionDefinition = { ...OPTIONS.json, name: 'jsonlines', isAddition: true };
    expect(normalise([...definitionsOf('hinfo'), added], ['--js']).faults).to.have.length(1);
  });

  describe('that cannot be understood', () => {
    it('names an unknown option with everything that was attached to it', () => {
      expect(faultsOf('hbal', '--foo=bar')).to.deep.equal(["unrecognized option `--foo=bar'"]);
      expect(faultsOf('hbal', '-Zv')).to.deep.equal(["unrecognized option `-Z'"]);
    });

    it('does not know the options of other programs', () => {
      expect(faultsOf('hinfo', '--tiered-alloc=1,1,1')).to.have.length(1);
    });

    it('lists what an ambiguous name may mean', () => {
      const some = [OPTIONS.noDiskMoves, OPTIONS.noInstanceMoves, OPTIONS.noJournal];
      const [fault, ...others] = normalise(some, ['--no']).faults;
      expect(others).to.deep.equal([]);
      expect(fault?.split('\n').map((line) => line.trim())).to.deep.equal([
        "option `--no' is ambiguous; could be one of:",
        '--no-disk-moves',
        '--no-instance-moves',
        '--no-journal',
      ]);
    });

    it('misses an argument that the command line ends before', () => {
      expect(faultsOf('hbal', '-t')).to.deep.equal(["option `-t' requires an argument FILE"]);
      expect(faultsOf('hbal', '--text')).to.deep.equal(["option `--text' requires an argument FILE"]);
    });

    it('refuses an argument for an option that takes none', () => {
      expect(faultsOf('hbal', '--evac-mode=yes')).to.deep.equal([
        "option `--evac-mode' doesn't allow an argument",
      ]);
    });

    it('says everything at once, unknown options last', () => {
      expect(faultsOf('hbal', '--foo', '-Z', '--evac-mode=1', '-t')).to.deep.equal([
        "option `--evac-mode' doesn't allow an argument",
        "option `-t' requires an argument FILE",
        "unrecognized option `--foo'",
        "unrecognized option `-Z'",
      ]);
    });
  });
});
