/** `--why` and `--try`: the questions of the command line, answered in place of planning. */
import type { SomeOptions } from '../../../cli/options/command-options.ts';
import { printOut } from '../../../cli/output.ts';
import { InputError, type InputProblem } from '../../../cluster/faults.ts';
import { isFound, lookupName } from '../../../cluster/names.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { Questions } from '../../../explain/questions.ts';
import type { TryExplanation, WhyExplanation } from '../../../explain/record.ts';
import type { BalanceOptions } from '../../../planners/balance/options.ts';
import { SCHEMA_VERSION } from '../../../report/json.ts';
import { type AnyDocument, documentText } from '../document/document-text.ts';
import { withCostJson } from './explain-json.ts';
import { tryText, whyText } from './explain-text.ts';
import type { WhatIfMember } from './report-what-if.ts';

type Words = SomeOptions<'why' | 'tryMove' | 'json' | 'format'>;

/** Finds names, and keeps what is wrong with them. */
class Reader {
  readonly problems: InputProblem[] = [];
  private readonly snapshot: Snapshot;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  /** Position, or -1 after a complaint. */
  find(list: 'instances' | 'nodes', text: string, option: string): number {
    const names = this.snapshot[list].map(({ name }) => name);
    const match = lookupName(names, text);
    if (isFound(match)) return names.indexOf(match.name);
    const what = list === 'nodes' ? 'node' : 'instance';
    const problem =
      match.kind === 'several' ? `is the beginning of several ${list}` : `is no ${what} of the cluster`;
    this.problems.push({
      field: option,
      value: text,
      problem,
      remedy: `give a name, such as ${names[0]}`,
    });
    return -1;
  }

  complain(option: string, value: string, problem: string, remedy: string): void {
    this.problems.push({ field: option, value, problem, remedy });
  }
}

interface Wish {
  readonly text: string;
  readonly instance: number;
  readonly primary: number;
  readonly secondary: number;
}

function wishOf(reader: Reader, text: string): Wish {
  const found = /^([^=]+)=([^:=]+)(?::([^:=]+))?$/.exec(text);
  if (!found) {
    reader.complain('--try', text, 'is no move', 'write INSTANCE=NODE or INSTANCE=NODE:NODE');
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

/**
 * Answers all questions on standard output.
 * @throws InputError when a name is none of the cluster, or no move leads where an instance is to be tried
 */
export async function ask(
  program: 'hbal' | 'hcheck',
  snapshot: Snapshot,
  options: Words,
  balancing: BalanceOptions,
  whatIf: WhatIfMember,
): Promise<void> {
  const reader = new Reader(snapshot);
  const asked = (options.why ?? []).map((text) => reader.find('instances', text, '--why'));
  const wishes = (options.tryMove ?? []).map((text) => wishOf(reader, text));
  const failIfAny = (): void => {
    if (reader.problems.length > 0) throw new InputError('the question', reader.problems);
  };
  failIfAny();
  const questions = new Questions(snapshot, balancing);
  const why: WhyExplanation[] = asked.map((i) => questions.why(i));
  const tried: TryExplanation[] = wishes.flatMap(({ text, instance, primary, secondary }) => {
    const group = snapshot.nodes[snapshot.instances[instance]!.primary]!.group;
    const isNear = [primary, secondary].every((n) => n < 0 || snapshot.nodes[n]!.group === group);
    const moves = isNear ? questions.movesTo(instance, primary, secondary) : [];
    if (moves.length === 0)
      reader.complain('--try', text, ...noMove(isNear, snapshot.instances[instance]!.diskTemplate));
    return questions.tryMoves(moves);
  });
  failIfAny();
  if (options.json) {
    const answers = {
      ...(asked.length > 0 && {
        why: why.map((one) => ({ ...one, options: one.options.map(withCostJson) })),
      }),
      ...(wishes.length > 0 && { try: tried.map(withCostJson) }),
      ...whatIf,
    };
    printOut(
      await documentText(options, { schemaVersion: SCHEMA_VERSION, program, ...answers } as AnyDocument),
    );
  } else printOut([...why.map(whyText), ...tried.map(tryText)].join('\n'));
}

const noMove = (isNear: boolean, template: string): [string, string] =>
  isNear
    ? [
        `leads nowhere: it is there, or its template ${template} has no such move`,
        'name other nodes; drbd takes two, shared storage one, and others are not moved',
      ]
    : [
        'leaves its node group',
        'name nodes of its own group; hredist, hcompress and hspread move between groups',
      ];
