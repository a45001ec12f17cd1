/** `--help-completion`: a line an option, then one for the arguments; a contract with completion builders. */
import type { OptionDefinition } from '../options/option.ts';
import type { Program } from '../options/program.ts';

const optionLine = ({ short, name, choices, completion }: OptionDefinition): string =>
  `${short ? `-${short},` : ''}--${name} ${choices ? `choices=${choices.join(',')}` : completion}`;

/** The list for `program`, one line each, with line ends. */
export function completionList({ options, positionals }: Program): string {
  const lines = Object.values(options).map(optionLine);
  const most = Number.isFinite(positionals.max) ? `${positionals.max}` : 'none';
  if (positionals.max > 0) lines.push(`${positionals.completion} ${positionals.min} ${most}`);
  return `${lines.join('\n')}\n`;
}
