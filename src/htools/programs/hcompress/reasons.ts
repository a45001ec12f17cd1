/** Why a group cannot be emptied, and what one gives back, in words. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { GroupVerdict } from '../../planners/groups/empty/compress.ts';
import type { CompressedGroup } from '../../planners/groups/empty/compression-facts.ts';
import { type Shortage, UNITS } from '../../planners/groups/homes/group-room.ts';
import { costText, count, groupNames, mib } from '../shared/groups/group-figures.ts';
import { destinationsText } from '../shared/groups/move-lines.ts';
import { refusalCounts } from '../shared/groups/refusal-text.ts';

/** What a group gives back. */
export function returnsText(start: Snapshot, { returns }: CompressedGroup): string {
  const { nodes, total, master } = returns;
  const size = [
    `${mib(total.memory)} of memory`,
    `${mib(total.disk)} of disk`,
    `${Math.floor(total.cpu)} vcpus`,
  ];
  const note =
    master === undefined
      ? ''
      : `; first make another node the master instead of ${start.nodes[master]!.name} (gnt-cluster master-failover)`;
  return `${count(nodes, 'node')} with ${size.join(', ')}${note}`;
}

/** What emptying a group takes. */
export function priceText(start: Snapshot, one: CompressedGroup): string {
  const { outcome } = one.verdict;
  const fills = typeof outcome === 'object' && outcome.isPossible ? outcome.fills : [];
  const filled =
    fills.length === 0
      ? ''
      : `; this fills ${groupNames(start, fills)}, now empty${one.isWorthwhile ? '' : ', so nothing is gained'}`;
  return `${costText(one.cost!)}; to ${destinationsText(start, one.destinations)}${filled}`;
}

const shortageText = ({ resource, needed, available }: Shortage): string =>
  `${resource}: ${needed} ${UNITS[resource]} needed, ${Math.floor(available)} ${UNITS[resource]} free elsewhere, ${Math.ceil(
    needed - available,
  )} ${UNITS[resource]} short`;

/** Why a group cannot be emptied, in one line; empty when it can. */
export function reasonText({ outcome }: GroupVerdict): string {
  if (outcome === 'empty') return '';
  if (outcome === 'alone') return 'no other group shares a storage pool with it';
  if (outcome === 'forbidden') return 'the cluster tag htools:nointergroup forbids moves between groups';
  if (outcome.isPossible) return '';
  const { shortages, stranded, isProven } = outcome;
  if (shortages.length > 0 && stranded.length === 0) return shortages.map(shortageText).join('; ');
  if (stranded.length === 0)
    return isProven ? 'no choice of homes has room for all' : 'no choice of homes was found';
  const homeless = `${count(stranded.length, 'instance finds', 'instances find')} no home (${refusalCounts(stranded)})`;
  return isProven ? homeless : `not found, as far as the search went: ${homeless}`;
}
