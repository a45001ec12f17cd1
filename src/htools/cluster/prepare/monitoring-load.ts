/** Takes the cpu load that monitoring daemons report in place of what was assumed for the instances. */
import { usesCpus } from '../instance-status.ts';
import type { Instance, Node, Snapshot } from '../snapshot.ts';

/** What the daemons said: cpu load by node, or by instance of each; undefined = no usable answer. */
export type MonitoringReports = (
  | { readonly collector: 'node-total'; readonly cpuLoadByNode: ReadonlyMap<string, number> }
  | {
      readonly collector: 'per-instance';
      readonly cpuLoadsByNode: ReadonlyMap<string, ReadonlyMap<string, number>>;
    }
) & {
  /** Why daemons could not be asked, by node. */
  readonly failures?: ReadonlyMap<string, string> | undefined;
};

/** Nodes without an answer that a warning names; the others are counted. */
const SHOWN_NODES = 3;

/** The changed snapshot, or (all or nothing) the unchanged one and why. */
interface MonitoredSnapshot {
  readonly snapshot: Snapshot;
  /** In the words of the stock programs, which print them on standard error. */
  readonly warning?: string | undefined;
}

/** Collectors' names in the monitoring protocol. Source: ganeti-mond(8). */
export const NODE_TOTAL_COLLECTOR = 'cpu-avg-load';
export const PER_INSTANCE_COLLECTOR = 'xen-cpu-avg-load';

/** Puts the reported loads into nodes and instances when every node has answered. */
export function applyMonitoring(snapshot: Snapshot, reports: MonitoringReports): MonitoredSnapshot {
  const isNodeTotal = reports.collector === 'node-total';
  const answers = isNodeTotal ? reports.cpuLoadByNode : reports.cpuLoadsByNode;
  const silent = snapshot.nodes.flatMap(({ name }) => (answers.has(name) ? [] : [name]));
  if (silent.length > 0) {
    const name = isNodeTotal ? NODE_TOTAL_COLLECTOR : PER_INSTANCE_COLLECTOR;
    const warning = `Didn't receive an answer by all MonDs, ${name}'s data will be ignored.`;
    return { snapshot, warning: [warning, ...silentLines(silent, reports.failures)].join('\n') };
  }
  return isNodeTotal
    ? { snapshot: applyNodeTotals(snapshot, reports.cpuLoadByNode) }
    : applyInstanceLoads(snapshot, reports.cpuLoadsByNode);
}

function silentLines(nodes: readonly string[], failures: MonitoringReports['failures']): readonly string[] {
  const hidden = nodes.length - SHOWN_NODES;
  const lines = nodes
    .slice(0, SHOWN_NODES)
    .map((node) => `  ${failures?.get(node) ?? `${node}: no report that can be read`}`);
  return hidden > 0 ? [...lines, `  ... and ${hidden} more nodes`] : lines;
}

/** A node's load is shared out among its primaries by their vcpus. */
function applyNodeTotals(snapshot: Snapshot, cpuLoadByNode: ReadonlyMap<string, number>): Snapshot {
  const vcpus = snapshot.nodes.map((node) => node.nodeCpus);
  for (const instance of snapshot.instances) {
    if (usesCpus(instance)) vcpus[instance.primary]! += instance.vcpus;
  }
  const nodes = snapshot.nodes.map(
    (node): Node => ({ ...node, reportedCpuLoad: cpuLoadByNode.get(node.name)! }),
  );
  const instances = snapshot.instances.map((instance) => {
    const load = nodes[instance.primary]!.reportedCpuLoad!;
    return withCpuLoad(instance, (load / vcpus[instance.primary]!) * instance.vcpus);
  });
  return { ...snapshot, nodes, instances };
}

function applyInstanceLoads(
  snapshot: Snapshot,
  cpuLoadsByNode: ReadonlyMap<string, ReadonlyMap<string, number>>,
): MonitoredSnapshot {
  const loads = new Map<string, number>();
  // Where two nodes speak of the same instance, the first node's word counts.
  for (const node of snapshot.nodes) {
    for (const [name, load] of cpuLoadsByNode.get(node.name)!) if (!loads.has(name)) loads.set(name, load);
  }
  const missing = snapshot.instances.map((instance) => instance.name).filter((name) => !loads.has(name));
  if (missing.length > 0) {
    const names = missing.sort().map((name) => JSON.stringify(name));
    return { snapshot, warning: `No CPU information available for [${names.join(',')}]` };
  }
  const instances = snapshot.instances.map((instance) => withCpuLoad(instance, loads.get(instance.name)!));
  const sums = new Float64Array(snapshot.nodes.length);
  // From the last instance on, which is the order of stock's sum, down to the last bit.
  for (const instance of [...instances].reverse()) {
    if (!instance.isForthcoming) sums[instance.primary]! += instance.utilisation.cpu;
  }
  const nodes = snapshot.nodes.map((node, n): Node => ({ ...node, reportedCpuLoad: sums[n]! }));
  return { snapshot: { ...snapshot, nodes, instances } };
}

const withCpuLoad = (instance: Instance, cpu: number): Instance => ({
  ...instance,
  utilisation: { ...instance.utilisation, cpu },
  ...(instance.loadSources && { loadSources: { ...instance.loadSources, cpu: 'mond' } }),
});
