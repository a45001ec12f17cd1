/** The whole maintenance in text (`--plan`). Ours: the stock program has none. */
import { duration, wrapped } from '../../../kit/report/sentences.ts';
import { count, someOf } from '../../../kit/text/words.ts';
import { aliasPair } from '../../cluster/names.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { moveNotation } from '../../plan/commands.ts';
import { sumOfCosts } from '../../plan/cost.ts';
import type { PlanStep } from '../../plan/plan.ts';
import type { PriceRates } from '../../plan/price.ts';
import type { HeldNode, Passage } from '../../planners/maintain/roll/leaving.ts';
import type { RollingPlan, RollingRound } from '../../planners/maintain/roll/rolling.ts';
import { type PlanPrice, priceOf, priceText } from '../shared/steps/plan-price.ts';
import { costText } from '../shared/steps/said.ts';

interface Telling {
  readonly rates: PriceRates;
  readonly showsMoves: boolean;
}

const MOST_NAMED = 4;

const stepLines = (start: Snapshot, steps: readonly PlanStep[]): string =>
  steps
    .map((step) => {
      const from = aliasPair(start, step.fromPrimary, step.fromSecondary);
      const to = aliasPair(start, step.toPrimary, step.toSecondary);
      return `    ${start.instances[step.instance]!.alias} ${from} => ${to} a=${moveNotation(start, step)}\n`;
    })
    .join('');

const passageText = (
  what: string,
  start: Snapshot,
  { steps, isForced }: Passage,
  { rates, showsMoves }: Telling,
): string => {
  if (steps.length === 0) return `  ${what}: nobody\n`;
  const price = priceOf({ start, steps }, rates);
  const cost = `${count(steps.length, 'step')}, ${costText(price)}; about ${duration(price.seconds)}`;
  const warning = isForced ? '    (against rules that only warn: N+1, cpu ratio, tags)\n' : '';
  return wrapped('  ', `${what}: ${cost}`) + warning + (showsMoves ? stepLines(start, steps) : '');
};

function verdictText({ nodes }: Snapshot, { verdict }: RollingRound, before: ReadonlySet<number>): string {
  const { failing, onOneCopy } = verdict;
  const line = (words: string, some: readonly number[]): string =>
    some.length === 0
      ? ''
      : `    ${words}: ${someOf(
          some.map((n) => nodes[n]!.alias),
          MOST_NAMED,
        )}\n`;
  return [
    `  N+1 of the others while they are down: ${failing.length === 0 ? 'yes' : 'no'}\n`,
    line(
      'could not fail now',
      failing.filter((n) => !before.has(n)),
    ),
    line(
      'could not fail before, either',
      failing.filter((n) => before.has(n)),
    ),
    onOneCopy > 0 ? `    ${count(onOneCopy, 'mirrored instance')} on one copy meanwhile\n` : '',
  ].join('');
}

/** @param heading which of how many it is @param before nodes that could not fail even then */
function roundText(
  snapshot: Snapshot,
  round: RollingRound,
  heading: string,
  before: ReadonlySet<number>,
  telling: Telling,
): string {
  const nodes = round.nodes.map((n) => snapshot.nodes[n]!.alias);
  const down = round.goDown.map((i) => snapshot.instances[i]!.alias);
  const hasMaster = round.nodes.some((n) => snapshot.nodes[n]!.isMaster);
  return [
    `\n${heading}: ${nodes.join(' ')}\n`,
    passageText('Leave', snapshot, round.leave, telling),
    hasMaster ? '  The master is among them: another node must be made master first\n' : '',
    down.length > 0
      ? `  Go down with them: ${count(down.length, 'instance')}: ${someOf(down, MOST_NAMED)}\n`
      : '',
    verdictText(snapshot, round, before),
    round.comeBack
      ? passageText('Come back', snapshot, round.comeBack, telling)
      : '  Nobody comes back: there is no room where they came from\n',
  ].join('');
}

const passagesOf = ({ rounds }: RollingPlan): readonly Passage[] =>
  rounds.flatMap(({ leave, comeBack }) => (comeBack ? [leave, comeBack] : [leave]));

/** What the passages cost together; the time that reboots take is not in it. */
export function totalPrice(start: Snapshot, plan: RollingPlan, rates: PriceRates): PlanPrice {
  const prices = passagesOf(plan).map(({ steps }) => priceOf({ start, steps }, rates));
  const sums = (['priceSeconds', 'steps', 'jobSets', 'downtimeSeconds', 'seconds'] as const).map(
    (what) => [what, prices.reduce((all, price) => all + price[what], 0)] as const,
  );
  return { ...prices[0]!, ...sumOfCosts(prices), ...Object.fromEntries(sums) };
}

/** Nodes that are meant, but not rebooted: a line each, with the reason. */
export const heldNodesText = ({ nodes, instances }: Snapshot, held: readonly HeldNode[]): string =>
  held
    .map(({ node, instances: some }) => {
      const names = someOf(
        some.map((i) => instances[i]!.alias),
        MOST_NAMED,
      );
      const what = some.length === 0 ? 'it is' : `${names} ${some.length === 1 ? 'is' : 'are'}`;
      return `${nodes[node]!.alias} is left out: ${what} to be left alone (tag htools:hands-off)\n`;
    })
    .join('');

export function planText(snapshot: Snapshot, plan: RollingPlan, telling: Telling): string {
  const { rounds, before } = plan;
  const nodes = rounds.reduce((sum, round) => sum + round.nodes.length, 0);
  const failing = new Set(before.failing);
  return [
    `Maintenance of ${count(nodes, 'node')} in ${count(rounds.length, 'round')}\n`,
    ...rounds.map((round, at) =>
      roundText(snapshot, round, `Round ${at + 1} of ${rounds.length}`, failing, telling),
    ),
    `\n${priceText(totalPrice(snapshot, plan, telling.rates), true)}`,
  ].join('');
}
