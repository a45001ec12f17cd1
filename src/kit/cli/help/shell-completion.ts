/** What completes options: scripts for shells, and the list for makers of such, all from the option table. */
import { groupedBy } from '../../grouped.ts';
import { quoted } from '../../text/words.ts';
import type { Shell } from '../options/general-options.ts';
import type { OptionDefinition } from '../options/option.ts';
import type { Program } from '../options/program.ts';
import { namesOf } from '../parse/normalise.ts';

/** Words after which the argument is a file: `--text-data -t`. */
const optionWords = (definition: OptionDefinition): readonly string[] => [
  ...namesOf(definition).map((name) => `--${name}`),
  ...(definition.short ? [`-${definition.short}`] : []),
];

const offersFiles = ({ completion, name }: OptionDefinition): boolean =>
  completion === 'file' || name === 'save';

/** The first words of the commands, each with the second words that may follow it. */
type CommandWords = ReadonlyMap<string, readonly string[]>;

function commandWords({ commands = [] }: Program): CommandWords {
  const pairs = commands.map(({ words }) => words.split(' '));
  const byFirst = groupedBy(pairs, ([first]) => first!);
  return new Map([...byFirst].map(([first, all]) => [first, all.flatMap(([, second]) => second ?? [])]));
}

/** What `show` makes of each first word that another one must follow. */
const eachTwofold = (words: CommandWords, show: (first: string, seconds: string) => string): string[] =>
  [...words].flatMap(([first, seconds]) => (seconds.length > 0 ? show(first, seconds.join(' ')) : []));

const BASH_FILES = 'compgen -f -- "$cur"';

function bashCase(definition: OptionDefinition): readonly string[] {
  const { argument, choices = [], completion } = definition;
  if (argument !== 'required') return [];
  const reply = offersFiles(definition)
    ? BASH_FILES
    : completion === 'dir'
      ? 'compgen -d -- "$cur"'
      : choices.length > 0
        ? `compgen -W ${quoted(choices.join(' '))} -- "$cur"`
        : '';
  const hint = reply === BASH_FILES ? 'compopt -o filenames; ' : '';
  const body = reply === '' ? 'return' : `${hint}mapfile -t COMPREPLY < <(${reply}); return`;
  return [`    ${optionWords(definition).join('|')}) ${body} ;;`];
}

const bashWord = (first: string, seconds: string): string =>
  `    ${first}) mapfile -t COMPREPLY < <(compgen -W '${seconds}' -- "$cur"); return ;;`;

/** Of the words in front, one may be the command already. */
const bashCommands = (first: readonly string[]): string => `  local word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${first.join('|')}) return ;; esac
  done
  mapfile -t COMPREPLY < <(compgen -W '${first.join(' ')}' -- "$cur")
`;

type MakeScript = (
  program: string,
  definitions: readonly OptionDefinition[],
  takesFiles: boolean,
  commands: CommandWords,
) => string;

const bashScript: MakeScript = (program, definitions, takesFiles, commands) => {
  const words = definitions.flatMap((definition) =>
    optionWords(definition).map((word) =>
      definition.argument === 'required' && word.startsWith('--') ? `${word}=` : word,
    ),
  );
  return `# bash completion for ${program}
_evenkeel_${program}() {
  local cur prev
  COMPREPLY=()
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD - 1]}
  # readline takes --name=value apart at the equals sign.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  case $prev in
${[...definitions.flatMap(bashCase), ...eachTwofold(commands, bashWord)].join('\n')}
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W ${quoted(words.join(' '))} -- "$cur")
    [[ \${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return
  fi
${takesFiles ? `  compopt -o filenames\n  mapfile -t COMPREPLY < <(${BASH_FILES})\n` : ''}${commands.size > 0 ? bashCommands([...commands.keys()]) : ''}}
complete -F _evenkeel_${program} ${program}
`;
};

/** Escapes what _arguments gives a meaning. */
const zshText = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');

const zshAction = (definition: OptionDefinition): string => {
  const { choices = [] } = definition;
  if (choices.length > 0) return `(${choices.join(' ')})`;
  if (offersFiles(definition)) return '_files';
  return definition.completion === 'dir' ? '_files -/' : ' ';
};

const MAY_BE_REPEATED: ReadonlySet<string> = new Set(['count', 'repeated']);

function zshSpecs(definition: OptionDefinition): readonly string[] {
  const { argument, help, kind, metavar } = definition;
  const colons = argument === 'glued' ? '::' : ':';
  const value = argument === 'none' ? '' : `${colons}${zshText(metavar ?? '')}:${zshAction(definition)}`;
  const repeat = MAY_BE_REPEATED.has(kind) ? '*' : '';
  return optionWords(definition).map((word) => {
    const isLong = word.startsWith('--');
    const mark = argument === 'none' ? '' : argument === 'glued' ? (isLong ? '=-' : '-') : isLong ? '=' : '+';
    return quoted(`${repeat}${word}${mark}[${zshText(help)}]${value}`);
  });
}

const zshWord = (first: string, seconds: string): string => `${first}) compadd ${seconds};;`;

/** Where a second word stands is not said, as `words` has the options, too. */
const zshCommands = (commands: CommandWords): readonly string[] => {
  const twofold = eachTwofold(commands, (first) => first).join('|');
  const second = `case \${words[(r)(${twofold})]} in ${eachTwofold(commands, zshWord).join(' ')} esac`;
  return [quoted(`1:command:(${[...commands.keys()].join(' ')})`), quoted(`2:word:{${second}}`)];
};

const zshScript: MakeScript = (program, definitions, takesFiles, commands) => {
  const specs = [
    ...definitions.flatMap(zshSpecs),
    ...(takesFiles ? [quoted('*:file:_files')] : []),
    ...(commands.size > 0 ? zshCommands(commands) : []),
  ];
  return `#compdef ${program}
_evenkeel_${program}() {
  _arguments \\
    ${specs.join(' \\\n    ')}
}
# Read at start-up (eval), the function is registered; autoloaded from fpath, it is run.
if [[ $funcstack[1] == _${program} ]]; then _evenkeel_${program} "$@"; else compdef _evenkeel_${program} ${program}; fi
`;
};

function fishLine(program: string, definition: OptionDefinition): string {
  const { argument, choices = [], completion, help, short } = definition;
  return [
    `complete -c ${program}`,
    ...(short ? [`-s ${short}`] : []),
    ...namesOf(definition).map((long) => `-l ${long}`),
    ...(argument === 'required' ? ['-r'] : []),
    ...(argument === 'required' && (offersFiles(definition) || completion === 'dir') ? ['-F'] : []),
    ...(choices.length > 0 ? [`-f -a ${quoted(choices.join(' '))}`] : []),
    `-d ${quoted(help)}`,
  ].join(' ');
}

function fishCommands(program: string, commands: CommandWords): readonly string[] {
  if (commands.size === 0) return [];
  const offer = (condition: string, words: string): string =>
    `complete -c ${program} -n '${condition}' -a '${words}'`;
  const seen = '__fish_seen_subcommand_from';
  const first = [...commands.keys()].join(' ');
  return [
    offer(`not ${seen} ${first}`, first),
    ...eachTwofold(commands, (word, seconds) =>
      offer(`${seen} ${word}; and not ${seen} ${seconds}`, seconds),
    ),
  ];
}

const fishScript: MakeScript = (program, definitions, takesFiles, commands) => {
  const lines = [
    `# fish completion for ${program}`,
    ...(takesFiles ? [] : [`complete -c ${program} -f`]),
    ...definitions.map((definition) => fishLine(program, definition)),
    ...fishCommands(program, commands),
  ];
  return `${lines.join('\n')}\n`;
};

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The script for `program` and `shell`; see each shell's manual for where it belongs. */
export const completionScript = (program: Program, shell: Shell): string =>
  SCRIPTS[shell](
    program.name,
    Object.values(program.options),
    program.positionals.completion === 'file',
    commandWords(program),
  );

const optionLine = ({ short, name, choices, completion }: OptionDefinition): string =>
  `${short ? `-${short},` : ''}--${name} ${choices ? `choices=${choices.join(',')}` : completion}`;

/** The list for `program`, one line each, with line ends. */
export function completionList({ options, positionals }: Program): string {
  const lines = Object.values(options).map(optionLine);
  const most = Number.isFinite(positionals.max) ? `${positionals.max}` : 'none';
  if (positionals.max > 0) lines.push(`${positionals.completion} ${positionals.min} ${most}`);
  return `${lines.join('\n')}\n`;
}
