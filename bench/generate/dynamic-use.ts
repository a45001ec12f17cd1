/** Load figures for a generated cluster: the file of `-U` and the file of `--mond-data`. */
import type { MadeCluster } from './made-cluster.ts';
import type { Random } from './random.ts';

/**
 * Name of the collector whose reports carry a node's cpu load, and of the one with its Xen instances' loads.
 */
const NODE_LOAD = 'cpu-avg-load';
const XEN_LOAD = 'xen-cpu-avg-load';

/** Rows that only some readers take, and those that only some take for the same. */
const ODD_ROWS: readonly ((row: string) => readonly string[])[] = [
  (row) => [row, row.replace(/ \S+$/, ' 2.5')],
  (row) => [row.replace(/ \S+$/, ' 1.5e-1')],
  (row) => [row.replace(/ \S+$/, ' (0x10)')],
  (row) => [row.replace(/ \S+$/, ' 1000000000')],
  (row) => [row.replace(/\.\S+/, '')],
  (row) => [row.replace(' ', '  ')],
  (row) => [row.replace(' ', ' \t')],
  (row) => [`${row} 1.0`],
  (row) => [row.replace(/ \S+$/, '')],
  (row) => ['', row],
];

/**
 * One line an instance: cpu, memory, disk and network load. Some instances are left out, one unknown name may
 * stand in.
 */
export function dynamicUseText(cluster: MadeCluster, random: Random): string {
  const lines: string[] = [];
  for (const instance of cluster.instances) {
    if (random.chance(0.1)) continue;
    const loads = Array.from({ length: 4 }, () => random.real(0, 3).toFixed(random.between(1, 3)));
    lines.push(`${instance.name} ${loads.join(' ')}`);
  }
  if (random.chance(0.2)) lines.push('nobody.example.com 1.0 1.0 1.0 1.0');
  return lines.map((line) => `${line}\n`).join('');
}

/** Now and then two odd rows. */
export function withOddRows(text: string, random: Random): string {
  const lines = text.split('\n').slice(0, -1);
  for (const change of random.sample(ODD_ROWS, random.chance(0.2) ? 2 : 0)) {
    const k = random.below(lines.length);
    if (lines.length > 0) lines.splice(k, 1, ...change(lines[k]!));
  }
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * Reports of all nodes; now and then one node is missing, and the programs must then leave the data aside.
 */
export function mondText(cluster: MadeCluster, random: Random, isXen: boolean): string {
  const isGapped = random.chance(0.2);
  const reports = cluster.nodes.map((node, position) => {
    const cpus = Array.from({ length: node.cpuCount }, () => Number(random.real(0, 1).toFixed(4)));
    const perInstance = cluster.instances
      .filter((instance) => instance.primary === position)
      .map((instance) => [instance.name, Number(random.real(0, 2).toFixed(4))]);
    const total = Number(cpus.reduce((sum, load) => sum + load, 0).toFixed(4));
    return {
      node: node.name,
      reports: [
        {
          name: isXen ? XEN_LOAD : NODE_LOAD,
          version: 'B',
          format_version: 1,
          timestamp: 1700000000000000000,
          category: null,
          kind: 0,
          data: isXen
            ? Object.fromEntries(perInstance)
            : { cpu_number: node.cpuCount, cpus, cpu_total: total },
        },
      ],
    };
  });
  return JSON.stringify(isGapped ? reports.slice(1) : reports);
}
