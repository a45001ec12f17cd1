/** The language of `--what-if`, a change a line: `VERB OBJECT NAME [WORD=VALUE...] [+TAG] [-TAG]`. */
import type { InputProblem } from '../../../kit/faults.ts';
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

/** An amount that is set, added to or taken from what there is. */
type Amount = (before: number) => number;

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
      else if (setting) settings.set(setting[1]!, setting[2]!);
      else names.push(word);
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

  /** Reads `4g`, `+512m`, `-1g`; undefined = complained. @param kind size: MiB, with a unit; count: whole */
  amount(text: string, field: string, kind: 'size' | 'count' | 'number'): Amount | undefined {
    const [, sign = '', rest = ''] = SIGNED.exec(text) ?? [];
    const value = kind === 'size' ? sizeOf(rest) : plainNumber(rest, kind === 'count');
    if (value === undefined) {
      const example = { size: '4g, +512m or -1g', count: '8, +2 or -1', number: '1.5, +0.5 or -0.5' }[kind];
      return this.complain(field, text, `is no ${kind === 'size' ? 'size' : 'number'}`, `write ${example}`);
    }
    if (sign === '') return () => value;
    return (before) => before + (sign === '+' ? value : -value);
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
  const pattern = isWhole ? /^\d{1,9}$/ : /^\d{1,9}(\.\d{1,9})?$/;
  return pattern.test(text) ? Number(text) : undefined;
}
