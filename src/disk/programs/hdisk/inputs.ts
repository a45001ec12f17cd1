/** Reads what the command line names: the schema, the hardware, and layouts that are there already. */
import { lstatSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Snapshot } from '../../../htools/cluster/snapshot.ts';
import { loadOptionsOf } from '../../../htools/programs/shared/cluster/load-cluster.ts';
import { loadSnapshot } from '../../../htools/sources/load-snapshot.ts';
import { BackendError, ExecutionError, InputError, type InputProblem } from '../../../kit/faults.ts';
import { isFolder, readInput } from '../../../kit/files/read-input.ts';
import { decodeUtf8 } from '../../../kit/files/utf8.ts';
import { tallied } from '../../../kit/grouped.ts';
import { someOf } from '../../../kit/text/words.ts';
import { readDocuments, type Tree } from '../../../kit/yaml/document.ts';
import { hardwareOfNode } from '../../facts/snapshot-nodes.ts';
import { evaluateSchema } from '../../model/evaluate-schema.ts';
import { type Hardware, readHardware } from '../../model/hardware.ts';
import { Problems } from '../../model/problems.ts';
import { readSchema, type Schema } from '../../model/schema.ts';
import { readLayouts, type WrittenLayout } from '../../model/static-file.ts';
import type { ProgramOptions } from '../../options/program-table.ts';

const STANDARD_INPUT = '-';
/** What is read of a folder. */
const ENDINGS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);

export interface Inputs {
  readonly schema: Schema;
  readonly schemaFile: string;
  readonly hardware: readonly Hardware[];
  readonly snapshot: Snapshot | undefined;
}

/** @throws Fault with everything that is wrong with any of the files. */
export async function readInputs(options: ProgramOptions<'hdisk'>): Promise<Inputs> {
  const schemaFile = options.schema!;
  const reading = new Reading();
  const trees = reading.trees(schemaFile);
  const schemaProblems = new Problems();
  const schema = trees && readSchema(trees, schemaProblems);
  const { hardware, snapshot } = await hardwareOf(options, schemaFile, trees, reading);
  // A schema that is partly unreadable is looked at as a whole, so that one run shows all there is to mend.
  if (schema && hardware[0] && schemaProblems.found.length > 0)
    evaluateSchema(schema, hardware[0], schemaProblems);
  reading.add(schemaFile, schemaProblems.found);
  reading.throwIfAny();
  return { schema: schema!, schemaFile, hardware: chosenOf(hardware, options.onlyNodes), snapshot };
}

/** Hardware alone; a schema is needed only where it holds it. @throws Fault with all that is wrong */
export async function readNodes(options: ProgramOptions<'hdisk'>): Promise<readonly Hardware[]> {
  const reading = new Reading();
  const trees = options.schema === undefined ? undefined : reading.trees(options.schema);
  const { hardware } = await hardwareOf(options, options.schema, trees, reading);
  reading.throwIfAny();
  return chosenOf(hardware, options.onlyNodes);
}

/** Layouts that are there already, of all nodes or of these. @throws InputError */
export function readWritten(file: string, names: readonly string[]): readonly WrittenLayout[] {
  const reading = new Reading();
  const trees = reading.trees(file);
  const layouts = reading.part(file, (problems) => readLayouts(trees ?? [], problems), trees);
  reading.throwIfAny();
  return layouts!.filter(({ node }) => node === undefined || names.length === 0 || names.includes(node));
}

async function hardwareOf(
  options: ProgramOptions<'hdisk'>,
  schemaFile: string | undefined,
  schemaTrees: readonly Tree[] | undefined,
  reading: Reading,
): Promise<{ readonly hardware: readonly Hardware[]; readonly snapshot: Snapshot | undefined }> {
  const { hardware: paths, textFile } = options;
  if (textFile !== undefined) {
    const { snapshot } = await loadSnapshot(loadOptionsOf(options));
    return { snapshot, hardware: snapshot.nodes.map(hardwareOfNode) };
  }
  const files = paths.flatMap(filesOf);
  if (files.length === 0) {
    const [tree] = schemaTrees ?? [];
    const inner = tree?.kind === 'map' ? tree.members.get('hw_info')?.value : undefined;
    if ((schemaTrees || schemaFile === undefined) && !inner)
      throw new ExecutionError(
        'no hardware is given',
        'name its file with --hardware, or a snapshot with --text-data',
      );
    return { snapshot: undefined, hardware: inner ? hardwareIn(schemaFile!, [inner], reading) : [] };
  }
  return {
    snapshot: undefined,
    hardware: files.flatMap((file) => hardwareIn(file, reading.trees(file), reading)),
  };
}

/** The nodes of a file; those that it does not name are called after the file. */
function hardwareIn(file: string, trees: readonly Tree[] | undefined, reading: Reading): readonly Hardware[] {
  const base = file === STANDARD_INPUT ? 'node' : basename(file, extname(file));
  return reading.part(file, (problems) => readHardware(trees ?? [], base, problems), trees) ?? [];
}

function filesOf(path: string): readonly string[] {
  if (path === STANDARD_INPUT || !isFolder(path)) return [path];
  let names: readonly string[];
  try {
    names = readdirSync(path);
  } catch (error) {
    throw new BackendError(
      `cannot read ${path}: ${(error as NodeJS.ErrnoException).code}`,
      'check the permissions',
    );
  }
  const files = names
    .filter((name) => ENDINGS.has(extname(name)) && !name.startsWith('.'))
    .map((name) => join(path, name))
    .filter((file) => !lstatSync(file, { throwIfNoEntry: false })?.isDirectory());
  if (files.length === 0)
    throw new BackendError(`${path} holds no file that ends in .yaml, .yml or .json`, 'name another folder');
  return files.sort();
}

/** @throws ExecutionError for no nodes, and for a name of none or of several, which would not be clear */
function chosenOf(hardware: readonly Hardware[], names: readonly string[]): readonly Hardware[] {
  if (hardware.length === 0)
    throw new ExecutionError('the hardware has no nodes', 'write one: disks: [{id: sda, size: 100000}]');
  const missing = names.filter((name) => !hardware.some(({ node }) => node === name));
  if (missing.length > 0)
    throw new ExecutionError(
      `there is no node '${missing.join("', '")}'`,
      `these are: ${someOf(
        hardware.map(({ node }) => node),
        5,
      )}`,
    );
  const chosen = names.length === 0 ? hardware : hardware.filter(({ node }) => names.includes(node));
  const twins = [...tallied(chosen.map(({ node }) => node))].filter(([, nodes]) => nodes > 1);
  if (twins.length > 0)
    throw new ExecutionError(
      `several nodes are called '${twins.map(([node]) => node).join("', '")}'`,
      'give each record a name of its own, as in node: NAME',
    );
  return chosen;
}

/** Reads file after file and keeps what is wrong with each, so that all of it is said at once. */
class Reading {
  private readonly found = new Map<string, readonly InputProblem[]>();

  /** @returns undefined when the file's form is broken. */
  trees(file: string): readonly Tree[] | undefined {
    try {
      const { trees, problems } = readDocuments(decodeUtf8(readInput(file), file));
      if (problems.length === 0) return trees;
      this.add(file, problems);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.add(file, error.problems);
    }
    return undefined;
  }

  part<T>(file: string, read: (problems: Problems) => T, trees: readonly Tree[] | undefined): T | undefined {
    if (!trees) return undefined;
    const problems = new Problems();
    const result = read(problems);
    this.add(file, problems.found);
    return result;
  }

  add(file: string, problems: readonly InputProblem[]): void {
    if (problems.length > 0) this.found.set(file, [...(this.found.get(file) ?? []), ...problems]);
  }

  /** @throws InputError of the one file that is wrong, or of all. */
  throwIfAny(): void {
    const [first, ...others] = this.found;
    if (!first) return;
    if (others.length === 0) throw new InputError(first[0], first[1]);
    const named = [...this.found].flatMap(([file, problems]) =>
      problems.map((problem) => ({ ...problem, problem: `${file}: ${problem.problem}` })),
    );
    throw new InputError(`${this.found.size} files`, named);
  }
}
