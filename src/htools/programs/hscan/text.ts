/** The figures of a cluster, and the lines of hscan (byte contract with the stock program). */
import { padRight } from '../../../kit/report/text-table.ts';
import { printfFixed } from '../../../kit/text/numbers.ts';
import { MIB_PER_GIB } from '../../../kit/units.ts';
import { Scorer } from '../../model/score/scorer.ts';
import { badNodes, instancesOn, wholeScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { ClusterFigures } from '../../results/maintain.ts';
import { showScore } from '../shared/steps/said.ts';

const COUNT_WIDTH = 5;
const SIZE_WIDTH = 6;
const SCORE_WIDTH = 10;

export function headings(width: number): string {
  const counts = ['Nodes', 'Inst', 'BNode', 'BInst'].map((word) => word.padStart(COUNT_WIDTH));
  const sizes = ['t_mem', 'f_mem', 't_disk', 'f_disk'].map((word) => word.padStart(SIZE_WIDTH));
  return `${[padRight('Name', width), ...counts, ...sizes, 'Score'.padStart(SCORE_WIDTH)].join(' ')}\n`;
}

export function clusterFigures(state: ClusterState): ClusterFigures {
  const { snapshot } = state;
  const { nodes } = wholeScope(snapshot);
  const bad = badNodes(state, nodes);
  const sum = (of: 'totalMemMib' | 'freeMemMib' | 'totalDiskMib' | 'freeDiskMib'): number =>
    snapshot.nodes.reduce((all, node) => all + node[of], 0);
  return {
    nodes: nodes.length,
    instances: snapshot.instances.length,
    badNodes: bad.length,
    badInstances: instancesOn(state, bad).length,
    totalMemMib: sum('totalMemMib'),
    freeMemMib: sum('freeMemMib'),
    totalDiskMib: sum('totalDiskMib'),
    freeDiskMib: sum('freeDiskMib'),
    score: new Scorer(state, nodes).score,
  };
}

export function clusterLine(name: string, width: number, figures: ClusterFigures): string {
  const { nodes, instances, badNodes, badInstances, totalMemMib, freeMemMib, totalDiskMib, freeDiskMib } =
    figures;
  const counts = [nodes, instances, badNodes, badInstances].map((n) => `${n}`.padStart(COUNT_WIDTH));
  const sizes = [
    printfFixed(totalMemMib, 0),
    `${freeMemMib}`,
    printfFixed(totalDiskMib / MIB_PER_GIB, 0),
    `${Math.floor(freeDiskMib / MIB_PER_GIB)}`,
  ];
  return `${[
    padRight(name, width),
    ...counts,
    ...sizes.map((size) => size.padStart(SIZE_WIDTH)),
    showScore(figures.score),
  ].join(' ')}\n`;
}

export const failureText = (name: string, details: string): string =>
  `\nError for ${name}: failed to load data. Details:\n${details}\n`;
