/** `--why` and `--try`: the questions of the command line, answered in place of planning. */
import { documentHead } from '../../../../kit/report/json.ts';
import { printOut } from '../../../../kit/report/output.ts';
import { fitTables } from '../../../../kit/report/report-table.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { type DiskTemplate, isMovableTemplate } from '../../../cluster/templates.ts';
import { Questions } from '../../../explain/questions.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import type { BalanceOptions } from '../../../planners/balance/options.ts';
import type { TryExplanation, WhyExplanation } from '../../../results/parts/explanation.ts';
import { type AnyDocument, printDocument } from '../document/print-document.ts';
import { tryText, whyText } from './explain-text.ts';
import { readQuestions } from './question-reader.ts';
import { isDocument, type WhatIfMember } from './report-what-if.ts';

type Words = Parameters<typeof readQuestions>[1] & SomeOptions<'json' | 'machineReadable' | 'format'>;

/** Answers on stdout. @throws InputError for a name not of the cluster, or a try that no move leads to */
export async function ask(
  program: 'hbal' | 'hcheck',
  snapshot: Snapshot,
  options: Words,
  balancing: BalanceOptions,
  whatIf: WhatIfMember,
): Promise<void> {
  await fitTables();
  const { reader, asked, wishes } = readQuestions(snapshot, options);
  const questions = new Questions(snapshot, balancing);
  const why: WhyExplanation[] = asked.map((i) => questions.why(i));
  const tried: TryExplanation[] = wishes.flatMap(({ text, instance, primary, secondary }) => {
    const group = snapshot.nodes[snapshot.instances[instance]!.primary]!.group;
    const isNear = [primary, secondary].every((n) => n < 0 || snapshot.nodes[n]!.group === group);
    const moves = isNear ? questions.movesTo(instance, primary, secondary) : [];
    if (moves.length === 0)
      reader.complain('--try', text, ...noMove(isNear, snapshot.instances[instance]!.diskTemplate));
    return moves.map((move) => questions.try(move));
  });
  reader.failIfAny();
  if (isDocument(options)) {
    const answers = { ...(asked.length > 0 && { why }), ...(wishes.length > 0 && { try: tried }), ...whatIf };
    await printDocument(options, { ...documentHead(program), ...answers } as AnyDocument);
  } else printOut([...why.map(whyText), ...tried.map(tryText)].join('\n'));
}

function noMove(isNear: boolean, template: DiskTemplate): [string, string] {
  if (!isNear)
    return [
      'leaves its node group',
      'name nodes of its own group; hredist, hcompress and hspread move between groups',
    ];
  if (!isMovableTemplate(template))
    return [
      `cannot be: its disk template, ${template}, does not allow it to move`,
      'ask with --why what keeps it',
    ];
  return ['leads to no other nodes', 'name nodes that it is not on: two for drbd, one for shared storage'];
}
