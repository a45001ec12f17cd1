import { expect } from 'chai';
import type { ProgramName } from '../../../../src/suite/programs.ts';
import { type OptionsOf, parseFor } from '../../../builders/command-line.ts';

function optionsOf<P extends ProgramName>(program: P, ...words: string[]): OptionsOf<P> {
  const parsed = parseFor(program, words);
  if (parsed.kind !== 'run') expect.fail(JSON.stringify(parsed));
  return parsed.options;
}

function faultOf(program: ProgramName, ...words: string[]): { message: string; exitCode: number } {
  const parsed = parseFor(program, words);
  if (parsed.kind !== 'fault') expect.fail(`no fault in ${words.join(' ')}`);
  return { message: parsed.fault.message, exitCode: parsed.fault.exitCode };
}

const remedyOf = (program: ProgramName, ...words: string[]): string | undefined => {
  const parsed = parseFor(program, words);
  return parsed.kind === 'fault' ? parsed.fault.remedy : undefined;
};

const badValue = (message: string): { message: string; exitCode: number } => ({ message, exitCode: 1 });

describe('a command line', () => {
  it('gives every option its default when it is empty', () => {
    const options = optionsOf('hbal');
    expect(options).to.include({
      verbosity: 1,
      maxLength: -1,
      minScore: 1e-9,
      minGain: 0.01,
      minGainLimit: 0.1,
      minDisk: 0,
      staticKvmNodeMemory: 4096,
      color: 'auto',
      json: false,
      noDiskMoves: false,
      mond: false,
      maxCpu: undefined,
      textFile: undefined,
      printNodes: undefined,
      printCommands: undefined,
      exclusionTags: undefined,
    });
    expect(options.offline).to.deep.equal([]);
    expect(options.selectInstances).to.deep.equal([]);
  });

  it('does not carry values over from one command line to the next', () => {
    optionsOf('hbal', '-Oa', '-v', '--select-instances=x');
    expect(optionsOf('hbal')).to.deep.include({ offline: [], verbosity: 1, selectInstances: [] });
  });

  it('counts verbosity up and down', () => {
    expect(optionsOf('hbal', '-vvv').verbosity).to.equal(4);
    expect(optionsOf('hbal', '-qq', '-v').verbosity).to.equal(0);
  });

  it('collects what may be repeated, in its order', () => {
    expect(optionsOf('hbal', '-O', 'b', '--offline=a').offline).to.deep.equal(['b', 'a']);
  });

  it('lets the last use of an option win', () => {
    expect(optionsOf('hbal', '-tx', '-ty').textFile).to.equal('y');
    expect(optionsOf('hcheck', '--machine-readable', '--machine-readable=no').machineReadable).to.equal(
      false,
    );
  });

  it('splits names at commas, and takes no text for no names', () => {
    expect(optionsOf('hbal', '--select-instances=a,b,').selectInstances).to.deep.equal(['a', 'b', '']);
    expect(optionsOf('hbal', '--exclusion-tags=').exclusionTags).to.deep.equal([]);
  });

  it('reads the columns of a table', () => {
    expect(optionsOf('hbal', '-p').printNodes).to.deep.equal({ isExtending: false, names: [] });
    expect(optionsOf('hbal', '-pname,fmem').printNodes).to.deep.equal({
      isExtending: false,
      names: ['name', 'fmem'],
    });
    expect(optionsOf('hbal', '-p+ptags').printNodes).to.deep.equal({ isExtending: true, names: ['ptags'] });
  });

  it('sends commands to standard output when no file is attached', () => {
    expect(optionsOf('hbal', '-C').printCommands).to.equal('-');
    expect(optionsOf('hbal', '-Cout.sh').printCommands).to.equal('out.sh');
  });

  it('reads sizes with their units', () => {
    expect(optionsOf('hspace', '--standard-alloc=10g,2G,3').standardAlloc).to.deep.equal({
      diskMib: 10240,
      memMib: 1907,
      vcpus: 3,
      spindleUse: 1,
    });
    expect(optionsOf('hspace', '--tiered-alloc=1,2,3,4').tieredAlloc?.spindleUse).to.equal(4);
  });

  for (const [text, value] of [
    ['1e-2', 0.01],
    ['0.5', 0.5],
    ['.5', 0.5],
    [' 5', 5],
    ['-5', -5],
    ['- 5', -5],
    ['(5)', 5],
    ['0x10', 16],
    ['1e100', 1e100],
  ] as const)
    it(`takes "${text}" for a number`, () => {
      expect(optionsOf('hbal', '-e', text).minScore).to.equal(value);
    });

  for (const text of ['.', '5.', '5 ', '+5', '', 'abc', '--5', '-(5)', '1_000', '5,5', '0b1'])
    it(`does not take "${text}" for a number`, () => {
      expect(faultOf('hbal', '-e', text).exitCode).to.equal(1);
    });

  it('says why a value is refused', () => {
    expect(faultOf('hbal', '-lx')).to.deep.equal(badValue("max solution length: cannot parse string 'x'"));
    expect(faultOf('hbal', '-l', '1e3')).to.deep.equal(
      badValue("max solution length: cannot parse string '1e3'"),
    );
    expect(faultOf('hbal', '-e', '5a')).to.deep.equal(
      badValue("min score: leftover characters when parsing '5a': 'a'"),
    );
    expect(faultOf('hspace', '--max-cpu=0')).to.deep.equal(
      badValue('Invalid value of the max-cpu ratio, expected >0'),
    );
    expect(faultOf('hspace', '--spindle-use=-1')).to.deep.equal(
      badValue('Invalid value of the spindle-use (expected >= 0)'),
    );
    expect(faultOf('hspace', '--disk-template=f"o')).to.deep.equal(
      badValue('Invalid string value for type DiskTemplate: "f\\"o"'),
    );
    expect(faultOf('hcheck', '--machine-readable=')).to.deep.equal(
      badValue("Invalid choice '', pass one of 'yes' or 'no'"),
    );
    expect(faultOf('hbal', '--color=x')).to.deep.equal(badValue("--color: 'x' is not known"));
    expect(remedyOf('hbal', '--color=x')).to.equal("give one of 'auto', 'always' or 'never'");
    expect(faultOf('hbal', '--jobs=x')).to.deep.equal(badValue("--jobs: cannot parse string 'x'"));
    expect(faultOf('hspace', '--standard-alloc=1,2')).to.deep.equal(
      badValue("Invalid standard specification: '1,2', expected disk,ram,cpu"),
    );
    expect(faultOf('hspace', '--tiered-alloc=1,2q,3')).to.deep.equal(
      badValue("tiered specs memory: Unknown unit 'q'"),
    );
    expect(faultOf('hbal', '--jobs=0').exitCode).to.equal(1);
  });

  it('says what would be read in place of what is no number', () => {
    expect(remedyOf('hbal', '--jobs=x')).to.equal('give a whole number from 1 to 1024');
    expect(remedyOf('hbal', '-lx')).to.equal('give a whole number');
    expect(remedyOf('hclaim', '--after=x')).to.equal('give the number of a change');
    expect(remedyOf('hbal', '--time-limit=10s')).to.equal('give a number above 0, at most 2678400');
    expect(remedyOf('hbal', '--min-disk=50%')).to.equal('give a share from 0 to 1: 0.2 for 20 %');
    expect(remedyOf('hspace', '--tiered-alloc=1q,2,3')).to.equal(
      'give MiB, or a size with its unit, such as 512m or 20g',
    );
    expect(remedyOf('hspace', '--tiered-alloc=1,2,x')).to.equal('give a whole number from 0 to 2147483647');
  });

  it('says that a list of names is empty, which changes nothing', () => {
    const parsed = parseFor('hbal', ['--select-instances=']);
    expect(parsed.kind === 'run' && parsed.notes).to.deep.equal([
      '--select-instances is empty, and names nothing',
    ]);
  });

  it('complains about all bad values at once, each with its remedy', () => {
    const words = ['--max-cpu=x', '--until=25:00', '--let-rest=12'] as const;
    expect(faultOf('hbal', ...words, '--worth=1', '--min-disk=y').message.split('\n')).to.deep.equal([
      faultOf('hbal', '--max-cpu=x').message,
      'Maybe give a number above 0, at most 1e+100',
      "--until: '25:00' is no time of day",
      'Maybe give one like 05:00',
      faultOf('hbal', '--min-disk=y').message,
    ]);
    expect(remedyOf('hbal', '--max-cpu=x', '--until=25:00')).to.equal('give one like 05:00');
  });

  it('refuses an empty argument of an option of ours, unless it says something', () => {
    for (const words of [['--what-if='], ['--price', ''], ['--load-label= '], ['--jobs='], ['--color=']])
      expect(faultOf('hbal', ...words).message, words.join(' ')).to.match(/^--[a-z-]+ is empty$/);
    expect(remedyOf('hbal', '--what-if=')).to.equal('give CHANGES, or leave the option out');
    expect(optionsOf('hbal', '--reason=', '-t', '').jobReason).to.equal('');
    expect(optionsOf('hbind', 'policy', '--filters=').filters).to.deep.equal([]);
    expect(optionsOf('hbind', 'pod', 'add', 'p', '--az=').zone).to.equal('');
  });

  it('refuses unknown options with exit status 2, before it looks at values or help', () => {
    expect(faultOf('hbal', '-h', '-lx', '--foo')).to.deep.equal({
      message: "unrecognized option `--foo'",
      exitCode: 2,
    });
  });

  it('wants no arguments, or for hail exactly one', () => {
    expect(faultOf('hbal', 'x')).to.deep.equal(badValue("This program doesn't take any arguments."));
    expect(faultOf('hail')).to.deep.equal(badValue('This program needs an input file.'));
    expect(faultOf('hail', 'a', 'b')).to.deep.equal(
      badValue('Only one argument is accepted (the input file)'),
    );
    expect(parseFor('hail', ['-', '-v'])).to.deep.include({ kind: 'run', positionals: ['-'] });
  });

  it('takes --mond with and without a word', () => {
    expect(optionsOf('hbal', '--mond')).to.deep.include({ mond: true });
    expect(optionsOf('hinfo', '--mond=no')).to.deep.include({ mond: false });
    expect(parseFor('hail', ['-', '--mond=yes']).kind).to.equal('run');
  });

  it('prefers help to version, and both to the rest', () => {
    expect(parseFor('hbal', ['-V', 'stray', '--help-completion', '-h'])).to.deep.equal({
      kind: 'print',
      request: { what: 'help', topic: 'everyday' },
    });
    expect(parseFor('hbal', ['--completion=zsh', '-V'])).to.deep.include({ request: { what: 'version' } });
    expect(parseFor('hbal', ['--completion', 'zsh'])).to.deep.include({
      request: { what: 'completion', shell: 'zsh' },
    });
  });

  it('tells where a value belongs that an option takes only when it is attached', () => {
    expect(remedyOf('hbal', '-p', 'name')).to.equal('attach it: -pname');
    expect(remedyOf('hbal', '--print-commands', 'f.sh')).to.equal('attach it: --print-commands=f.sh');
    expect(remedyOf('hbal', '-l', '3', 'stray')).to.equal(
      "leave out 'stray', or give it with an option (hbal --help)",
    );
    expect(remedyOf('hbal', '\u2014json')).to.equal(
      "write hyphens, and no longer dashes, in front of '\u2014json'",
    );
    expect(remedyOf('hail')).to.equal('name it, or - for standard input');
  });

  it('says which columns of a table there are not', () => {
    const parsed = parseFor('hbal', ['-pname,nosuch']);
    expect(parsed.kind === 'run' && parsed.notes).to.have.length(1);
    expect(parsed.kind === 'run' && parsed.notes[0]).to.match(
      /no column is called 'nosuch'; the columns are idx, name/,
    );
  });

  it('lists the disk templates when one is none', () => {
    expect(remedyOf('hspace', '--disk-template=foo')).to.match(/'diskless', 'file'.* or 'gluster'/);
  });

  it('takes a share for the free disk, no percentage', () => {
    expect(remedyOf('hbal', '--min-disk=20')).to.contain('0.2 for 20 %');
    expect(faultOf('hbal', '--min-disk=-0.1').exitCode).to.equal(1);
  });
});
