import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { OptionDefinition } from '../../src/kit/cli/options/option.ts';
import { defaultValues } from '../../src/kit/cli/options/values.ts';
import { readValue } from '../../src/kit/cli/parse/read-value.ts';
import { OPTIONS, PROGRAM_NAMES, PROGRAMS } from '../../src/suite/programs.ts';

const ALL = Object.entries<OptionDefinition>(OPTIONS);

const SRC = new URL('../../src/', import.meta.url);

/** Where values of options are read: `options.KEY`, `{ KEY }` of options, and keys as words in a list. */
const READ_AT = /\b(?:options|values)\??\.(\w+)|\{([^{}]*)\}(?:: \w*Options| = (?:\w+\.)*options)|'(\w+)'/g;
const COMMENT = /^\s*(?:\*|\/\/|\/\*).*$/gm;

/** Words of the sources by which the value of an option may be read. */
const wordsRead = (): ReadonlySet<string> =>
  new Set(
    readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('/options/'))
      .flatMap((path) => [...readFileSync(new URL(path, SRC), 'utf8').replace(COMMENT, '').matchAll(READ_AT)])
      .flatMap(([, one, several, word]) => one ?? word ?? several!.match(/\w+/g) ?? []),
  );

describe('the option table', () => {
  it('has no option that no program takes', () => {
    const taken = new Set<string>(PROGRAM_NAMES.flatMap((program) => Object.keys(PROGRAMS[program].options)));
    expect(Object.keys(OPTIONS).filter((key) => !taken.has(key))).to.deep.equal([]);
  });

  it('has no option whose value nobody reads', () => {
    const read = wordsRead();
    expect(Object.keys(OPTIONS).filter((key) => !read.has(key))).to.deep.equal([]);
  });

  it('has every option of every owner, and no key twice', async () => {
    const files = ['kit/cli', 'htools', 'ledger', 'disk'].flatMap((room) =>
      readdirSync(new URL(`../../src/${room}/options/`, import.meta.url))
        .filter((name) => name.endsWith('-options.ts'))
        .map((name) => ({ room, name })),
    );
    const tables = await Promise.all(
      files.map(async ({ room, name }) => Object.entries(await import(`../../src/${room}/options/${name}`))),
    );
    const keys = tables
      .flat()
      .filter(([name]) => name.endsWith('_OPTIONS'))
      .flatMap(([, table]) => Object.keys(table as object));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).to.deep.equal([]);
    expect(keys.sort()).to.deep.equal(Object.keys(OPTIONS).sort());
  });

  for (const program of PROGRAM_NAMES) {
    const definitions = Object.values(PROGRAMS[program].options);

    it(`has every option of ${program} under a heading`, () => {
      const { groups } = PROGRAMS[program];
      expect(definitions.filter(({ group }) => !(group in groups)).map(({ name }) => name)).to.deep.equal([]);
    });

    it(`gives ${program} no name or letter twice`, () => {
      const names = definitions.flatMap(({ name, aliases, short }) => [
        name,
        ...(aliases ?? []),
        short ?? `-${name}`,
      ]);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
    });
  }

  /** Names and letters by the options that they stand for, where these are several. */
  const severalOf = (
    namesOf: (definition: OptionDefinition, key: string) => readonly [string, string] | undefined,
  ) => {
    const meanings = new Map<string, Set<string>>();
    for (const program of PROGRAM_NAMES)
      for (const [key, definition] of Object.entries(PROGRAMS[program].options)) {
        const [name, meaning] = namesOf(definition, key) ?? [];
        if (name !== undefined) meanings.set(name, (meanings.get(name) ?? new Set()).add(meaning!));
      }
    return [...meanings].filter(([, { size }]) => size > 1).map(([name]) => name);
  };

  it("gives a letter one meaning in all programs, but for hroller's -f, which is stock's", () => {
    expect(severalOf(({ short, name }) => (short ? [short, name] : undefined))).to.deep.equal(['f']);
  });

  it('gives a name to several options only where they ask the same of different things', () => {
    const same = 'save time-limit explain reason dry-run format why try for limit check'.split(' ');
    expect(severalOf(({ name }, key) => [name, key])).to.have.members(same);
  });

  for (const [key, definition] of ALL)
    it(`describes --${definition.name} (${key}) completely`, () => {
      expect(definition.help).to.match(/^[^A-Z].*[^.]$/);
      expect(definition.manual).to.match(/^[A-Z][\s\S]*\.$/);
    });

  const FEW = 4;
  for (const [, { name, choices = [], default: usual, help, kind }] of ALL)
    if (kind === 'choice' && choices.length <= FEW)
      it(`names in the help of --${name} what can be chosen beside what is usual`, () => {
        expect(choices.filter((choice) => choice !== usual && !help.includes(choice))).to.deep.equal([]);
      });

  for (const [, definition] of ALL.filter(([, { kind }]) => kind === 'integer' || kind === 'float'))
    it(`gives --${definition.name} a range that no number without end is in`, () => {
      expect(definition.range?.atMost, 'atMost').to.satisfy(Number.isFinite);
      const lowest = definition.range?.above ?? definition.range?.atLeast;
      expect(lowest, 'above or atLeast').to.satisfy(Number.isFinite);
      for (const text of ['1e309', '-1e309', 'NaN', 'Infinity', '9'.repeat(300), `-${'9'.repeat(300)}`])
        expect(readValue(definition, text, undefined), text).to.have.property('fault');
    });

  it('takes no size of an instance that no machine has', () => {
    for (const size of ['99999999t,1g,1', '1g,-1,1', '1g,1g,-1', '1g,1g,9999999999', '1g,1g,1,-1'])
      expect(readValue(OPTIONS.tieredAlloc, size, undefined), size).to.have.property('fault');
  });

  it('takes a length that stands for no limit', () => {
    expect(readValue(OPTIONS.maxLength, '9999999999', undefined)).to.deep.equal({ value: 9999999999 });
  });

  it('has a default for every option that does not print', () => {
    for (const program of PROGRAM_NAMES) {
      const { options } = PROGRAMS[program];
      const valued = Object.keys(options).filter((key) => options[key]!.kind !== 'print');
      expect(Object.keys(defaultValues(options)), program).to.deep.equal(valued);
    }
  });
});
