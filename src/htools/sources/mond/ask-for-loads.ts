/** Asks the nodes' monitoring daemons for their loads (`--mond`). */
import type { MonitoringReports } from '../../cluster/prepare/monitoring-load.ts';
import { askMonitors } from '../../ganeti/mond/client.ts';
import type { WireLimits } from '../../ganeti/wire/limits.ts';
import { collectorName, monitoringOf } from './mond.ts';

/** Never fails: a node that does not answer is one without a report. */
export async function askForLoads(
  nodes: readonly string[],
  collector: MonitoringReports['collector'],
  limits: WireLimits,
): Promise<MonitoringReports> {
  const answers = await askMonitors(nodes, collectorName(collector), limits);
  const texts = new Map<string, string>();
  const failures = new Map<string, string>();
  for (const [node, answer] of answers) {
    if ('report' in answer) texts.set(node, answer.report);
    else failures.set(node, answer.failure);
  }
  return monitoringOf(texts, collector, failures);
}
