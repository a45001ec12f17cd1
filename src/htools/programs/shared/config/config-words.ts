/**
 * What a file of `--config` says: for each program of the night a mapping from long names of its options to
 * their values. Pure, and made of the tables of options alone. A file of its own in the build
 * (scripts/apart.mjs), which throws nothing: it has classes of errors of its own.
 */
import type { OptionDefinition } from '../../../../kit/cli/options/option.ts';
import { makeProgram, type Program } from '../../../../kit/cli/options/program.ts';
import { defaultValues } from '../../../../kit/cli/options/values.ts';
import { normalise } from '../../../../kit/cli/parse/normalise.ts';
import { parseCommandLine, writtenFile } from '../../../../kit/cli/parse/parse.ts';
import { readValue } from '../../../../kit/cli/parse/read-value.ts';
import { Fault, type InputProblem } from '../../../../kit/faults.ts';
import { withMeant } from '../../../../kit/text/meant.ts';
import { type Member, readDocuments, type Tree } from '../../../../kit/yaml/document.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import { HTOOLS_GROUPS, HTOOLS_OPTIONS } from '../../../options/option-table.ts';
import { HTOOLS_PROGRAMS } from '../../../options/program-table.ts';
import { namedSources } from '../../../sources/list.ts';
import { assertLoadWords } from '../../../sources/load/load-words.ts';
import { assertBalanceWords } from '../balance/balance-options.ts';
import { assertExecutionWords } from '../execute/execution-words.ts';

const PRODUCT = { programs: HTOOLS_PROGRAMS, options: HTOOLS_OPTIONS, groups: HTOOLS_GROUPS };

const SECTIONS: ReadonlyMap<string, Program> = new Map(
  Object.keys(HTOOLS_PROGRAMS)
    .map((name) => [name, makeProgram(name, PRODUCT)] as const)
    .filter(([, { options }]) => 'config' in options),
);

const LEFT_OUT: ReadonlySet<string> = new Set(['config', 'checkConfig']);

type Report = (place: Tree['place'], field: string, problem: string, remedy?: string, value?: string) => void;

const FORMS: ReadonlySet<string> = new Set(['json', 'format', 'machineReadable']);
/** The same, and the file that the result goes to in that form. */
const FORM_WORDS: ReadonlySet<string> = new Set([...FORMS, 'outputFile']);

const saysForm = ({ options }: Program, words: readonly string[]): boolean => {
  const forms = Object.entries(options).flatMap(([key, one]) => (FORMS.has(key) ? [one] : []));
  return normalise(Object.values(options), words).uses.some(({ definition }) => forms.includes(definition));
};

export const writesFile = (program: string, word: string): boolean =>
  Object.values(SECTIONS.get(program)!.options).some(
    ({ name, isWritten }) => isWritten && word.startsWith(`--${name}=`),
  );

/**
 * What the file says to each program, as its command line would say it.
 * @param behind by program, words that come behind those of the file: together they must go
 */
export function configWords(text: string, behind: Readonly<Record<string, readonly string[]>> = {}) {
  const { trees, problems: found } = readDocuments(text);
  const problems: InputProblem[] = [...found];
  const report: Report = ({ line, column }, field, problem, remedy, value) =>
    problems.push({ line, column, field: field || undefined, value, problem, remedy });
  const words: Record<string, readonly string[]> = {};
  const written = new Map<string, string>();
  const sections = `the sections are ${[...SECTIONS.keys()].join(', ')}`;
  for (const tree of trees) {
    if (tree.kind !== 'map')
      report(tree.place, '', 'this is no mapping', `begin a line with hbal: (${sections})`);
    else
      for (const [name, section] of tree.members) {
        const program = SECTIONS.get(name);
        if (program) words[name] = sectionWords(program, section, behind[name] ?? [], written, report);
        else
          report(
            section.place,
            name,
            'there is no such section',
            withMeant(sections, [{ word: name, known: [...SECTIONS.keys()] }]),
          );
      }
  }
  return { words, problems };
}

/** @param written by file, the option that it is written for */
function sectionWords(
  program: Program,
  { place, value: tree }: Member,
  behind: readonly string[],
  written: Map<string, string>,
  report: Report,
): readonly string[] {
  let isFine = true;
  const refuse: Report = (...what) => {
    isFine = false;
    report(...what);
  };
  const options = Object.entries(program.options).filter(
    ([key, { kind }]) => kind !== 'print' && !LEFT_OUT.has(key),
  );
  const byName = new Map(options.map(([key, one]) => [one.name, [key, one] as const]));
  const before = defaultValues(program.options);
  const isFormSaid = saysForm(program, behind);
  const wordsOf = ([name, member]: readonly [string, Member]): readonly string[] => {
    const field = `${program.name}.${name}`;
    const [key, option] = byName.get(name) ?? [];
    if (option !== undefined) {
      const words = optionWords(option, member.value, before[key!], field, refuse);
      const value = words[0]?.slice(`--${name}=`.length);
      const file = writtenFile(option, value);
      const other = file && written.get(file);
      if (other && other !== field)
        refuse(member.place, field, `${other} is written there, too`, 'name another file', value);
      else if (file) written.set(file, field);
      // Two forms would contradict each other, and one does not belong into the file that is for another.
      return FORM_WORDS.has(key!) && isFormSaid ? [] : words;
    }
    const remedy = withMeant(`see ${program.name} --help=all`, [{ word: name, known: [...byName.keys()] }]);
    refuse(member.place, field, 'there is no such option', remedy);
    return [];
  };
  if (tree.kind === 'scalar' && tree.value === null) return [];
  if (tree.kind !== 'map') {
    refuse(tree.place, program.name, 'this is no mapping', 'give options and their values, indented');
    return [];
  }
  const words = [...tree.members].flatMap(wordsOf);
  if (isFine) refuseTogether(program, [...words, ...behind], place, refuse);
  return words;
}

function refuseTogether(
  program: Program,
  words: readonly string[],
  place: Tree['place'],
  refuse: Report,
): void {
  const parsed = parseCommandLine<SomeOptions>(program, words);
  const say = (fault: Fault): void => {
    for (const { message, remedy } of fault.parts ?? [fault]) refuse(place, program.name, message, remedy);
  };
  if (parsed.kind === 'fault') say(parsed.fault);
  if (parsed.kind !== 'run') return;
  const checks: readonly ((options: SomeOptions) => unknown)[] = [
    namedSources,
    assertLoadWords,
    assertBalanceWords,
    ...('exec' in program.options ? [assertExecutionWords] : []),
  ];
  for (const check of checks) {
    try {
      check(parsed.options);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      say(fault);
    }
  }
}

function argumentsOfList(kind: OptionDefinition['kind'], items: readonly Tree[]): readonly string[] | string {
  const texts = items.flatMap((item) =>
    item.kind === 'scalar' && item.value !== null ? [String(item.value)] : [],
  );
  if (texts.length < items.length) return 'give single values, none of them empty';
  if (kind === 'names') return texts.length === 0 ? [] : [texts.join(',')];
  return kind === 'repeated' ? texts : 'give one value';
}

/** What a command line would say: `true` for a word, a text for its argument; or what to give instead. */
function argumentsOf({ kind, argument }: OptionDefinition, tree: Tree): readonly (string | true)[] | string {
  if (tree.kind === 'map') return 'give a value';
  if (tree.kind === 'list') return argumentsOfList(kind, tree.items);
  const { value } = tree;
  if (kind === 'count')
    return typeof value === 'bigint' && value >= 0n && value < 10n
      ? Array<true>(Number(value)).fill(true)
      : 'give a number from 0 to 9';
  if (value === null) return argument === 'none' ? 'give true or false' : 'give a value';
  if (typeof value !== 'boolean') return argument === 'none' ? 'give true or false' : [String(value)];
  if (kind === 'yes-no') return [value ? 'yes' : 'no'];
  if (argument === 'required') return 'give a value';
  return value ? [true] : [];
}

function optionWords(
  option: OptionDefinition,
  tree: Tree,
  before: unknown,
  field: string,
  refuse: Report,
): readonly string[] {
  const given = argumentsOf(option, tree);
  const value = tree.kind === 'scalar' && tree.value !== null ? String(tree.value) : undefined;
  if (typeof given === 'string') {
    refuse(tree.place, field, 'this cannot be its value', given, value);
    return [];
  }
  for (const one of given) {
    const reading = readValue(option, one === true ? undefined : one, before);
    if ('fault' in reading) refuse(tree.place, field, reading.fault, reading.remedy, value);
    else if (reading.note !== undefined) refuse(tree.place, field, reading.note, undefined, value);
  }
  return given.map((one) => (one === true ? `--${option.name}` : `--${option.name}=${one}`));
}
