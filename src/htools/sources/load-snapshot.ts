/** Loads a cluster from its source, with what else is to be read about it. */
import { nameOfKey } from '../../kit/cli/options/option-table.ts';
import { BackendError, InputError } from '../../kit/faults.ts';
import { readInput } from '../../kit/files/read-input.ts';
import { shorten } from '../../kit/printable.ts';
import { inWords, someOf } from '../../kit/text/words.ts';
import { isStray } from '../cluster/instance-status.ts';
import { type PreparedSnapshot, type PrepareOptions, prepareSnapshot } from '../cluster/prepare/prepare.ts';
import type { RawSnapshot } from '../cluster/snapshot.ts';
import { statedStorage } from '../cluster/storage/storage.ts';
import { flagOf, named, namedSources, SOURCES, type SourceOptions } from './list.ts';
import type { LoadFileOptions } from './load/load-words.ts';
import { editTexts, loadMonitoring, type MonitoringOptions, USUAL_WIRE } from './load-request.ts';
import { LOADING, loading, type ReadText, WHATS } from './parts/cluster-source.ts';

export interface LoadOptions
  extends SourceOptions,
    MonitoringOptions,
    Omit<PrepareOptions, 'dynamicUse' | 'measured' | 'monitoring'> {
  /** `--load`, and how its samples become one value. */
  readonly measured?: LoadFileOptions | undefined;
  readonly dynamicUseFile?: string | undefined;
  /** Changes before anything else (`--what-if`), in the order given; `@FILE` names a file of them. */
  readonly whatIf?: readonly string[] | undefined;
  /** Missing monitoring data is an error (`--exit-on-missing-mond-data`). */
  readonly needsMonitoring?: boolean | undefined;
}

/** A prepared snapshot, and what of input or options has no effect though surely meant to, in sentences. */
interface LoadedSnapshot extends PreparedSnapshot {
  readonly notes: readonly string[];
}

/**
 * Reads and prepares the cluster that the options name.
 * @throws BackendError when there is no source, or it cannot be read.
 * @throws InputError when it is not what it should be.
 * @throws ExecutionError when a selected or excluded name is no instance.
 */
export async function loadSnapshot(options: LoadOptions): Promise<LoadedSnapshot> {
  const flags = namedSources(options);
  const dynamicUse = await loadDynamicUse(options);
  const measured = await loadMeasured(options);
  const { snapshot: read, notes, source } = await readSnapshot(options);
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
  const unused = unusedNotes(prepared.snapshot, preparing);
  const strays = prepared.snapshot.instances.filter(isStray).map(({ name }) => name);
  const changes = options.whatIf?.length && edits.length === 0 ? ['--what-if names no change'] : [];
  const others = flags.slice(1).map((flag) => `${flag} is passed over: the cluster is read with ${flags[0]}`);
  return {
    ...withStorageChecked(prepared, source),
    notes: [...notes, ...others, ...changes, ...unused, ...(strays.length > 0 ? [strayNote(strays)] : [])],
  };
}

async function editedSnapshot(
  read: RawSnapshot,
  whatIf: readonly string[] = [],
): Promise<{ raw: RawSnapshot; edits: readonly string[] }> {
  if (whatIf.length === 0) return { raw: read, edits: [] };
  const { applyEdits, editWords } = await import('../cluster/edits/apply-edits.ts');
  const texts = editTexts(whatIf);
  return { raw: applyEdits(read, texts), edits: editWords(texts) };
}

/** The cluster before the changes is prepared, too; names of the command line may be of changed ones only. */
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

/** What the snapshot says about storage must go together; what is only odd joins the warnings. */
function withStorageChecked(prepared: PreparedSnapshot, source: string): PreparedSnapshot {
  const storage = statedStorage(prepared.snapshot);
  if (!storage) return prepared;
  const problems = storage.problems();
  if (problems.length > 0) throw new InputError(source, problems);
  return { ...prepared, warnings: [...prepared.warnings, ...storage.warnings()] };
}

/** @returns the cluster, and what messages call its source */
async function readSnapshot(options: LoadOptions): Promise<ReadText & { readonly source: string }> {
  for (const { key, option, open } of SOURCES) {
    const [first, ...others] = named(options, key);
    if (first === undefined) continue;
    const read = await open([first, ...others], options.wire ?? USUAL_WIRE);
    return { ...read, source: option.kind === 'repeated' ? `--${nameOfKey(key)}` : first };
  }
  const offers = WHATS.flatMap((what) => {
    // A list, even an empty one, shows that the program knows the option.
    const known = SOURCES.filter(
      (one) => one.what === what && (one.option.kind !== 'repeated' || options[one.key] !== undefined),
    );
    return known.length > 0 ? [`${what} with ${known.map(flagOf).join(' or ')}`] : [];
  });
  throw new BackendError(`${LOADING}: No backend selected! Exiting.`, `give ${inWords(offers, 'or')}`);
}

async function loadMeasured({ measured = {} }: LoadOptions): Promise<PrepareOptions['measured']> {
  const { load, loadLabel, loadUse, loadWindow } = measured;
  if (!(load?.length || loadLabel || loadUse || loadWindow)) return undefined;
  const { measuredLoads } = await import('./load/load-files.ts');
  return measuredLoads(measured);
}

async function loadDynamicUse({ dynamicUseFile }: LoadOptions): Promise<PrepareOptions['dynamicUse']> {
  if (dynamicUseFile === undefined) return undefined;
  const { parseDynamicUse } = await import('./usage/dynamic-use.ts');
  const content = readInput(dynamicUseFile);
  return loading(() => parseDynamicUse(content, dynamicUseFile), "can't parse utilisation data");
}

const SHOWN = 5;

const list = (names: readonly string[]): string =>
  someOf(
    names.map((name) => shorten(name)),
    SHOWN,
  );

/** A script would take the disks away under them. */
const strayNote = (names: readonly string[]): string =>
  `running on another node than their primary: ${list(names)}; run gnt-instance migrate --cleanup first, since a move may remove disks in use`;

/** Names and tags of `-U`, `--load` and `--exclusion-tags` that match nothing, and so have no effect. */
function unusedNotes(
  { instances }: RawSnapshot,
  { dynamicUse, measured, exclusionTags = [] }: PrepareOptions,
): string[] {
  const notes: string[] = [];
  for (const [option, loads] of Object.entries({ '--dynu-file': dynamicUse, '--load': measured })) {
    if (!loads) continue;
    if (loads.size === 0) notes.push(`${option}: there is no load in the file`);
    const known = new Set(instances.map(({ name }) => name));
    const unknown = [...loads.keys()].filter((name) => !known.has(name));
    if (unknown.length > 0)
      notes.push(
        `${option}: ${unknown.length} of ${loads.size} names are not instances of the cluster (${list(unknown)})`,
      );
  }
  const unmeasured = instances.flatMap(({ name }) => (measured && !measured.has(name) ? [name] : []));
  if (unmeasured.length > 0 && measured?.size !== 0)
    notes.push(
      `--load: ${unmeasured.length} of ${instances.length} instances were not measured (${list(unmeasured)})`,
    );
  const unmet = exclusionTags.filter(
    (prefix) => !instances.some(({ tags }) => tags.some((tag) => tag.startsWith(`${prefix}:`))),
  );
  if (unmet.length > 0)
    notes.push(
      `--exclusion-tags: no instance has a tag that starts with ${list(unmet.map((one) => `${one}:`))}`,
    );
  return notes;
}
