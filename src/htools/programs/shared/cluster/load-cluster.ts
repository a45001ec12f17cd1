/** The cluster that the command line names, with its warnings said: the first thing that most programs do. */
import { optimiseLater } from '../../../../kit/cli/optimise-later.ts';
import { InputError, UsageError } from '../../../../kit/faults.ts';
import { colourOutput } from '../../../../kit/report/colour.ts';
import { printErr } from '../../../../kit/report/output.ts';
import { warning } from '../../../../kit/report/tone.ts';
import { parseReserve, withReserve } from '../../../cluster/edits/reserve.ts';
import { isFound, lookupName } from '../../../cluster/names.ts';
import { applyNodeOptions } from '../../../cluster/prepare/node-options.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { USUAL_LIMITS } from '../../../ganeti/wire/limits.ts';
import type { SomeOptions, TheseOptions } from '../../../options/command-options.ts';
import { named, SOURCES } from '../../../sources/list.ts';
import { type LoadOptions, loadSnapshot } from '../../../sources/load-snapshot.ts';
import type { RapiSettings } from '../../../sources/parts/cluster-source.ts';
import { loadWarnings } from './warnings.ts';

/** Whether the command line names a cluster at all: for programs that can do without one. */
export const namesCluster = (options: SomeOptions): boolean =>
  SOURCES.some(({ key }) => named(options, key).length > 0);

const CREDENTIALS_VARIABLE = 'EVENKEEL_RAPI_CREDENTIALS';

export const wireOf = (options: SomeOptions): RapiSettings => ({
  limits: {
    ...USUAL_LIMITS,
    connectSeconds: options.connectTimeout ?? USUAL_LIMITS.connectSeconds,
    answerSeconds: options.answerTimeout ?? USUAL_LIMITS.answerSeconds,
  },
  credentialsFile: options.rapiCredentials ?? (process.env[CREDENTIALS_VARIABLE] || undefined),
  authoritiesFile: options.rapiCa,
  fingerprints: options.rapiFingerprint ?? [],
  isInsecure: options.rapiInsecure,
});

export const loadOptionsOf = (options: SomeOptions): LoadOptions => ({
  ...Object.fromEntries(SOURCES.map(({ key }) => [key, options[key]])),
  wire: wireOf(options),
  measured: options,
  dynamicUseFile: options.dynuFile,
  ignoreDynamicUse: options.ignoreDynu,
  usesMonitoring: options.mond,
  monitoringFile: options.mond ? options.mondData : undefined,
  isMonitoringPerInstance: options.isMonitoringPerInstance,
  needsMonitoring: options.exitOnMissingMondData,
  exclusionTags: options.exclusionTags,
  selectedInstances: options.selectInstances,
  excludedInstances: options.excludeInstances,
  staticKvmNodeMemoryMib: options.staticKvmNodeMemory,
  whatIf: options.whatIf,
});

/**
 * Loads the cluster and says its warnings.
 * @param mostWarnings more are summed up; the stock programs, and what takes their place, list all.
 * @throws a Fault when there is no cluster to be had, or a selected or excluded instance is none of its own.
 */
export async function loadCluster(
  options: SomeOptions & TheseOptions<'verbosity'>,
  mostWarnings = Infinity,
): Promise<Snapshot> {
  assertWhatIfWords(options);
  optimiseLater();
  await colourOutput(options.color ?? 'auto');
  const { snapshot, warnings, monitoringWarning, notes } = await loadSnapshot(loadOptionsOf(options));
  if (monitoringWarning !== undefined) printErr(`${monitoringWarning}\n`);
  const all = [...idleNotes(options), ...notes];
  if (options.verbosity > 0) printErr(loadWarnings(warnings, mostWarnings) + all.map(warning).join(''));
  return snapshot;
}

const idleNotes = ({
  mond,
  mondData,
  exitOnMissingMondData,
  isMonitoringPerInstance,
}: SomeOptions): string[] =>
  Object.entries({
    'mond-data': mondData,
    'exit-on-missing-mond-data': exitOnMissingMondData,
    'mond-xen': isMonitoringPerInstance,
  }).flatMap(([name, value]) => (value && !mond ? [`--${name} has no effect without --mond`] : []));

/** @throws UsageError for a changed cluster's plan to be carried out, or nothing to be compared */
export function assertWhatIfWords({
  whatIf = [],
  exec,
  diff,
}: SomeOptions<'whatIf' | 'exec' | 'diff'>): void {
  if (whatIf.length > 0 && exec)
    throw new UsageError(
      '--what-if and --exec do not go together: the cluster that is planned for does not exist',
      'look at the plan first, and carry out one without --what-if',
    );
  if (diff && whatIf.length === 0)
    throw new UsageError('--diff has nothing to compare', 'say with --what-if what is to be different');
}

/**
 * The cluster with the say of `-O`, `--max-cpu`, `--min-disk`.
 * @throws ExecutionError for an `-O` of no node, after what was loaded is said, as in stock
 */
export function withNodeOptions(snapshot: Snapshot, options: NodeWords): Snapshot {
  const words = { maxCpuRatio: options.maxCpu, minDiskRatio: options.minDisk ?? 0 };
  const changed = withHeadRoom(applyNodeOptions(snapshot, { ...words, offline: options.offline }), options);
  const { whatIf } = changed;
  if (!whatIf) return changed;
  // A node of the changed cluster need not be there before.
  const names = whatIf.before.nodes.map((node) => node.name);
  const offline = options.offline.filter((text) => isFound(lookupName(names, text)));
  const before = applyNodeOptions(whatIf.before, { ...words, offline });
  return { ...changed, whatIf: { ...whatIf, before } };
}

type NodeWords = TheseOptions<'offline'> & SomeOptions<'maxCpu' | 'minDisk' | 'reserve'>;

/** What `--reserve` keeps, before and after changes in thought. @throws InputError if unreadable */
export function withHeadRoom(snapshot: Snapshot, { reserve: text }: SomeOptions<'reserve'>): Snapshot {
  if (text === undefined) return snapshot;
  const { reserve, problems } = parseReserve(text);
  if (!reserve) throw new InputError('--reserve', problems);
  const kept = <S extends Snapshot>(one: S): S => ({
    ...one,
    nodes: one.nodes.map((node) => withReserve(node, reserve)),
  });
  const { whatIf } = snapshot;
  return { ...kept(snapshot), ...(whatIf && { whatIf: { ...whatIf, before: kept(whatIf.before) } }) };
}
