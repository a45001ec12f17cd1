/**
 * Loads a cluster: the only place that knows which backend reads what. Backends are imported when they are
 * used, so that a program's start does not pay for the others.
 */
import { BackendError, InputError, introduced } from '../../kit/faults.ts';
import { readInput, readStandardInput } from '../../kit/files/read-input.ts';
import { decodeUtf8 } from '../../kit/files/utf8.ts';
import type { MonitoringReports } from '../cluster/prepare/monitoring-load.ts';
import { type PreparedSnapshot, type PrepareOptions, prepareSnapshot } from '../cluster/prepare/prepare.ts';
import type { RawSnapshot } from '../cluster/snapshot.ts';
import { statedStorage } from '../cluster/storage/storage.ts';
import { USUAL_LIMITS } from '../ganeti/wire/limits.ts';
import type { IallocatorCall } from './iallocator/iallocator.ts';
import type { LoadFileOptions } from './load/load-files.ts';
import type { RapiSettings } from './rapi/read-rapi.ts';
import type { ReadText } from './text/text.ts';
import { unusedNotes } from './unused-notes.ts';

/** Where a cluster comes from and what the command line says about loading it. */
export interface LoadOptions extends Omit<PrepareOptions, 'dynamicUse' | 'measured' | 'monitoring'> {
  /** `-t`. */
  readonly textFile?: string | undefined;
  /** `--simulate`, in the order given; when there are any they win over files, as in the stock programs. */
  readonly simulate?: readonly string[] | undefined;
  /** `-I`: an iallocator document whose request is not looked at. */
  readonly iallocatorFile?: string | undefined;
  /** `--load`, and how its samples become one value. */
  readonly loadFiles?: LoadFileOptions | undefined;
  /** `-U`. */
  readonly dynamicUseFile?: string | undefined;
  /** Socket of a master daemon (`-L`); empty = that of the master on this machine. */
  readonly luxiSocket?: string | undefined;
  /** Address of a RAPI server, or folder with its answers (`-m`). */
  readonly rapiAddress?: string | undefined;
  /** How servers are talked to. */
  readonly wire?: RapiSettings | undefined;
  /** Ask the nodes' monitoring daemons for their loads (`--mond`). */
  readonly usesMonitoring?: boolean | undefined;
  /** Take the daemons' reports from a file in place of asking (`--mond-data`, when `--mond` is given). */
  readonly monitoringFile?: string | undefined;
  /** Take loads per instance and not per node (`--mond-xen`). */
  readonly isMonitoringPerInstance?: boolean | undefined;
  /**
   * Changes before anything else is done (`--what-if`), in the order given; `@FILE` names a file with some.
   */
  readonly whatIf?: readonly string[] | undefined;
  /** Missing monitoring data is an error (`--exit-on-missing-mond-data`). */
  readonly needsMonitoring?: boolean | undefined;
}

/**
 * A prepared snapshot, and what of the input or the options has no effect though it was surely meant to, in
 * sentences.
 */
export interface LoadedSnapshot extends PreparedSnapshot {
  readonly notes: readonly string[];
}

/**
 * Reads and prepares the cluster that the options name.
 * @throws BackendError when there is no source, or it cannot be read.
 * @throws InputError when it is not what it should be.
 * @throws ExecutionError when a selected or excluded name is no instance.
 */
export async function loadSnapshot(options: LoadOptions): Promise<LoadedSnapshot> {
  const { luxiSocket, rapiAddress, textFile, iallocatorFile } = options;
  if ([luxiSocket, rapiAddress, textFile].filter((source) => source !== undefined).length > 1)
    throw new BackendError('Only one of the rapi, luxi, and data files options should be given.');
  const dynamicUse = await loadDynamicUse(options);
  const measured = await loadMeasured(options);
  const { snapshot: read, notes } = await readSnapshot(options);
  const { raw, edits } = await editedSnapshot(read, options.whatIf);
  const monitoring = await loadMonitoring(
    options,
    raw.nodes.map((node) => node.name),
  );
  const preparing = { ...options, dynamicUse, measured, monitoring };
  const prepared = withBefore(prepareSnapshot(raw, preparing), edits, read, preparing);
  if (options.needsMonitoring && prepared.monitoringWarning !== undefined) {
    throw new BackendError(
      `Not all required data available\n${prepared.monitoringWarning}`,
      'start the monitoring daemons, or leave --exit-on-missing-mond-data out',
    );
  }
  const source = rapiAddress ?? luxiSocket ?? textFile ?? iallocatorFile ?? '--simulate';
  const unused = unusedNotes(prepared.snapshot, { ...options, dynamicUse, measured });
  return { ...withStorageChecked(prepared, source), notes: [...notes, ...unused] };
}

/** The cluster as it was read with the changes of `--what-if`. */
async function editedSnapshot(
  read: RawSnapshot,
  whatIf: readonly string[] = [],
): Promise<{ raw: RawSnapshot; edits: readonly string[] }> {
  if (whatIf.length === 0) return { raw: read, edits: [] };
  const { applyEdits, editWords } = await import('../cluster/edits/apply-edits.ts');
  const texts = editTexts(whatIf);
  return { raw: applyEdits(read, texts), edits: editWords(texts) };
}

const editTexts = (whatIf: readonly string[]) =>
  whatIf.map((words) =>
    words.startsWith('@')
      ? { source: words.slice(1), text: decodeUtf8(readInput(words.slice(1)), words.slice(1)) }
      : { source: '--what-if', text: words },
  );

/**
 * The cluster without the changes is prepared as well, for who compares; names on the command line may be of
 * changed ones only.
 */
function withBefore(
  prepared: PreparedSnapshot,
  edits: readonly string[],
  read: RawSnapshot,
  options: PrepareOptions,
): PreparedSnapshot {
  if (edits.length === 0) return prepared;
  const before = prepareSnapshot(read, { ...options, selectedInstances: [], excludedInstances: [] }).snapshot;
  return { ...prepared, snapshot: { ...prepared.snapshot, whatIf: { edits, before } } };
}

/** How servers are talked to unless the command line says otherwise. */
const USUAL_WIRE: RapiSettings = { limits: USUAL_LIMITS, fingerprints: [] };

/** What the snapshot says about storage must go together; what is only odd joins the warnings. */
function withStorageChecked(prepared: PreparedSnapshot, source: string): PreparedSnapshot {
  const storage = statedStorage(prepared.snapshot);
  if (!storage) return prepared;
  const { problems, warnings } = storage;
  if (problems.length > 0) throw new InputError(source, problems);
  return { ...prepared, warnings: [...prepared.warnings, ...warnings] };
}

/** The stock programs' words for what failed, which logs are searched for, stand in front of the reason. */
async function failingAs<T>(words: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error ? introduced(words, error) : error;
  }
}

const withoutNotes = (snapshot: RawSnapshot): ReadText => ({ snapshot, notes: [] });

const LOADING = 'failed to load data, aborting';

async function readSnapshot(options: LoadOptions): Promise<ReadText> {
  const { simulate, textFile, iallocatorFile, luxiSocket, rapiAddress, wire = USUAL_WIRE } = options;
  if (rapiAddress !== undefined) {
    const { customsOf, readRapi } = await import('./rapi/read-rapi.ts');
    return withoutNotes(await failingAs(LOADING, () => readRapi(rapiAddress, customsOf(wire))));
  }
  if (luxiSocket !== undefined) {
    const { luxiPath, readLuxi } = await import('./luxi/read-luxi.ts');
    return withoutNotes(await failingAs(LOADING, () => readLuxi(luxiPath(luxiSocket), wire.limits)));
  }
  if (simulate && simulate.length > 0) {
    const { simulateCluster } = await import('./simulate/simulate.ts');
    return withoutNotes(await failingAs(LOADING, () => simulateCluster(simulate)));
  }
  if (textFile !== undefined) {
    const { readText } = await import('./text/text.ts');
    return failingAs(LOADING, () => readText(readInput(textFile), textFile));
  }
  if (iallocatorFile !== undefined) {
    const { parseIallocatorCluster } = await import('./iallocator/iallocator.ts');
    const content = await failingAs(LOADING, () => readInput(iallocatorFile));
    // What is wrong inside of a message is said as hail says it.
    return withoutNotes(parseIallocatorCluster(content, iallocatorFile));
  }
  // A list, even an empty one, shows that the program knows the option.
  const sources = ['a file with -t or -I', 'a live cluster with -L or -m'];
  if (simulate !== undefined) sources.push('a made-up one with --simulate');
  throw new BackendError(
    `${LOADING}: No backend selected! Exiting.`,
    `give ${sources.slice(0, -1).join(', ')} or ${sources.at(-1)}`,
  );
}

async function loadMeasured({ loadFiles }: LoadOptions): Promise<PrepareOptions['measured']> {
  if (loadFiles === undefined || loadFiles.files.length === 0) return undefined;
  const { measuredLoads } = await import('./load/load-files.ts');
  return measuredLoads(loadFiles);
}

async function loadDynamicUse({ dynamicUseFile }: LoadOptions): Promise<PrepareOptions['dynamicUse']> {
  if (dynamicUseFile === undefined) return undefined;
  const { parseDynamicUse } = await import('./usage/dynamic-use.ts');
  const content = readInput(dynamicUseFile);
  return failingAs("can't parse utilisation data", () => parseDynamicUse(content, dynamicUseFile));
}

/**
 * What the monitoring daemons say about the nodes, or what a file says that they said; undefined when nobody
 * wants to know.
 * @throws InputError when the file is not what it should be
 */
export async function loadMonitoring(
  options: Pick<
    LoadOptions,
    'usesMonitoring' | 'monitoringFile' | 'isMonitoringPerInstance' | 'ignoreDynamicUse' | 'wire'
  >,
  nodes: readonly string[],
): Promise<MonitoringReports | undefined> {
  const { usesMonitoring, monitoringFile, ignoreDynamicUse, wire = USUAL_WIRE } = options;
  const collector = options.isMonitoringPerInstance ? 'per-instance' : 'node-total';
  if (monitoringFile !== undefined) {
    const { parseMonitoringFile } = await import('./mond/mond.ts');
    const reports = parseMonitoringFile(readInput(monitoringFile), monitoringFile, collector);
    return ignoreDynamicUse ? undefined : reports;
  }
  if (!usesMonitoring || ignoreDynamicUse) return undefined;
  const { askForLoads } = await import('./mond/ask-for-loads.ts');
  return askForLoads(nodes, collector, wire.limits);
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
  const bytes = path === '-' ? readStandardInput() : readInput(path);
  if (whatIf.length === 0) return parseIallocatorRequest(bytes, path, staticKvmNodeMemoryMib);
  const { applyEdits } = await import('../cluster/edits/apply-edits.ts');
  const texts = editTexts(whatIf);
  return parseIallocatorRequest(bytes, path, staticKvmNodeMemoryMib, (cluster) => applyEdits(cluster, texts));
}
