import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ArgumentError, parseWords } from '../../bench/arguments.ts';
import { COMMANDS, type Command } from '../../bench/commands.ts';

const OPTIONS = {
  count: { type: 'string', default: '100' },
  seconds: { type: 'string', default: 'Infinity' },
  store: { type: 'string', default: 'both' },
  dir: { type: 'string' },
  short: { type: 'boolean', default: false },
} as const;

const ROOT = new URL('../../', import.meta.url);
/**
 * Processes that a command starts, with words that nobody types; and those that hand on what they have read.
 */
const NOT_TYPED: readonly string[] = [
  'fuzz/reader-process.ts',
  'htools/live/run.ts',
  'ledger/binding/history-worker.ts',
  'ledger/claims/claimer.ts',
  'ledger/claims/power/claims.ts',
  'ledger/claims/power/looks.ts',
  'ledger/claims/replayer.ts',
  'ledger/claims/torture-worker.ts',
  'ledger/claims/unit-worker.ts',
  'ledger/programs/nova/run.ts',
  'mutate/test-host.ts',
];

describe('the command line of a command in bench/', () => {
  it('has values for its options, and other words where it takes some', () => {
    const { values, positionals } = parseWords(['--count', '7', '--short', 'a', 'b'], OPTIONS, 2);
    expect(values).to.include({ count: '7', seconds: 'Infinity', store: 'both', short: true });
    expect(values.dir).to.equal(undefined);
    expect(positionals).to.deep.equal(['a', 'b']);
  });

  it('knows help, and refuses what it does not know in one sentence', () => {
    expect(parseWords(['-h'], OPTIONS).values.help).to.equal(true);
    const refused = (...words: string[]) => expect(() => parseWords(words, OPTIONS, 1));
    refused('--what').to.throw(ArgumentError, /^Unknown option '--what'$/);
    refused('--count', 'many').to.throw(ArgumentError, "--count takes a number, not 'many'");
    refused('--seconds=').to.throw(ArgumentError, "--seconds takes a number, not ''");
    refused('a', 'b').to.throw(ArgumentError, "Unexpected argument 'b'");
    refused('--short=yes').to.throw(ArgumentError, /--short/);
    expect(parseWords(['--dir', 'many', '--store', 'one'], OPTIONS).values.dir).to.equal('many');
  });

  it('is read in one place, by every command', () => {
    const commands = Object.values(COMMANDS).flatMap((kind) =>
      Object.values<Command>(kind).flatMap((command) => ('file' in command ? [`bench/${command.file}`] : [])),
    );
    expect(commands).to.have.length.above(20);
    const without = commands.filter(
      (path) => !/read(Live|Nova)?Arguments\(/.test(readFileSync(new URL(path, ROOT), 'utf8')),
    );
    expect(without).to.deep.equal([]);
  });

  it('is looked at nowhere else', () => {
    const bench = new URL('bench/', ROOT);
    const others = readdirSync(bench, { recursive: true, encoding: 'utf8' }).filter(
      (path) =>
        path.endsWith('.ts') &&
        !['arguments.ts', 'command.ts'].includes(path) &&
        /process\.argv(?!\[1\])|parseArgs/.test(readFileSync(new URL(path, bench), 'utf8')),
    );
    expect(others.sort()).to.deep.equal(NOT_TYPED);
  });
});
