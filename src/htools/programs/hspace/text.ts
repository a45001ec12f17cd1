/** What hspace says to people, as the stock program does (byte contract), and its notes on standard error. */
import { gib } from '../../../kit/report/sentences.ts';
import { padLeft, padRight, widest } from '../../../kit/report/text-table.ts';
import { printfFixed, showInt, showList, showString } from '../../../kit/text/numbers.ts';
import { count } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { coefficientsOf } from '../../explain/state/state-facts.ts';
import { Scorer } from '../../model/score/scorer.ts';
import { wholeScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { AllocNodes } from '../../planners/allocate/solution.ts';
import { listings } from '../shared/listings/listings.ts';
import { initialCoefficients, showScore, strippedSuffix } from '../shared/steps/said.ts';
import type { Allocated, Allocation, PoolUses, Resources } from './allocations.ts';
import type { Ground } from './ground.ts';
import type { Rebalancing } from './rebalance.ts';

const COUNT_WIDTH = 3;
const PERCENT_WIDTH = 5;

/** Sizes and totals as `MEM 1, DSK 2`. */
const amounts = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${name} ${value}`).join(', ');

const specText = (size: Allocation['size'], withSpindles: boolean): string =>
  amounts([
    ['MEM', showInt(size.memMib)],
    ['DSK', showInt(size.diskMib)],
    ['CPU', showInt(size.vcpus)],
    ...(withSpindles ? [['SPN', showInt(size.spindles)] as const] : []),
  ]);

export function clusterText(stats: Resources, nodes: number, withSpindles: boolean): string {
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
export const poolsText = (pools: PoolUses): string =>
  pools
    .map(({ pool, nodes, sizeMib, usedMib, freeMib }) => {
      const known = sizeMib === null ? [] : [['SIZE', showInt(sizeMib)] as const];
      const left = freeMib === null ? [] : [['FREE', showInt(freeMib)] as const];
      const figures = amounts([...known, ['USED', showInt(usedMib)], ...left]);
      return `Storage pool ${pool}, reached by ${nodes} nodes:\n  ${figures}.\n`;
    })
    .join('');

export function sizeAsked({ kind, size, diskTemplate }: Allocation, withSpindles: boolean): string {
  const name = kind === 'tiered' ? 'Tiered (initial size)' : 'Standard (fixed-size)';
  const text = specText(size, withSpindles);
  return `${name} instance spec is:\n  ${text}, using disk template '${diskTemplate}'.\n`;
}

function outcome({ allocation, initialScore }: Allocated, withSpindles: boolean): string {
  const { reasons, resources, pools = [] } = allocation;
  const used = Object.entries(resources.efficiency).filter(([name]) => name !== 'spindles' || withSpindles);
  const width = widest(used.map(([name]) => name));
  const percent = (share: number): string => padLeft(printfFixed(share * 100, 2), PERCENT_WIDTH);
  return [
    `  - most likely failure reason: ${reasons[0]?.mode ?? 'nothing was tried'}\n`,
    `  - initial cluster score: ${showScore(initialScore)}\n`,
    `  -   final cluster score: ${showScore(resources.score)}\n`,
    ...used.map(([name, share]) => `  - ${padLeft(name, width)} usage efficiency: ${percent(share)}%\n`),
    ...pools.flatMap(({ pool, usedMib, sizeMib }) =>
      // Of a pool of no size there is no share.
      sizeMib ? [`  - pool ${pool} usage: ${percent(usedMib / sizeMib)}%\n`] : [],
    ),
  ].join('');
}

const countText = (count: number): string => padLeft(`${count}`, COUNT_WIDTH);

export function resultText(allocated: Allocated, withSpindles: boolean): string {
  const { kind, instanceCount, sizes } = allocated.allocation;
  const end = outcome(allocated, withSpindles);
  if (kind === 'standard')
    return `Normal (fixed-size) allocation results:\n  - ${countText(instanceCount)} instances allocated\n${end}`;
  const lines = sizes.map(
    ({ count, ...size }) => `  - ${countText(count)} instances of spec ${specText(size, withSpindles)}\n`,
  );
  const list = lines.length > 0 ? lines.join('') : '  - no instances allocated\n';
  return `Tiered allocation results:\n${list}${end}`;
}

const NUMERIC_FROM = 3;

/** Where the new instances went, for standard error. */
export function allocationMap({ kind, instances }: Allocation, withSpindles: boolean): string {
  const rows = instances.map(({ name, primary, secondary, ...size }) => [
    name,
    primary,
    secondary ?? '',
    showInt(size.memMib),
    showInt(size.diskMib),
    showInt(size.vcpus),
    withSpindles ? showInt(size.spindles) : '',
  ]);
  const widths = rows[0]?.map((_, column) => widest(rows.map((row) => row[column]!))) ?? [];
  const lines = rows.map((row) =>
    row.map((cell, column) => (column < NUMERIC_FROM ? padRight : padLeft)(cell, widths[column]!)).join(' '),
  );
  const title = kind === 'tiered' ? 'Tiered' : 'Standard';
  return `${title} allocation map\n${lines.map((line) => ` ${line}\n`).join('')}`;
}

export function rebalancedText(groups: Rebalancing): string {
  const moved = groups.filter(({ steps }) => steps > 0);
  if (moved.length === 0) return 'Counted after balancing, which moves nothing here.\n';
  const lines = moved.map(
    ({ group, initialScore, finalScore, steps, copiedMib }) =>
      `  ${group}: score ${initialScore.toFixed(4)} to ${finalScore.toFixed(4)} by ${count(steps, 'step that copies', 'steps that copy')} ${gib(copiedMib)} GiB\n`,
  );
  return `Counted after balancing:\n${lines.join('')}`;
}

/** Verbosity from which on each kind of detail is said. */
const SUFFIX = 2;
const METRICS = 3;
const NODES = 4;

export function startNotes(options: ProgramOptions<'hspace'>, state: ClusterState): string {
  const { snapshot } = state;
  const { verbosity } = options;
  const scope = wholeScope(snapshot);
  const scorer = new Scorer(state, scope.nodes);
  return [
    verbosity >= SUFFIX ? strippedSuffix(snapshot) : '',
    listings(options, state, scope, 'Initial cluster'),
    verbosity >= METRICS ? initialCoefficients(scorer.score, coefficientsOf(scorer)) : '',
  ].join('');
}

const namesNote = (what: string, names: readonly string[]): string =>
  `${what}: ${showList(names.map(showString))}\n`;

/** Which nodes may be used, by their indices, for standard error. */
function allocatableNote(targets: AllocNodes, { nodes }: Snapshot): string {
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

export function groundNotes({ verbosity }: ProgramOptions<'hspace'>, ground: Ground): string {
  if (verbosity < NODES) return '';
  const { nodes, groups } = ground.snapshot;
  const bad = ground.badNodes.map((n) => nodes[n]!.name);
  const badGroups = ground.badGroups().map((group) => groups[group]!.name);
  return [
    bad.length > 0 ? namesNote('Bad nodes', bad) : '',
    badGroups.length > 0 ? namesNote('Bad groups', badGroups) : '',
    allocatableNote(ground.targets(ground.snapshot), ground.snapshot),
  ].join('');
}
