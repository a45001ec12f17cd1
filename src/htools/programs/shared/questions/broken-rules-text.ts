/** Broken rules and their mending as text. */
import { wrapped } from '../../../../kit/report/sentences.ts';
import { count, someOf } from '../../../../kit/text/words.ts';
import { ruleOf } from '../../../cluster/rules.ts';
import type { BrokenRuleFacts, MendingFacts } from '../../../results/parts/explanation.ts';
import { shortName } from './explain-text.ts';

const MOST_NAMES = 6;

function brokenWords({ rule, instances, nodes, detail }: BrokenRuleFacts): string {
  const who = someOf(instances.map(shortName), MOST_NAMES);
  const where = nodes.map(shortName).join(', ');
  return ruleOf(rule)?.broken?.(who, where, detail) ?? `${where} is offline and has ${who}`;
}

export const brokenRulesText = (rules: readonly BrokenRuleFacts[]): string =>
  rules.map((rule) => wrapped('  ', `${rule.rule}: ${brokenWords(rule)}`)).join('');

export function mendingText(facts: MendingFacts, steps: number): string {
  const { after, brokenBefore, brokenAfter, isFewest, isCheapest } = facts;
  if (brokenBefore === 0 && after.length === 0) return 'No rule is broken: nothing to mend.\n';
  const all = after.length === 0 ? 'everything' : 'what can be mended';
  const proof = isFewest
    ? isCheapest
      ? `, the fewest that mend ${all}, and the cheapest of these`
      : `, the fewest that mend ${all}`
    : '';
  const head = wrapped(
    '',
    `Rules broken ${count(brokenBefore, 'time')} before, ${count(brokenAfter, 'time')} after ${count(steps, 'step')}${proof}.`,
  );
  const why = brokenAfter === 0 ? ', by what may not be moved' : '';
  return after.length === 0 ? head : `${head}Still broken${why}:\n${brokenRulesText(after)}`;
}
