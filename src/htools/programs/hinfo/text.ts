/** What hinfo says, line by line as the stock program does. */
import { toned } from '../../../kit/report/tone.ts';
import { count } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { coefficientsOf } from '../../explain/state/state-facts.ts';
import type { Scorer } from '../../model/score/scorer.ts';
import type { GroupRow } from '../../planners/balance/steps/group-scores.ts';
import { groupTable } from '../shared/groups/group-table.ts';
import { policyLine } from '../shared/listings/policy-text.ts';
import { coefficientTable, loadedTags, showScore, strippedSuffix } from '../shared/steps/said.ts';

/** Verbosity from which on each kind of detail is said. */
const GROUPS = 2;
const POLICY = 3;

export const headText = (snapshot: Snapshot, verbosity: number): string =>
  loadedTags(snapshot.tags) + (verbosity >= POLICY ? policyLine(snapshot.policy) : '');

export function countsText(snapshot: Snapshot, verbosity: number): string {
  const { nodes, instances, groups } = snapshot;
  return [
    instances.length === 0 && verbosity >= GROUPS ? 'Cluster is empty.\n' : '',
    `Loaded ${count(nodes.length, 'node')}, ${count(instances.length, 'instance')}, `,
    `${count(groups.length, 'node group')}\n`,
    verbosity >= POLICY ? strippedSuffix(snapshot) : '',
  ].join('');
}

/** @param names of instances over two groups, which stand on standard error */
export function splitText(names: readonly string[], verbosity: number): string {
  if (names.length > 0) return 'Found instances belonging to multiple node groups:\n';
  return verbosity >= GROUPS ? 'No split instances found\n' : '';
}

export function groupsText(rows: readonly GroupRow[], verbosity: number): string {
  const table = `Node group information:\n${groupTable(rows)}`;
  const isHappy = rows.every(({ isNPlusOneHappy }) => isNPlusOneHappy);
  return `${verbosity >= GROUPS ? table : ''}${toned(isHappy ? 'good' : 'bad', `Cluster is N+1 ${isHappy ? 'happy' : 'unhappy'}`)}\n`;
}

export const scoreText = (scorer: Scorer): string =>
  `Cluster coefficients:\n${coefficientTable(coefficientsOf(scorer))}` +
  toned('figure', `Cluster score: ${showScore(scorer.score)}\n`);
