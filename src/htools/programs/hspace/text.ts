/** What hspace says to people, line by line as the stock program does (byte contract). */
import { gib } from '../../../kit/report/gib.ts';
import { padLeft, padRight, textWidth } from '../../../kit/report/text-table.ts';
import { printfFixed, showInt } from '../../../kit/text/numbers.ts';
import { showList, showString } from '../../../kit/text/show.ts';
import type { Instance, Snapshot } from '../../cluster/snapshot.ts';
import type { PoolUse } from '../../model/state/pool-room.ts';
import type { CapacityStats } from '../../planners/allocate/fill/fill-stats.ts';
import type { Size } from '../../planners/allocate/fill/sized-instance.ts';
import type { AllocNodes } from '../../planners/allocate/solution.ts';
import type { Phase } from './phase.ts';
import type { Rebalanced } from './rebalance.ts';

const SCORE_DECIMALS = 8;
const COUNT_WIDTH = 3;
const PERCENT_WIDTH = 5;

/** Sizes and totals as `MEM 1, DSK 2`. */
const amounts = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${name} ${value}`).join(', ');

const sizeText = (size: Size, withSpindles: boolean): string =>
  amounts([
    ['MEM', showInt(size.memMib)],
    ['DSK', showInt(size.diskMib)],
    ['CPU', showInt(size.cpuCount)],
    ...(withSpindles ? [['SPN', showInt(size.spindles)] as const] : []),
  ]);

/** The cluster before anything is added. */
export function clusterText(stats: CapacityStats, nodes: number, withSpindles: boolean): string {
  const whole = (value: number): string => printfFixed(value, 0);
  const resources = amounts([
    ['MEM', whole(stats.totalMemMib)],
    ['DSK', whole(stats.totalDiskMib)],
    ['CPU', whole(stats.totalCpus)],
    ['VCPU', showInt(stats.totalVcpus)],
    ...(withSpindles ? [['SPN', whole(stats.totalSpindles)] as const] : []),
  ]);
  const instances = stats.instances > 0 ? `${stats.instances}` : 'no';
  return [
    `The cluster has ${nodes} nodes and the following resources:\n  ${resources}.\n`,
    `There are ${instances} initial instances on the cluster.\n`,
  ].join('');
}

/** External pools, no node's disk: one line each; none where nothing is said about storage. */
export const poolsText = (pools: readonly PoolUse[]): string =>
  pools
    .map(({ pool, nodes, sizeMib, usedMib, freeMib }) => {
      const known = sizeMib === null ? [] : [['SIZE', showInt(sizeMib)] as const];
      const left = freeMib === null ? [] : [['FREE', showInt(freeMib)] as const];
      const figures = amounts([...known, ['USED', showInt(usedMib)], ...left]);
      return `Storage pool ${pool}, reached by ${nodes} nodes:\n  ${figures}.\n`;
    })
    .join('');

/** The size that an allocation asks for. */
export function sizeAsked({ kind, size, diskTemplate, hasExclusiveStorage }: Phase): string {
  const name = kind === 'tiered' ? 'Tiered (initial size)' : 'Standard (fixed-size)';
  const text = sizeText(size, hasExclusiveStorage);
  return `${name} instance spec is:\n  ${text}, using disk template '${diskTemplate}'.\n`;
}

/** How much of each resource is in use, from 0 to 1; not a number where there is none. */
export const efficiencies = (stats: CapacityStats) => ({
  memory: stats.instanceMemMib / stats.totalMemMib,
  disk: stats.instanceDiskMib / stats.totalDiskMib,
  vcpu: stats.instanceVcpus / stats.totalVcpus,
  spindles: stats.instanceSpindles / stats.totalSpindles,
});

/** Why an allocation stopped and what the cluster is like then. */
function outcome({ reasons, before, after, hasExclusiveStorage, pools }: Phase): string {
  const used = Object.entries(efficiencies(after)).filter(
    ([name]) => name !== 'spindles' || hasExclusiveStorage,
  );
  const width = Math.max(...used.map(([name]) => name.length));
  const percent = (share: number): string => padLeft(printfFixed(share * 100, 2), PERCENT_WIDTH);
  return [
    `  - most likely failure reason: ${reasons[0]?.mode ?? 'nothing was tried'}\n`,
    `  - initial cluster score: ${printfFixed(before.score, SCORE_DECIMALS)}\n`,
    `  -   final cluster score: ${printfFixed(after.score, SCORE_DECIMALS)}\n`,
    ...used.map(([name, share]) => `  - ${padLeft(name, width)} usage efficiency: ${percent(share)}%\n`),
    ...pools.flatMap(({ pool, usedMib, sizeMib }) =>
      sizeMib === null ? [] : [`  - pool ${pool} usage: ${percent(usedMib / sizeMib)}%\n`],
    ),
  ].join('');
}

const countText = (count: number): string => padLeft(`${count}`, COUNT_WIDTH);

/** What an allocation came to. */
export function resultText(phase: Phase): string {
  if (phase.kind === 'standard')
    return `Normal (fixed-size) allocation results:\n  - ${countText(phase.instances.length)} instances allocated\n${outcome(phase)}`;
  const lines = phase.sizes.map(
    ({ size, count }) =>
      `  - ${countText(count)} instances of spec ${sizeText(size, phase.hasExclusiveStorage)}\n`,
  );
  const list = lines.length > 0 ? lines.join('') : '  - no instances allocated\n';
  return `Tiered allocation results:\n${list}${outcome(phase)}`;
}

const NUMERIC_FROM = 3;

/** Where the new instances went, for standard error. */
export function allocationMap(phase: Phase, { nodes }: Snapshot): string {
  const rows = phase.instances.map((instance: Instance) => [
    instance.name,
    nodes[instance.primary]!.name,
    nodes[instance.secondary]?.name ?? '',
    showInt(instance.memMib),
    showInt(instance.diskMib),
    showInt(instance.vcpus),
    phase.hasExclusiveStorage ? showInt(instance.disks[0]?.spindles ?? 0) : '',
  ]);
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => textWidth(row[column]!)))) ?? [];
  const lines = rows.map((row) =>
    row.map((cell, column) => (column < NUMERIC_FROM ? padRight : padLeft)(cell, widths[column]!)).join(' '),
  );
  const title = phase.kind === 'tiered' ? 'Tiered' : 'Standard';
  return `${title} allocation map\n${lines.map((line) => ` ${line}\n`).join('')}`;
}

/** Names of nodes or groups, for standard error. */
export const namesNote = (what: string, names: readonly string[]): string =>
  `${what}: ${showList(names.map(showString))}\n`;

/** Which nodes may be used, by their indices, for standard error. */
export function allocatableNote(targets: AllocNodes, { nodes }: Snapshot): string {
  const index = (n: number): string => showInt(nodes[n]!.index);
  const shown =
    targets.kind === 'singles'
      ? `Left ${showList(targets.nodes.map(index))}`
      : `Right ${showList(
          targets.pairs.map(
            ({ primary, secondaries }) => `(${index(primary)},${showList(secondaries.map(index))})`,
          ),
        )}`;
  return `Allocatable nodes: ${shown}\n`;
}

/** A line for each group that is balanced by moves. */
export function rebalancedText({ groups }: Rebalanced): string {
  const moved = groups.filter(({ steps }) => steps > 0);
  if (moved.length === 0) return 'Counted after balancing, which moves nothing here.\n';
  const lines = moved.map(
    ({ group, initialScore, finalScore, steps, copiedMib }) =>
      `  ${group}: score ${initialScore.toFixed(4)} to ${finalScore.toFixed(4)} by ${steps} ${steps === 1 ? 'step' : 'steps'} that ${steps === 1 ? 'copies' : 'copy'} ${gib(copiedMib)} GiB\n`,
  );
  return `Counted after balancing:\n${lines.join('')}`;
}
