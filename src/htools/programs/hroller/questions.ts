/** `hroller --why NODE` and `--try NODE=ROUND`, in place of the rounds, and `--explain` below them. */
import { documentHead } from '../../../kit/report/json.ts';
import { printOut } from '../../../kit/report/output.ts';
import { wrapped } from '../../../kit/report/sentences.ts';
import { someOf } from '../../../kit/text/words.ts';
import {
  type RoundConflict,
  type RoundExplanation,
  type RoundFacts,
  type RoundTry,
  type RoundWhy,
  roundQuestions,
} from '../../explain/rounds.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { RebootOptions } from '../../planners/maintain/reboot/reboot-rounds.ts';
import { printDocument } from '../shared/document/print-document.ts';
import { QuestionReader } from '../shared/questions/question-reader.ts';
import type { WhatIfMember } from '../shared/questions/report-what-if.ts';

const MOST_NAMES = 4;

type Rounds = readonly (readonly number[])[];

function conflictText({ node, rule, instances }: RoundConflict): string {
  const reason = rule === 'mirror' ? 'both nodes of' : 'one node would take over from both:';
  return `${node}: ${reason} ${someOf(instances, MOST_NAMES)}`;
}

function whyText({ node, round, conflicts }: RoundWhy): string {
  const where = round === null ? 'is in no round' : `is in round ${round}`;
  if (conflicts.length === 0) return `${node} ${where}; it may be down together with any other node.\n`;
  const lines = conflicts.map((conflict) => wrapped('  ', conflictText(conflict)));
  return `${node} ${where}; these must not be down together with it:\n${lines.join('')}`;
}

/** What keeps a node out of a round, one line a reason. */
function obstacleLines({ conflicts, hasRoom }: RoundFacts, indent: string): string {
  const lines = conflicts.map((conflict) => wrapped(indent, conflictText(conflict)));
  if (!hasRoom) lines.push(wrapped(indent, 'what has to leave these nodes together finds no room elsewhere'));
  return lines.join('');
}

function tryText(tried: RoundTry): string {
  const { node, at, round, isAllowed } = tried;
  const from = at === null ? 'in no round now' : at === round ? 'it is there' : `now in round ${at}`;
  return `${node} in round ${round} (${from}): ${isAllowed ? 'allowed' : 'not allowed'}\n${obstacleLines(tried, '  ')}`;
}

function earlierText(facts: RoundFacts, isMaster: boolean): string {
  const lines = obstacleLines(facts, '    ');
  if (lines !== '') return `  not in round ${facts.round}\n${lines}`;
  const reason = isMaster
    ? 'nothing is in its way, but the master node goes last'
    : 'nothing is in its way, but the nodes are parted into the fewest rounds that were found';
  return wrapped('  ', `not in round ${facts.round}: ${reason}`);
}

const explanationText = (explanation: readonly RoundExplanation[]): string =>
  [
    'Why the nodes are in no earlier round:\n',
    ...explanation
      .filter(({ earlier }) => earlier.length > 0)
      .map(
        ({ node, round, earlier, isMaster }) =>
          `${node} in round ${round}\n${earlier.map((one) => earlierText(one, isMaster)).join('')}`,
      ),
  ].join('');

export function explainRounds(state: ClusterState, rounds: Rounds, options: RebootOptions) {
  const explanation = roundQuestions(state, rounds, options).explain();
  return { explanation, text: explanationText(explanation) };
}

/** @throws InputError when a name is no node, or a round is none */
export async function askRounds(
  state: ClusterState,
  rounds: Rounds,
  options: ProgramOptions<'hroller'>,
  whatIf: WhatIfMember,
): Promise<void> {
  const reader = new QuestionReader(state.snapshot);
  const asked = options.whyNode.map((text) => reader.find('nodes', text, '--why'));
  const wishes = options.tryRound.map((text) => wishOf(reader, text, rounds.length + 1));
  reader.failIfAny();
  const questions = roundQuestions(state, rounds, options);
  const why = asked.map((n) => questions.why(n));
  const tried = wishes.map(({ node, round }) => questions.try(node, round));
  if (!options.json) {
    printOut([...why.map(whyText), ...tried.map(tryText)].join('\n'));
    return;
  }
  const answers = { ...(why.length > 0 && { why }), ...(tried.length > 0 && { try: tried }) };
  await printDocument(options, { ...documentHead('hroller'), ...whatIf, ...answers });
}

function wishOf(reader: QuestionReader, text: string, last: number) {
  const found = /^([^=]+)=(\d{1,9})$/.exec(text);
  const round = Number(found?.[2] ?? 0);
  if (!found || round < 1 || round > last) {
    reader.complain(
      '--try',
      text,
      'is not a node and a round',
      `write NODE=ROUND, with a round from 1 to ${last}`,
    );
    return { node: -1, round };
  }
  return { node: reader.find('nodes', found[1]!, '--try'), round };
}
