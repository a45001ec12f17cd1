/**
 * Runs one program case in this process and looks at all that comes of it: exit status, what reaches the
 * terminal, the answer of hail, the commands of scripts, the saved states.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareSnapshot } from '../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../src/htools/cluster/snapshot.ts';
import { parseIallocatorCluster } from '../../src/htools/sources/iallocator/iallocator.ts';
import { parseText } from '../../src/htools/sources/text/text.ts';
import { formatText } from '../../src/htools/sources/text/text-writer.ts';
import { exitStatusOf, type Main } from '../../src/kit/cli/run.ts';
import { printableLines } from '../../src/kit/printable.ts';
import { setPainter } from '../../src/kit/report/output.ts';
import { auditBindings } from '../../src/ledger/binding/audit/audit.ts';
import { openBook } from '../../src/ledger/binding/book/book.ts';
import { audit, isWarning } from '../../src/ledger/claims/audit/audit.ts';
import { openLedger } from '../../src/ledger/claims/claim/ledger.ts';
import { PROGRAMS, type ProgramName, productOf } from '../../src/suite/programs.ts';
import { clusterText } from '../generate/text.ts';
import { runTrouble } from './launch.ts';
import { commandLine, type ProgramCase, programCase, SPOILED_FILE } from './program-case.ts';
import { commandTrouble, runScript } from './script-run.ts';
import { VALID_SNAPSHOT } from './targets.ts';
import type { Finding } from './trial.ts';
import { LEDGER_FILE } from './words/ledger-words.ts';
import { SAVE_PREFIX, SCRIPT_FILE } from './words/option-lists.ts';
import { PODS_FILE } from './words/pod-words.ts';

/** Scripts of more commands than this take longer to run than they can teach. */
const MOST_SCRIPT_BYTES = 10_000;
const SHOWN_LENGTH = 400;

const mainOf = async (program: ProgramName): Promise<Main<object>> => {
  const module = (await import(`../../src/${productOf(program)}/programs/${program}/main.ts`)) as {
    main: Main<object>;
  };
  return module.main;
};

interface Said {
  stdout: string;
  stderr: string;
}

/** Everything that is written while `work` runs, in place of writing it. */
async function listening(work: () => Promise<number>): Promise<Said & { status: number }> {
  const said: Said = { stdout: '', stderr: '' };
  setPainter('out', (text) => {
    said.stdout += text;
    return '';
  });
  setPainter('err', (text) => {
    said.stderr += text;
    return '';
  });
  return { status: await work(), ...said };
}

/** The cluster that the program was to read; undefined when that cannot be told here. */
function clusterOf({ source, bytes }: ProgramCase): Snapshot | undefined {
  try {
    if (source === 'text') return prepareSnapshot(parseText(bytes, SPOILED_FILE), {}).snapshot;
    if (source === 'message')
      return prepareSnapshot(parseIallocatorCluster(bytes, SPOILED_FILE), {}).snapshot;
  } catch {
    // It was refused.
  }
  return undefined;
}

function scriptTrouble(trial: ProgramCase, folder: string): string | undefined {
  const path = join(folder, SCRIPT_FILE);
  if (!existsSync(path)) return undefined;
  const script = readFileSync(path, 'utf8');
  if (script !== printableLines(script)) return 'a script with characters that cannot be shown';
  // These power nodes off and on, and wait for them.
  if (script.length > MOST_SCRIPT_BYTES || ['hroller', 'hsqueeze'].includes(trial.program)) return undefined;
  const snapshot = clusterOf(trial);
  if (!snapshot) return undefined;
  const names = new Set(
    [...snapshot.nodes, ...snapshot.instances].flatMap(({ name, alias }) => [name, alias]),
  );
  const { commands, stderr, status } = runScript(path, folder);
  if (status !== 0 || stderr !== '') return `the script ends with ${status}: ${stderr}`;
  const written = script.split('\n').filter((line) => /^ *gnt-instance /.test(line)).length;
  if (commands.length !== written) return `${commands.length} commands were run, ${written} are written`;
  for (const words of commands) {
    const trouble = commandTrouble(words, names);
    if (trouble !== undefined) return `the script runs a command that is ${trouble}`;
  }
  return undefined;
}

/** Saved states must be read again, and give the same bytes. */
function stateTrouble(folder: string): string | undefined {
  for (const file of readdirSync(folder).filter((name) => name.startsWith(`${SAVE_PREFIX}.`))) {
    const text = readFileSync(join(folder, file), 'utf8');
    try {
      if (formatText(parseText(text, file)) !== text)
        return `${file} is not the same once it is read and written`;
    } catch (error) {
      return `${file} cannot be read again: ${(error as Error).message}`;
    }
  }
  return undefined;
}

/** A ledger of the cluster as it was before it was spoiled. */
async function makeLedger(main: Main<object>): Promise<void> {
  for (const words of [['init'], ['import', `--text-data=${VALID_SNAPSHOT}`]]) {
    const { status, stderr } = await listening(() =>
      exitStatusOf(PROGRAMS.hclaim, [`--db=${LEDGER_FILE}`, ...words], main),
    );
    if (status !== 0) throw new Error(`hclaim ${words.join(' ')}: ${stderr}`);
  }
}

/** Whatever was asked of it, the ledger keeps its own rules. */
async function ledgerTrouble(): Promise<string | undefined> {
  const ledger = await openLedger(LEDGER_FILE, { now: Date.now, newRequest: () => 'fuzz' });
  try {
    const faults = (await ledger.store.read(audit)).filter((finding) => !isWarning(finding));
    return faults.length === 0 ? undefined : `the ledger is not clean: ${JSON.stringify(faults)}`;
  } finally {
    await ledger.store.close();
  }
}

/** The node groups of the cluster as pods, with a tenant in the first that takes one. */
async function makePods(main: Main<object>): Promise<void> {
  for (const words of [
    ['init'],
    ['usage', `--text-data=${VALID_SNAPSHOT}`, '--add'],
    ['select', '--tenant=t1'],
  ]) {
    const { status, stderr } = await listening(() =>
      exitStatusOf(PROGRAMS.hbind, [`--db=${PODS_FILE}`, ...words], main),
    );
    // Some clusters have no group that takes a tenant.
    if (status !== 0 && words[0] !== 'select') throw new Error(`hbind ${words.join(' ')}: ${stderr}`);
  }
}

/** Whatever was asked of it, the book of pods keeps its own rules. */
async function podsTrouble(): Promise<string | undefined> {
  const book = await openBook(PODS_FILE, Date.now);
  try {
    const findings = await book.store.read(auditBindings);
    return findings.length === 0 ? undefined : `the bindings are not clean: ${JSON.stringify(findings)}`;
  } finally {
    await book.store.close();
  }
}

const clean = (folder: string): void => {
  for (const file of readdirSync(folder))
    if (file !== 'commands') rmSync(join(folder, file), { recursive: true });
};

/** @param folder an empty folder of this process, which becomes its working folder */
export async function tryProgram(seed: number, folder: string): Promise<Finding | undefined> {
  const trial = programCase(seed);
  clean(folder);
  process.chdir(folder);
  writeFileSync(SPOILED_FILE, trial.bytes);
  writeFileSync(VALID_SNAPSHOT, clusterText(trial.cluster));
  const main = await mainOf(trial.program);
  if (trial.program === 'hclaim') await makeLedger(main);
  if (trial.program === 'hbind') await makePods(main);
  const { status, stdout, stderr } = await listening(() =>
    exitStatusOf(PROGRAMS[trial.program], trial.words, main),
  );
  const said = stdout + stderr;
  const trouble =
    runTrouble(trial.program, { stdout, stderr, exitCode: status, isTimedOut: false, seconds: 0 }) ??
    (said === printableLines(said) ? undefined : 'characters that a terminal obeys') ??
    scriptTrouble(trial, folder) ??
    stateTrouble(folder) ??
    (trial.program === 'hclaim' ? await ledgerTrouble() : undefined) ??
    (trial.program === 'hbind' ? await podsTrouble() : undefined);
  if (trouble === undefined) return undefined;
  const what = `${commandLine(trial)}: ${trouble}: ${(stderr || stdout).slice(0, SHOWN_LENGTH)}`;
  return { seed, target: trial.source ?? 'words', how: trial.how, what };
}
