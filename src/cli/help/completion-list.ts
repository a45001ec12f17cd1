/** `--help-completion`: one line an option, then one for the arguments. The form is a contract with completion builders. */

import { OPTIONS } from '../options/option-table.ts';
import type { Completion, OptionDefinition } from '../options/owners/option.ts';
import { type ProgramName, programDefinition } from '../options/program-table.ts';

const completionWord = (completion: Completion): string =>
  typeof completion === 'string' ? completion : `choices=${completion.choices.join(',')}`;

const optionLine = ({ short, name, completion }: OptionDefinition): string =>
  `${short ? `-${short},` : ''}--${name} ${completionWord(completion)}`;

/** The list for `program`, one line each, with line ends. */
export function completionList(program: ProgramName): string {
  const { options, positionals } = programDefinition(program);
  const lines = options.map((key) => optionLine(OPTIONS[key]));
  const most = Number.isFinite(positionals.max) ? `${positionals.max}` : 'none';
  if (positionals.max > 0) lines.push(`${completionWord(positionals.completion)} ${positionals.min} ${most}`);
  return `${lines.join('\n')}\n`;
}
