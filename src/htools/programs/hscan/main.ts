/** hscan: saves snapshots of live clusters, and shows each in a line. */
import { join } from 'node:path';
import { faultText } from '../../../kit/cli/fault-text.ts';
import { statusAsAsked } from '../../../kit/exit-status.ts';
import { Fault, InputError, InternalError, UsageError } from '../../../kit/faults.ts';
import { groupedBy } from '../../../kit/grouped.ts';
import { colourOutput } from '../../../kit/report/colour.ts';
import { documentHead } from '../../../kit/report/json.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { widest } from '../../../kit/report/text-table.ts';
import { toned, warning } from '../../../kit/report/tone.ts';
import type { PreparedSnapshot } from '../../cluster/prepare/prepare.ts';
import { nodeRows } from '../../explain/state/state-facts.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { ProgramDocument } from '../../results/all.ts';
import { type LoadOptions, loadSnapshot } from '../../sources/load-snapshot.ts';
import { saveSnapshot } from '../../sources/text/text-writer.ts';
import { wireOf } from '../shared/cluster/load-cluster.ts';
import { loadWarnings } from '../shared/cluster/warnings.ts';
import { printDocument } from '../shared/document/print-document.ts';
import { fieldNames } from '../shared/listings/listings.ts';
import { nodeTable } from '../shared/listings/node-table.ts';
import * as T from './text.ts';

const LOCAL = 'LOCAL';
/** Levels of verbosity from which warnings about a cluster's figures are shown. */
const WARNINGS_FROM = 2;

type Options = ProgramOptions<'hscan'>;

interface Scan {
  readonly name: string;
  readonly loading: Promise<PreparedSnapshot>;
}

/** Starts reading all clusters; their faults are looked at when it is their turn. */
function startScans(options: Options, names: readonly string[]): readonly Scan[] {
  const common: LoadOptions = { wire: wireOf(options), staticKvmNodeMemoryMib: options.staticKvmNodeMemory };
  const scans =
    names.length === 0
      ? [{ name: LOCAL, loading: loadSnapshot({ ...common, luxiSocket: options.luxiSocket ?? '' }) }]
      : names.map((name) => ({ name, loading: loadSnapshot({ ...common, rapiAddress: name }) }));
  for (const { loading } of scans) loading.catch(() => {});
  return scans;
}

/** Where a cluster's snapshot goes; an address may have slashes. */
const fileOf = ({ outputDir }: Options, name: string): string =>
  join(outputDir, `${name.replaceAll('/', '_')}.data`);

/** @throws UsageError where two clusters would go to one file */
function askFiles(options: Options, names: readonly string[]): void {
  for (const [file, some] of groupedBy(new Set(names), (name) => fileOf(options, name)))
    if (some.length > 1)
      throw new UsageError(`${some.join(' and ')} would both be saved as ${file}`, 'scan one of them apart');
}

/** A fault without the words that hscan's own stand for. */
const detailsOf = (fault: Fault): string =>
  faultText(fault)
    .replace(/^Error: (?:failed to load data, aborting: )?/, '')
    .trimEnd();

/** What stock tells in place of a cluster's line: the first thing wrong. */
function firstOf(fault: Fault): string {
  const [head = '', second = ''] = detailsOf(fault).split('\n');
  if (!(fault instanceof InputError)) return head;
  return fault.problems.length === 1 ? head.replace(`${fault.source}: `, '') : second.trimStart();
}

interface Outcome {
  /** For standard output. */
  readonly text: string;
  readonly json: ProgramDocument<'hscan'>['clusters'][number];
  readonly isFine: boolean;
}

/** The fault that one cluster ends with. @throws what ends all of them */
function faultOfOne(error: unknown): Fault {
  if (!(error instanceof Fault) || error instanceof InternalError) throw error;
  return error;
}

function failed({ json }: Options, name: string, error: unknown): Omit<Outcome, 'text'> {
  const fault = faultOfOne(error);
  if (!json) printErr(toned('bad', faultText(fault)));
  return { json: { name, error: detailsOf(fault) }, isFine: false };
}

async function finish(options: Options, { name, loading }: Scan, width: number): Promise<Outcome> {
  const { printNodes, json } = options;
  let loaded: PreparedSnapshot;
  try {
    loaded = await loading;
  } catch (error) {
    return { ...failed(options, name, error), text: T.failureText(name, firstOf(faultOfOne(error))) };
  }
  const { snapshot, warnings } = loaded;
  if (options.verbosity >= WARNINGS_FROM) printErr(loadWarnings(warnings));
  const state = new ClusterState(snapshot, { trackPeerOrder: printNodes !== undefined });
  const figures = T.clusterFigures(state);
  const rows = printNodes && nodeRows(state, [...snapshot.nodes.keys()]);
  const text = T.clusterLine(name, width, figures) + (rows ? nodeTable(rows, fieldNames(printNodes)) : '');
  const file = fileOf(options, name);
  try {
    saveSnapshot(snapshot, file);
  } catch (error) {
    return { ...failed(options, name, error), text };
  }
  return { text, json: { name, file, ...figures, ...(json && rows && { nodeTable: rows }) }, isFine: true };
}

/** @returns the exit status: 0, or 2 when a cluster failed; the others are saved all the same */
export async function main(options: Options, names: readonly string[]): Promise<number> {
  if (names.includes('')) throw new UsageError('the name of a cluster is empty', 'give HOST, or a URL');
  askFiles(options, names);
  await colourOutput(options.color);
  if (options.luxiSocket !== undefined && names.length > 0 && options.verbosity > 0)
    printErr(warning('--luxi is passed over: the clusters that are named are scanned'));
  const say = options.json ? () => {} : printOut;
  const scans = startScans(options, names);
  const width = widest(scans.map(({ name }) => name));
  if (!options.noHeaders) say(T.headings(width));
  const outcomes: Outcome[] = [];
  for (const scan of scans) {
    const outcome = await finish(options, scan, width);
    say(outcome.text);
    outcomes.push(outcome);
  }
  if (options.json)
    await printDocument(options, { ...documentHead('hscan'), clusters: outcomes.map(({ json }) => json) });
  return outcomes.every(({ isFine }) => isFine) ? 0 : statusAsAsked('someFailed');
}
