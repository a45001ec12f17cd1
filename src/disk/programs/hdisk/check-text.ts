/** What differs between layouts that are there and those that the schema would give, in words. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import { type Difference, differences, staticLayout } from '../../facts/comparison.ts';
import type { NodeOutcome } from '../../facts/node-layout.ts';
import type { WrittenLayout } from '../../model/static-file.ts';
import type { checkedNode } from '../../results/hdisk.ts';
import { reasonWords } from './words.ts';

/** A node; the problem is why the two cannot be compared. */
type Checked = DocumentOf<typeof checkedNode>;

const incomparable = (node: string, problem: string): Checked => ({
  node,
  isAsWanted: false,
  problem,
  differences: [],
});

/** Each node that either side has. With one on each side, their names do not matter. */
export function checkedNodes(
  outcomes: readonly NodeOutcome[],
  written: readonly WrittenLayout[],
): readonly Checked[] {
  const isSingle = outcomes.length === 1 && written.length === 1;
  const matching = (name: string): WrittenLayout | undefined =>
    isSingle ? written[0] : written.find(({ node }) => node === name);
  const own = outcomes.map((outcome): Checked => {
    const { node } = outcome;
    const there = matching(node);
    if (outcome.kind !== 'layout')
      return incomparable(node, `the schema gives no layout: ${reasonWords(outcome)}`);
    if (!there) return incomparable(node, 'there is no layout of this node to compare with');
    const found = differences(there.disks, staticLayout(outcome));
    return { node, isAsWanted: found.length === 0, problem: null, differences: found };
  });
  const compared = new Set(outcomes.map(({ node }) => matching(node)));
  const strangers = written
    .filter((one) => !compared.has(one))
    .map(({ node }) => {
      const isTwin = outcomes.some((outcome) => outcome.node === node);
      const problem = isTwin ? 'there are two layouts of this node' : 'there is no hardware for this node';
      return incomparable(node ?? '-', problem);
    });
  return [...own, ...strangers];
}

function differenceWords({ disk, space, is, wanted }: Difference): string {
  const what = space === null ? `disk ${disk}` : `${disk}: ${space}`;
  if (wanted === null) return `${what} is ${is}, and is not wanted`;
  return `${what} is ${is ?? 'not there'}, wanted ${wanted}`;
}

export const checkText = (nodes: readonly Checked[]): string =>
  nodes
    .flatMap((one) => {
      if (one.isAsWanted) return [`${one.node}: as the schema requires\n`];
      const lines = one.problem === null ? one.differences.map(differenceWords) : [one.problem];
      return lines.map((line) => `${one.node}: ${line}\n`);
    })
    .join('');
