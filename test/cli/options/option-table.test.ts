import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { defaultValues } from '../../../src/cli/options/command-options.ts';
import { OPTIONS, type OptionKey } from '../../../src/cli/options/option-table.ts';
import type { OptionDefinition } from '../../../src/cli/options/owners/option.ts';
import { PROGRAM_NAMES, programDefinition } from '../../../src/cli/options/program-table.ts';
import { readValue } from '../../../src/cli/parse/read-value.ts';

const ALL = Object.entries<OptionDefinition>(OPTIONS);

describe('the option table', () => {
  it('has no option that no program takes', () => {
    const taken = new Set<string>(PROGRAM_NAMES.flatMap((program) => programDefinition(program).options));
    expect(Object.keys(OPTIONS).filter((key) => !taken.has(key))).to.deep.equal([]);
  });

  it('has every option of every owner, and no key twice', async () => {
    const folders = ['owners', 'wings'].map(
      (folder) => new URL(`../../../src/cli/options/${folder}/`, import.meta.url),
    );
    const files = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => file.endsWith('-options.ts'))
        .map((file) => new URL(file, folder)),
    );
    const tables = await Promise.all(files.map(async ({ href }) => Object.entries(await import(href))));
    const keys = tables
      .flat()
      .filter(([name]) => name.endsWith('_OPTIONS'))
      .flatMap(([, table]) => Object.keys(table as object));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).to.deep.equal([]);
    expect(keys.sort()).to.deep.equal(Object.keys(OPTIONS).sort());
  });

  for (const program of PROGRAM_NAMES) {
    const definitions = programDefinition(program).options.map((key): OptionDefinition => OPTIONS[key]);

    it(`gives ${program} no name or letter twice`, () => {
      const names = definitions.flatMap(({ name, aliases, short }) => [
        name,
        ...(aliases ?? []),
        short ?? `-${name}`,
      ]);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
    });

    it(`lists our additions to ${program} behind the stock options`, () => {
      const isGeneral = (key: OptionKey): boolean => ['version', 'help', 'helpCompletion'].includes(key);
      const marks = programDefinition(program).options.filter((key) => !isGeneral(key));
      const kinds = marks.map((key) => ((OPTIONS[key] as OptionDefinition).isAddition ? 'ours' : 'stock'));
      expect(kinds).to.deep.equal([...kinds].sort().reverse());
    });
  }

  for (const [key, definition] of ALL)
    it(`describes --${definition.name} (${key}) completely`, () => {
      expect(definition.help).to.match(/^[^A-Z].*[^.]$/);
      expect(definition.manual).to.match(/^[A-Z][\s\S]*\.$/);
      expect(definition.metavar !== undefined).to.equal(definition.argument !== 'none');
      const isPlain = ['flag', 'count'].includes(definition.kind);
      expect(isPlain && definition.argument !== 'none').to.equal(false);
      if (['integer', 'float', 'size'].includes(definition.kind)) expect(definition.label).to.be.a('string');
      if (definition.kind === 'text' && definition.argument === 'glued')
        expect(definition.bare).to.be.a('string');
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

  it('has a default for every option that does not print', () => {
    for (const program of PROGRAM_NAMES) {
      const valued = programDefinition(program).options.filter((key) => OPTIONS[key].kind !== 'print');
      expect(Object.keys(defaultValues(program)), program).to.deep.equal(valued);
    }
  });
});
