/** Reading the questions of the command line: names of instances and nodes, and moves to be tried. */

import { InputError, type InputProblem } from '../../../../kit/faults.ts';
import { printErr } from '../../../../kit/report/output.ts';
import { warning } from '../../../../kit/report/tone.ts';
import { isFound, lookupName } from '../../../cluster/names.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { SomeOptions } from '../../../options/command-options.ts';

export class QuestionReader {
  readonly problems: InputProblem[] = [];

  constructor(private readonly snapshot: Snapshot) {}

  /** Position, or -1 after a complaint. */
  find(list: 'instances' | 'nodes', text: string, option: string): number {
    const names = this.snapshot[list].map(({ name }) => name);
    const match = lookupName(names, text);
    if (isFound(match)) return names.indexOf(match.name);
    const what = list === 'nodes' ? 'node' : 'instance';
    const problem =
      match.kind === 'several' ? `is the beginning of several ${list}` : `is no ${what} of the cluster`;
    const [example] = names;
    const remedy =
      example === undefined ? `ask about a cluster that has ${list}` : `give a name, such as ${example}`;
    this.complain(option, text, problem, remedy);
    return -1;
  }

  /** @throws InputError when anything was wrong */
  failIfAny(): void {
    if (this.problems.length > 0) throw new InputError('the question', this.problems);
  }

  complain(option: string, value: string, problem: string, remedy: string): void {
    this.problems.push({ field: option, value, problem, remedy });
  }
}

type Words = SomeOptions<'why' | 'tryMove' | 'html' | 'printCommands' | 'save' | 'verbosity'>;

/**
 * What `--why` and `--try` ask; warns of words about plans, as none is made.
 * @throws InputError for a name not of the cluster, or no move
 */
export function readQuestions(snapshot: Snapshot, options: Words) {
  const { why = [], tryMove = [], html, printCommands, save, verbosity = 1 } = options;
  const idle = Object.entries({ html, 'print-commands': printCommands, save });
  for (const [name, value] of verbosity > 0 ? idle : [])
    if (value !== undefined) printErr(warning(`--${name} has no effect with --why and --try`));
  const reader = new QuestionReader(snapshot);
  const asked = why.map((text) => reader.find('instances', text, '--why'));
  const wishes = tryMove.map((text) => wishOf(reader, text));
  reader.failIfAny();
  return { reader, asked, wishes };
}

/** Positions in `INSTANCE=NODE[:NODE]`; -1 after a complaint, or for an unsaid secondary. */
function wishOf(reader: QuestionReader, text: string) {
  const found = /^([^=]+)=([^:=]+)(?::([^:=]+))?$/.exec(text);
  if (!found) {
    reader.complain('--try', text, 'is not a move', 'write INSTANCE=NODE or INSTANCE=NODE:NODE');
    return { text, instance: -1, primary: -1, secondary: -1 };
  }
  const [, instance, primary, secondary] = found;
  return {
    text,
    instance: reader.find('instances', instance!, '--try'),
    primary: reader.find('nodes', primary!, '--try'),
    secondary: secondary === undefined ? -1 : reader.find('nodes', secondary, '--try'),
  };
}
