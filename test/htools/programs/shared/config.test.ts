/** The file of `--config`: options for programs that nobody starts by hand. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { configWords } from '../../../../src/htools/programs/shared/config/config-words.ts';
import type { OptionDefinition } from '../../../../src/kit/cli/options/option.ts';
import { PROGRAMS } from '../../../../src/suite/programs.ts';
import { newFolder } from '../../../builders/folder.ts';
import { runApart, runBuilt } from '../../../suite/run-built.ts';
import { SMALL } from '../../ganeti/execution/played.ts';
import { FakeMaster } from '../../ganeti/fake-master.ts';

const NIGHTLY = ['hbal', 'harep', 'hcheck', 'hcompress'] as const;

/** A value that the option takes, as YAML, and what a command line would have. */
function sampleOf({
  name,
  kind,
  argument,
  choices,
  range,
}: OptionDefinition): [yaml: string, words: string[]] {
  switch (kind) {
    case 'flag':
      return ['true', [`--${name}`]];
    case 'count':
      return ['2', [`--${name}`, `--${name}`]];
    case 'yes-no':
      return ['false', [`--${name}=no`]];
    case 'choice':
      return [choices![0]!, [`--${name}=${choices![0]}`]];
    case 'time':
      return ['05:00', [`--${name}=05:00`]];
    case 'integer':
    case 'float': {
      const value = Math.min(range!.atMost, Math.max(1, range!.atLeast ?? (range!.above ?? 0) + 1));
      return [String(value), [`--${name}=${value}`]];
    }
    case 'names':
      return ['[a, b]', [`--${name}=a,b`]];
    case 'repeated':
      return ['[a, b]', [`--${name}=a`, `--${name}=b`]];
    case 'size':
      return ["'1024,512,1'", [`--${name}=1024,512,1`]];
    default:
      return argument === 'glued' ? ['true', [`--${name}`]] : ['text', [`--${name}=text`]];
  }
}

describe('a file of options', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = newFolder();
    file = join(folder, 'cluster.yaml');
  });

  it('takes every option of its programs, as the command line does', () => {
    for (const program of NIGHTLY)
      for (const [key, option] of Object.entries(PROGRAMS[program].options)) {
        const [yaml, words] = sampleOf(option);
        const said = configWords(`${program}:\n  ${option.name}: ${yaml}\n`);
        if (option.kind === 'print' || key === 'config' || key === 'checkConfig') {
          expect(said.problems[0]!.problem, option.name).to.equal('there is no such option');
          continue;
        }
        expect(said.words, option.name).to.deep.equal({ [program]: words });
        // Many an option needs another one beside it.
        for (const { field } of said.problems) expect(field, option.name).to.equal(program);
      }
  });

  it('leaves out what is false, and may be empty', () => {
    expect(configWords('hbal:\n  exec: false\n  print-nodes: false\nharep:\n')).to.deep.equal({
      words: { hbal: [], harep: [] },
      problems: [],
    });
    expect(configWords('hbal: {exclude-instances: [], price: []}\n')).to.deep.equal({
      words: { hbal: [] },
      problems: [],
    });
    for (const list of ['[a, [b]]', '[a, {b: c}]', '[a, null]', '\n  - a\n  -'])
      expect(configWords(`hbal:\n  offline: ${list}\n`).problems[0], list).to.deep.include({
        field: 'hbal.offline',
        remedy: 'give single values, none of them empty',
      });
    expect(configWords('# nothing yet\n')).to.deep.equal({ words: {}, problems: [] });
  });

  it('tells all that is wrong at once, with line, option, value and a remedy', () => {
    writeFileSync(
      file,
      [
        'hbal:',
        '  exec: maybe',
        '  let-rest-: 5',
        '  until: 25:00',
        '  reason: true',
        '  parallel: 0',
        'harep: [luxi]',
        'hspace: {}',
        'hcompress:',
        '  exec: true',
      ].join('\n'),
    );
    const { status, stdout, stderr } = runBuilt(`hbal --check-config=${file}`);
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr.trimEnd().split('\n').slice(1)).to.deep.equal([
      "  line 2, column 9, hbal.exec, 'maybe': this cannot be its value",
      '    Maybe give true or false',
      '  line 3, column 3, hbal.let-rest-: there is no such option',
      '    Maybe you meant let-rest; see hbal --help=all',
      "  line 4, column 10, hbal.until, '25:00': --until: '25:00' is no time of day",
      '    Maybe give one like 05:00',
      "  line 5, column 11, hbal.reason, 'true': this cannot be its value",
      '    Maybe give a value',
      "  line 6, column 13, hbal.parallel, '0': --parallel: '0' is out of range",
      '    Maybe give a number from 1 to 2147483647',
      '  line 7, column 8, harep: this is no mapping',
      '    Maybe give options and their values, indented',
      '  line 8, column 1, hspace: there is no such section',
      '    Maybe the sections are hbal, hcheck, hcompress, harep',
      '  line 9, column 1, hcompress: --exec: Execution of commands possible only on LUXI',
      '    Maybe add -L, on the master node, or take the commands with --print-commands',
    ]);
    // Nothing is done for a fault in another program's section.
    const run = runBuilt(`hcheck --config=${file} -t testdata/small.data`);
    expect([run.status, run.stdout]).to.deep.equal([1, '']);
    // Nothing of it is done.
    for (const words of [
      'exec: true',
      'resume: nowhere.journal',
      'exec: true\n  journal: /nowhere/journal',
      'output-file: /nowhere/hbal.prom\n  html: /nowhere/page.html\n  print-commands: /nowhere/moves.sh',
    ]) {
      writeFileSync(file, `hbal:\n  luxi: true\n  ${words}\n`);
      expect(runBuilt(`hbal --check-config=${file}`)).to.deep.equal({
        status: 0,
        stdout: `${file}: nothing is wrong\n`,
        stderr: '',
      });
    }
    expect(runBuilt(`hbal --config=${file} --check-config=nowhere.yaml`).status).to.equal(1);
    writeFileSync(file, 'hbal: 7: 8\n');
    expect(runBuilt(`hbal --config=${file}`).stderr).to.include(`${file}: line 1`);
    expect(runBuilt('hbal --config=nowhere.yaml').stderr).to.match(
      /cannot read nowhere\.yaml: does not exist/,
    );
  });

  it('that is no good ends the program with the status that the command line asks for', () => {
    writeFileSync(file, 'hbal: {nonsense: 1}');
    for (const config of [file, join(folder, 'nowhere')]) {
      const line = `hbal --config=${config}`;
      expect([runBuilt(line).status, runBuilt(`${line} --exit-status=strict`).status]).to.deep.equal([1, 2]);
    }
  });

  it('that is no good ends the program with the status that it asks for itself, or the command line behind it', () => {
    const statusOf = (text: string, words = ''): number | null => {
      writeFileSync(file, text);
      return runBuilt(`hbal --config=${file}${words}`).status;
    };
    const asking = 'hbal:\n  nonsense: 1\n  exit-status: strict\n';
    expect([statusOf(asking), statusOf(asking, ' --exit-status=stock')]).to.deep.equal([2, 1]);
    expect(statusOf('hbal:\n  max-length: x\nhcheck:\n  exit-status: strict\n')).to.equal(1);
    expect(statusOf('hbal:\n  exit-status: strict\n  let-rest: 5\n')).to.equal(2);
  });

  it('is told where two options would write one file', () => {
    const text = 'hbal:\n  html: a\n  output-file: b\nhcheck:\n  output-file: b\nhcompress:\n  html: c\n';
    expect(configWords(text).problems).to.deep.equal([
      {
        line: 5,
        column: 3,
        field: 'hcheck.output-file',
        value: 'b',
        problem: 'hbal.output-file is written there, too',
        remedy: 'name another file',
      },
    ]);
    // Of two sections of a program the last counts.
    expect(configWords('hbal: {html: a}\n---\nhbal: {html: a}\n').problems).to.deep.equal([]);
  });

  it('is judged with the words of the command line behind it', () => {
    const text = 'hbal:\n  exec: true\nharep:\n';
    expect(configWords(text).problems).to.have.length(1);
    expect(configWords(text, { harep: ['--luxi'] }).problems).to.have.length(1);
    expect(configWords(text, { hbal: ['--luxi'] })).to.deep.equal({
      words: { hbal: ['--exec'], harep: [] },
      problems: [],
    });
  });

  it('comes ahead of the command line, whose words count', () => {
    writeFileSync(file, 'hbal:\n  text-data: testdata/small.data\n  max-length: 1\n  json: true\n');
    const steps = (...more: string[]) =>
      JSON.parse(runBuilt(['hbal', `--config=${file}`, ...more].join(' ')).stdout).steps.length;
    expect([steps(), steps('-l2')]).to.deep.equal([1, 2]);
  });

  it('gives way to another form on the command line, which does not go where the first one would', () => {
    const out = join(folder, 'hbal.prom');
    const form = `  text-data: testdata/small.data\n  max-length: 1\n  format: prometheus\n  output-file: ${out}\n`;
    for (const said of [form, form.replace('format: prometheus', 'json: true')]) {
      writeFileSync(file, `hbal:\n${said}`);
      for (const word of ['--format=text', '--form=text']) {
        const { status, stdout, stderr } = runBuilt(`hbal --config=${file} ${word}`);
        expect([status, stderr]).to.deep.equal([0, '']);
        expect(stdout).to.include('Solution length=1');
      }
      const { stdout } = runBuilt(`hbal --config=${file} --json`);
      expect(JSON.parse(stdout).steps).to.have.length(1);
      expect(existsSync(out)).to.equal(false);
      expect(runBuilt(`hbal --config=${file}`).stdout).to.equal('');
      rmSync(out);
    }
  });

  it('is told of words about loads that it has none of', () => {
    writeFileSync(file, 'hbal:\n  luxi: true\n  load-window: 1h\n');
    const { status, stderr } = runBuilt(`hbal --check-config=${file}`);
    expect(status).to.equal(1);
    expect(stderr).to.include('--load-window are about --load').and.to.include('add --load=FILE');
  });

  it('has no two programs write to one file, as what the name of a state begins with', () => {
    writeFileSync(
      file,
      'hbal: {save: x, output-file: /dev/null}\n---\nhcompress: {save: x, output-file: /dev/null}\n',
    );
    const { status, stderr } = runBuilt(`hbal --check-config=${file}`);
    expect([status, stderr]).to.deep.equal([
      1,
      `Error: ${file}: line 3, column 13, hcompress.save, 'x': hbal.save is written there, too\nMaybe name another file\n`,
    ]);
  });

  it('is told where a budget or a price cannot be read, and what does not go together', () => {
    const sections = [
      'hbal: {budget: [2h, much]}',
      'hcompress: {price: speed=1}',
      'hcheck: {luxi: true, text-data: cluster.data}',
      'hcompress: {seed: 3}',
      'hbal: {only-rules: true, budget: 2h, evac-mode: true, retry: true}',
    ];
    writeFileSync(file, sections.join('\n---\n'));
    const { status, stderr } = runBuilt(`hbal --check-config=${file}`);
    expect(status).to.equal(1);
    expect(stderr.trimEnd().split('\n').slice(1)).to.deep.equal([
      "  line 1, column 1, hbal: --budget: 'much' is not understood",
      '    Maybe a budget is 2TiB, 500GiB, 4h, 30min, 50migrations, 20moves, 0failovers, 90%, 2/h, knee or best',
      "  line 3, column 1, hcompress: --price: 'speed=1' is not understood",
      '    Maybe words are migration=100 (MiB/s), rewritten=1.3 (at least 1), downtime=10 and job=10 (seconds)',
      '  line 5, column 1, hcheck: Only one of the rapi, luxi, and data files options should be given.',
      '    Maybe leave out all but one of -L, -t',
      '  line 7, column 1, hcompress: --seed: the deep search is not asked for',
      '    Maybe add --search=deep',
      '  line 9, column 1, hbal: --only-rules takes the fewest moves that mend everything, and no options about what a plan may cost',
      '    Maybe mend first, save the outcome with --save, and balance that',
      '  line 9, column 1, hbal: --only-rules mends every broken rule, and --evac-mode only empties offline and drained nodes',
      '    Maybe leave out one of them',
      '  line 9, column 1, hbal: --retry, --skip-failed and --way-home are ways on from one journal',
      '    Maybe give one of them, with --resume',
    ]);
  });

  it('makes a night: with its limits, dry by hand, and on the record', () =>
    master.serve(async (path) => {
      writeFileSync(
        file,
        `hbal:\n  luxi: ${path}\n  exec: true\n  calm: true\n  let-rest: 20\n  worth: 1\n  max-length: 1\n`,
      );
      const hbal = (...words: string[]) => runApart('hbal', words, { STATE_DIRECTORY: folder });
      const dry = await hbal(`--config=${file}`, '--dry-run');
      const told = dry.stderr.split('\n');
      // The first night of all.
      expect(told[0]).to.match(/^No run on fake\.example\.com of the last 44 hours is on record/);
      expect(told.slice(1)).to.deep.equal(['Nothing is carried out: this is a dry run (--dry-run)', '']);
      const night = await hbal(`--config=${file}`);
      expect(night.status, night.stderr).to.equal(0);
      const runs = JSON.parse((await hbal('--history', '--json')).stdout).runs as { state: string }[];
      expect(runs.map(({ state }) => state)).to.deep.equal(['done', 'held']);
      expect(master.jobs.map(({ ops }) => ops[0]!.OP_ID)).to.have.length(3);
    }));
  const master = new FakeMaster(SMALL, { jobMs: 10 });
});
