/**
 * Measures the work across groups on a super cluster of 25 groups of 40 nodes with 10,000 instances, as whole
 * processes.
 *
 *   node --import tsx bench/htools/planners/groups/run.ts          the usual sizes
 *   node --import tsx bench/htools/planners/groups/run.ts --short  a small cluster, for a quick look
 *
 * Prints one JSON line a run: name, program, groups, nodes, instances, cpu seconds, peak memory. `roomy`
 * groups can mostly be emptied, of `full` ones hardly any can, so that all ways of placing are tried.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../../arguments.ts';
import { makeSuperCluster, PLAIN_SUPER_SHAPE, type SuperShape } from '../../../generate/super-cluster.ts';
import { clusterText } from '../../../generate/text.ts';
import { type AnyProgramName, launcherOf } from '../../../launchers.ts';
import { measure } from '../../../measure.ts';

const FILE = 'cluster.data';
const TIMEOUT_SECONDS = 300;
const USAGE = 'usage: npx tsx bench/htools/planners/groups/run.ts [--short]';
const { values } = readArguments(USAGE, { short: { type: 'boolean', default: false } });
const SIZES = values.short ? [{ groups: 5, nodes: 8 }] : [{ groups: 25, nodes: 40 }];
const FILLS: Readonly<Record<string, SuperShape['fill']>> = { roomy: [0.15, 0.6], full: [0.6, 0.9] };
const RUNS: readonly (readonly [AnyProgramName, readonly string[]])[] = [
  ['hbal', ['-l', '1']],
  ['hinfo', ['--groups']],
  ['hredist', []],
  ['hcompress', []],
  ['hcompress', ['--all', '--evacuate']],
  ['hspread', ['-l', '50']],
  ['hspread', ['-l', '50', '--disk-moves']],
];

for (const { groups, nodes } of SIZES) {
  for (const [name, fill] of Object.entries(FILLS)) {
    const folder = mkdtempSync(join(tmpdir(), 'evenkeel-groups-'));
    const cluster = makeSuperCluster({
      ...PLAIN_SUPER_SHAPE,
      groupCount: groups,
      nodesPerGroup: nodes,
      fill,
    });
    writeFileSync(join(folder, FILE), clusterText(cluster));
    for (const [program, options] of RUNS) {
      const path = launcherOf(program);
      const run = path && measure(path, ['-t', FILE, ...options], folder, TIMEOUT_SECONDS);
      const figures = {
        name: `${name}: ${[program, ...options].join(' ')}`,
        program,
        groups,
        nodes: cluster.nodes.length,
        instances: cluster.instances.length,
        seconds: run ? Number(run.cpuSeconds.toFixed(2)) : null,
        peakMib: run ? (run.peakMib ?? null) : null,
        seed: PLAIN_SUPER_SHAPE.seed,
      };
      process.stdout.write(`${JSON.stringify(figures)}\n`);
    }
    rmSync(folder, { recursive: true });
  }
}
