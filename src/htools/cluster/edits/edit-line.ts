/** The language of `--what-if`, a change a line: `VERB OBJECT NAME [WORD=VALUE...] [+TAG] [-TAG]`. */
import type { InputProblem } from '../../../kit/faults.ts';
import { COUNT, isIn, MIB, type Range, rangeWords } from '../../../kit/ranges.ts';
import { parseSize } from '../../../kit/units.ts';

/** Words of a line are divided by blanks; a name or tag holds none. */
const BLANKS = /\s+/;
const SETTING = /^([a-z][a-z0-9_-]*)=(.*)$/;

export type Complain = (
  field: string,
  value: string | undefined,
  problem: string,
  remedy: string,
) => undefined;

/** How an amount is written, and what may be left of it. */
interface AmountKind {
  readonly kind: 'size' | 'count' | 'number';
  readonly range: Range;
}

/** MiB, with a unit; whole numbers; any. */
export const size = (min = 0): AmountKind => ({ kind: 'size', range: { ...MIB, min } });
export const count = (min = 0): AmountKind => ({ kind: 'count', range: { ...COUNT, min } });
export const number = (range: Range): AmountKind => ({ kind: 'number', range });

const EXAMPLES = { size: '4g, +512m or -1g', count: '8, +2 or -1', number: '1.5, +0.5 or -0.5' };

const SIGNED = /^([+-]?)(.*)$/;

export class EditLine {
  /** `add nodes`, `resize instance`... */
  readonly action: string;
  /** What it is about: the words after the action that are no settings. */
  readonly names: readonly string[];
  readonly settings: ReadonlyMap<string, string>;
  /** Tags to add and to take off, in their order. */
  readonly tags: readonly { readonly isAdded: boolean; readonly tag: string }[];

  /** @param line from 1 @param problems where its complaints go */
  constructor(
    readonly text: string,
    private readonly line: number,
    private readonly problems: InputProblem[],
  ) {
    const [verb = '', object = '', ...rest] = text.split(BLANKS);
    const names: string[] = [];
    const settings = new Map<string, string>();
    const tags: { isAdded: boolean; tag: string }[] = [];
    if (SETTING.test(object)) rest.unshift(object);
    for (const word of rest) {
      const setting = SETTING.exec(word);
      if (verb === 'tag' && /^[+-]./.test(word)) tags.push({ isAdded: word[0] === '+', tag: word.slice(1) });
      else if (setting) {
        const [, field = '', value] = setting;
        if (settings.has(field)) this.complain(field, value, 'is said twice', 'say it once');
        settings.set(field, value!);
      } else names.push(word);
    }
    this.action = SETTING.test(object) || object === '' ? verb : `${verb} ${object}`;
    this.names = names;
    this.settings = settings;
    this.tags = tags;
  }

  readonly complain: Complain = (field, value, problem, remedy) => {
    this.problems.push({ line: this.line, field, value, problem, remedy });
    return undefined;
  };

  /** The word if it is in the list, else a complaint. @param what the list's words are: `disk template` */
  oneOf<Word extends string>(
    words: readonly Word[],
    word: string,
    field: string,
    what: string,
  ): Word | undefined {
    const found = words.find((one) => one === word);
    return found ?? this.complain(field, word, `is no ${what}`, `write one of ${words.join(', ')}`);
  }

  /** What the settings (`4g`, `+512m`, `-1g`) make of these amounts; undefined where one is complained of. */
  amounts<Field extends string>(
    before: Readonly<Record<Field, number>>,
    kinds: Readonly<Record<Field, AmountKind>>,
  ): Readonly<Record<Field, number>> | undefined {
    const after: Record<Field, number> = { ...before };
    let isFine = true;
    for (const field of Object.keys(kinds) as Field[]) {
      const text = this.settings.get(field);
      const amount =
        text === undefined ? before[field] : this.amount(text, field, before[field], kinds[field]);
      if (amount === undefined) isFine = false;
      else after[field] = amount;
    }
    return isFine ? after : undefined;
  }

  private amount(
    text: string,
    field: string,
    before: number,
    { kind, range }: AmountKind,
  ): number | undefined {
    const [, sign = '', rest = ''] = SIGNED.exec(text) ?? [];
    const value = kind === 'size' ? sizeOf(rest) : plainNumber(rest, kind === 'count');
    if (value === undefined)
      return this.complain(
        field,
        text,
        `is no ${kind === 'size' ? 'size' : 'number'}`,
        `write ${EXAMPLES[kind]}`,
      );
    const after = sign === '' ? value : before + (sign === '+' ? value : -value);
    if (isIn(after, range)) return after;
    return this.complain(field, text, `leaves ${after}, from ${before}`, `leave ${rangeWords(range)}`);
  }
}

/** Takes an option or a file apart: lines, in them `;`. Empty ones and those with # in front are nothing. */
export const editLines = (text: string, problems: InputProblem[] = []): EditLine[] =>
  text
    .split('\n')
    .flatMap((whole, at) =>
      whole.trim().startsWith('#')
        ? []
        : whole
            .split(';')
            .flatMap((part) => (part.trim() === '' ? [] : new EditLine(part.trim(), at + 1, problems))),
    );

function sizeOf(text: string): number | undefined {
  const size = parseSize(text);
  return 'mib' in size && size.mib >= 0 && /^\d/.test(text) ? size.mib : undefined;
}

function plainNumber(text: string, isWhole: boolean): number | undefined {
  const pattern = isWhole ? /^\d{1,15}$/ : /^\d{1,15}(\.\d{1,15})?$/;
  return pattern.test(text) ? Number(text) : undefined;
}
