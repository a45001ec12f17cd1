/**
 * What the nodes' monitoring daemons report when they are asked, or have reported to a file (`--mond-data`).
 * Source: ganeti-mond(8) for the reports' shape, hbal(1) for the file: a list of `{node, reports}`.
 */
import * as z from 'zod/mini';
import { InputError } from '../../../kit/faults.ts';
import { ProblemList } from '../../../kit/files/problem-list.ts';
import { asText } from '../../../kit/files/utf8.ts';
import { readJson } from '../../../kit/json/json-document.ts';
import { shorten } from '../../../kit/printable.ts';
import {
  type MonitoringReports,
  NODE_TOTAL_COLLECTOR,
  PER_INSTANCE_COLLECTOR,
} from '../../cluster/prepare/monitoring-load.ts';
import { askMonitors } from '../../ganeti/mond/client.ts';
import type { WireLimits } from '../../ganeti/wire/limits.ts';
import { complain, WORDS } from '../parts/schema-words.ts';

const CATEGORIES = ['instance', 'storage', 'daemon', 'hypervisor'] as const;

const REPORT = z.strictObject({
  name: z.string(),
  version: z.string(),
  format_version: z.number(),
  timestamp: z.number(),
  category: z.optional(z.nullable(z.enum(CATEGORIES))),
  kind: z.literal([0, 1]),
  data: z.unknown(),
});
const FILE = z.array(z.object({ node: z.string(), reports: z.array(REPORT) }));

/** `data` of the collector that reports one load for the whole node: that one. */
const NODE_TOTAL = z.pipe(
  z.strictObject({ cpu_number: z.number(), cpus: z.array(z.number()), cpu_total: z.number() }),
  z.transform(({ cpu_total }) => cpu_total),
);
/** `data` of the collector that reports a load for each instance on the node. */
const PER_INSTANCE = z.pipe(
  z.record(z.string(), z.number()),
  z.transform((loads): ReadonlyMap<string, number> => new Map(Object.entries(loads))),
);

/**
 * Asks the nodes' monitoring daemons for their loads (`--mond`). Never fails: a node that does not answer, or
 * whose report is malformed, is one without.
 */
export async function askForLoads(
  nodes: readonly string[],
  collector: MonitoringReports['collector'],
  limits: WireLimits,
): Promise<MonitoringReports> {
  const reports = new Map<string, Report>();
  const failures = new Map<string, string>();
  for (const [node, answer] of await askMonitors(nodes, collectorName(collector), limits)) {
    const report = z.safeParse(REPORT, 'report' in answer ? readJson(answer.report).value : undefined);
    if (report.success) reports.set(node, report.data);
    if ('failure' in answer) failures.set(node, answer.failure);
  }
  return { ...loadsOf(reports, collector), failures };
}

const collectorName = (collector: MonitoringReports['collector']): string =>
  collector === 'node-total' ? NODE_TOTAL_COLLECTOR : PER_INSTANCE_COLLECTOR;

const loadsOf = (
  reports: ReadonlyMap<string, Report>,
  collector: MonitoringReports['collector'],
): MonitoringReports =>
  collector === 'node-total'
    ? { collector, cpuLoadByNode: readEach(reports, NODE_TOTAL) }
    : { collector, cpuLoadsByNode: readEach(reports, PER_INSTANCE) };

type Report = z.output<typeof REPORT>;

/**
 * Reports of one collector by node; a node whose report is missing or malformed is left out. Of two entries
 * for one node the last counts, of two reports of one collector the first.
 * @param collector `per-instance` asks for the Xen collector (`--mond-xen`).
 * @throws InputError when the file is not a list of nodes with well-formed reports.
 */
export function parseMonitoringFile(
  content: Uint8Array | string,
  source: string,
  collector: MonitoringReports['collector'],
): MonitoringReports {
  const entries = readEntries(asText(content, source), source);
  const name = collectorName(collector);
  const reports = new Map<string, Report>();
  for (const entry of entries) {
    const report = entry.reports.find((one) => one.name === name);
    if (report) reports.set(entry.node, report);
    else reports.delete(entry.node);
  }
  return loadsOf(reports, collector);
}

const REMEDY = 'the file must hold one JSON list, of nodes with their reports';

function readEntries(text: string, source: string): z.output<typeof FILE> {
  const { value, reason } = readJson(text);
  if (reason !== undefined) {
    const problem = `can't parse MonD data: ${shorten(reason)}`;
    throw new InputError(source, [{ problem, remedy: REMEDY }]);
  }
  const result = z.safeParse(FILE, value, WORDS);
  if (result.success) return result.data;
  const problems = new ProblemList(source);
  complain(problems, result.error, REMEDY, { prefix: "can't parse MonD data: " });
  problems.throwIfAny();
  return [];
}

function readEach<T>(
  reports: ReadonlyMap<string, Report>,
  schema: z.core.$ZodType<T>,
): ReadonlyMap<string, T> {
  const answers = new Map<string, T>();
  for (const [node, { data }] of reports) {
    const result = z.safeParse(schema, data);
    if (result.success) answers.set(node, result.data);
  }
  return answers;
}
