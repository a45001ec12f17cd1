/** Why a group cannot be emptied, and what one gives back, in words. */
import { count } from '../../../kit/text/words.ts';
import type { GroupVerdict } from '../../planners/groups/empty/compress.ts';
import type { CompressedGroup } from '../../planners/groups/empty/compression-facts.ts';
import { type Shortage, UNITS } from '../../planners/groups/homes/group-room.ts';
import { costText, mib } from '../shared/groups/group-figures.ts';
import { destinationsText } from '../shared/groups/move-lines.ts';
import { refusalCounts } from '../shared/groups/refusal-text.ts';

/** What a group gives back. */
export function returnsText({ givesBack }: CompressedGroup): string {
  const { nodes, memMib, diskMib, vcpus, master } = givesBack;
  const size = [`${mib(memMib)} of memory`, `${mib(diskMib)} of disk`, `${Math.floor(vcpus)} vcpus`];
  const note =
    master === null
      ? ''
      : `; first make another node the master instead of ${master} (gnt-cluster master-failover)`;
  return `${count(nodes, 'node')} with ${size.join(', ')}${note}`;
}

/** What emptying a group takes. */
export function priceText({ fills = [], cost, destinations = [], isWorthwhile }: CompressedGroup): string {
  const filled =
    fills.length === 0
      ? ''
      : `; this fills ${fills.join(', ')}, now empty${isWorthwhile ? '' : ', so nothing is gained'}`;
  return `${costText(cost!)}; to ${destinationsText(destinations)}${filled}`;
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
