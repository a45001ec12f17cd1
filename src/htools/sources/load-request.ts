/** What hail reads: a request with its cluster, and monitoring. Apart: hail starts for each request. */
import { optimiseLater } from '../../kit/cli/optimise-later.ts';
import { readInput } from '../../kit/files/read-input.ts';
import { decodeUtf8 } from '../../kit/files/utf8.ts';
import type { MonitoringReports } from '../cluster/prepare/monitoring-load.ts';
import type { PrepareOptions } from '../cluster/prepare/prepare.ts';
import { USUAL_LIMITS } from '../ganeti/wire/limits.ts';
import type { IallocatorCall } from './iallocator/iallocator.ts';
import type { RapiSettings } from './parts/cluster-source.ts';

/** How servers are talked to unless the command line says otherwise. */
export const USUAL_WIRE: RapiSettings = { limits: USUAL_LIMITS, fingerprints: [] };

/** Where loads come from that the nodes' monitoring daemons measure. */
export interface MonitoringOptions {
  readonly wire?: RapiSettings | undefined;
  /** Ask the nodes' monitoring daemons for their loads (`--mond`). */
  readonly usesMonitoring?: boolean | undefined;
  /** Take the daemons' reports from a file in place of asking (`--mond-data`, when `--mond` is given). */
  readonly monitoringFile?: string | undefined;
  /** Take loads per instance and not per node (`--mond-xen`). */
  readonly isMonitoringPerInstance?: boolean | undefined;
  readonly ignoreDynamicUse?: PrepareOptions['ignoreDynamicUse'];
}

/** The changes of `--what-if`; `@FILE` names a file with some. */
export const editTexts = (whatIf: readonly string[]) =>
  whatIf.map((words) =>
    words.startsWith('@')
      ? { source: words.slice(1), text: decodeUtf8(readInput(words.slice(1)), words.slice(1)) }
      : { source: '--what-if', text: words },
  );

/** What monitoring daemons, or a file, say; undefined = nobody asks. @throws InputError for a wrong file */
export async function loadMonitoring(
  options: MonitoringOptions,
  nodes: readonly string[],
): Promise<MonitoringReports | undefined> {
  const { usesMonitoring, monitoringFile, ignoreDynamicUse, wire = USUAL_WIRE } = options;
  const collector = options.isMonitoringPerInstance ? 'per-instance' : 'node-total';
  if (monitoringFile === undefined && (!usesMonitoring || ignoreDynamicUse)) return undefined;
  const { askForLoads, parseMonitoringFile } = await import('./mond/mond.ts');
  if (monitoringFile === undefined) return askForLoads(nodes, collector, wire.limits);
  const reports = parseMonitoringFile(readInput(monitoringFile), monitoringFile, collector);
  return ignoreDynamicUse ? undefined : reports;
}

/**
 * Reads an iallocator document with its request; `-` is standard input.
 * @param whatIf changes of its cluster
 * @throws BackendError when the file cannot be read.
 * @throws InputError when it is no well-formed request.
 */
export async function loadRequest(
  path: string,
  staticKvmNodeMemoryMib: number,
  whatIf: readonly string[] = [],
): Promise<IallocatorCall> {
  const { parseIallocatorRequest } = await import('./iallocator/iallocator.ts');
  const bytes = readInput(path);
  optimiseLater();
  if (whatIf.length === 0) return parseIallocatorRequest(bytes, path, staticKvmNodeMemoryMib);
  const { applyEdits } = await import('../cluster/edits/apply-edits.ts');
  const texts = editTexts(whatIf);
  return parseIallocatorRequest(bytes, path, staticKvmNodeMemoryMib, (cluster) => applyEdits(cluster, texts));
}
