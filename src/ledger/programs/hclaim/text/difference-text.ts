/** Differences between a ledger and a cluster or a Placement, and findings of an audit, in words. */
import { byKind } from '../../../../kit/kinds.ts';
import { count } from '../../../../kit/text/words.ts';
import type { Finding } from '../../../claims/audit/audit.ts';
import { type Difference, isFault } from '../../../claims/cluster/difference.ts';

const differenceText = byKind<Difference, string>({
  'name-missing': ({ of, name }) => `+ ${of} ${name}`,
  'name-extra': ({ of, name }) => `- ${of} ${name}`,
  'provider-missing': ({ name }) => `+ provider ${name}`,
  'provider-extra': ({ name }) => `- provider ${name}`,
  'provider-held': ({ name, consumers }) =>
    `- provider ${name}, not before this is released or claimed anew: ${consumers.join(' ')}`,
  'provider-differs': ({ name, what, ledger, cluster }) =>
    `~ provider ${name}, ${what}: ${ledger} => ${cluster}`,
  'consumer-missing': ({ consumer, amounts }) => `+ consumer ${consumer}: ${amounts}`,
  'consumer-extra': ({ consumer, amounts }) => `- consumer ${consumer}: ${amounts}`,
  'consumer-differs': ({ consumer, what, ledger, cluster }) =>
    `~ consumer ${consumer}, ${what}: ${ledger} => ${cluster}`,
  moving: ({ consumer, cluster, ledger }) => `  claimed, not moved yet: ${consumer}: ${cluster} => ${ledger}`,
  promised: ({ consumer, amounts }) => `  promised, not built: ${consumer}: ${amounts}`,
});

/** One line each: `+` the other has it, `-` the ledger has it, `~` both have it and differ. */
export const differencesText = (
  differences: readonly Difference[],
  other: 'cluster' | 'Placement' = 'cluster',
): string =>
  differences.length === 0
    ? `Ledger and ${other} agree.\n`
    : differences.map((difference) => `${differenceText(difference)}\n`).join('');

/** What is worth telling: with `--quiet` no promises, which may stand for days. */
export const toldOf = (
  differences: readonly Difference[],
  { verbosity }: { readonly verbosity: number },
): readonly Difference[] => (verbosity < 1 ? differences.filter(isFault) : differences);

export const findingText = byKind<Finding, string>({
  sum: ({ provider, kept, class: name, sum }) =>
    `${provider} keeps ${kept} ${name} as used, its allocations are ${sum}`,
  'owner-sum': ({ project, kept, class: name, sum }) =>
    `project ${project} keeps ${kept} ${name} as used, its allocations are ${sum}`,
  orphan: ({ what }) => `orphan: ${what}`,
  generation: ({ provider, generation, changes }) =>
    `${provider} has generation ${generation}, its history ${count(changes, 'change')}`,
  history: ({ recorded, consumer, provider, found }) =>
    `the history ends with ${recorded} for ${consumer} on ${provider}, the ledger has ${found}`,
  tree: ({ provider }) => `${provider} names another root than its parent`,
  damage: ({ detail }) => `the database is damaged: ${detail}`,
  'over-capacity': ({ provider, used, capacity, class: name }) =>
    `${provider} is over capacity: ${used} of ${capacity} ${name} used`,
  unit: ({ consumer, amount, class: name, provider, rule }) =>
    `${consumer} has ${amount} ${name} of ${provider}, which ${rule} would not allow`,
});
