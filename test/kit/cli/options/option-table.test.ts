import { expect } from 'chai';
import type { OptionDefinition } from '../../../../src/kit/cli/options/option.ts';
import { type OptionEntry, optionTable } from '../../../../src/kit/cli/options/option-table.ts';
import { words } from '../../../../src/kit/cli/options/words.ts';

const TEXTS = { help: 'what it does', manual: 'What it does.' };
const made = (entry: OptionEntry): OptionDefinition => optionTable('search', { maxData: entry }).maxData;

describe('an entry of a table of options', () => {
  it('is named after its key, and stands under the heading of its table', () => {
    expect(made({ kind: 'flag', ...TEXTS })).to.include({ name: 'max-data', group: 'search' });
    expect(made({ kind: 'flag', name: 'data', group: 'output', ...TEXTS })).to.include({
      name: 'data',
      group: 'output',
    });
  });

  const CASES: readonly (readonly [OptionEntry, string, string])[] = [
    [{ ...TEXTS }, 'none', 'none'],
    [{ metavar: 'FILE', completion: 'file', ...TEXTS }, 'required', 'file'],
    [{ kind: 'text', metavar: 'FILE', bare: '-', ...TEXTS }, 'glued', 'string'],
    [{ kind: 'yes-no', metavar: 'CHOICE', ...TEXTS }, 'glued', 'none'],
    [{ kind: 'integer', metavar: 'N', label: 'n', range: { atMost: 1 }, ...TEXTS }, 'required', 'integer'],
  ];
  for (const [entry, argument, completion] of CASES)
    it(`of kind ${made(entry).kind} has its argument ${argument}, completed as ${completion}`, () => {
      expect(made(entry)).to.include({ argument, completion });
    });

  it('is a choice, text or a flag where it does not say its kind', () => {
    expect(made(TEXTS).kind).to.equal('flag');
    expect(made({ metavar: 'FILE', ...TEXTS }).kind).to.equal('text');
    expect(made({ metavar: 'WHICH', choices: ['a'], ...TEXTS }).kind).to.equal('choice');
    expect(made({ kind: 'repeated', metavar: 'FILE', ...TEXTS }).kind).to.equal('repeated');
  });

  it('says what its kind needs, or does not compile', () => {
    // @ts-expect-error: a number without a range
    made({ kind: 'integer', metavar: 'N', ...TEXTS });
    // @ts-expect-error: nor one that does not say it is a number
    made({ metavar: 'N', label: 'n', range: { atMost: 1 }, ...TEXTS });
    // @ts-expect-error: a choice of nothing
    made({ kind: 'choice', metavar: 'WHAT', ...TEXTS });
    // @ts-expect-error: text that usage has no name for
    made({ kind: 'text', ...TEXTS });
    const keys = words('a  b\n c');
    // @ts-expect-error: no word of the text
    const none: readonly ('a' | 'b')[] = keys;
    expect(none).to.deep.equal(['a', 'b', 'c']);
  });
});
