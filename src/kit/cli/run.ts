/**
 * Around each program: reads the command line, runs it, says what went wrong, sets the exit status. No
 * handler for SIGINT: the signal's own effect ends the process at once (status 130 in a shell), where a
 * handler would wait for a long search. Threads end with it, and files are replaced as a whole.
 */
import { EXIT, setStrictStatuses, statusAsAsked } from '../exit-status.ts';
import { Fault, InternalError, InterruptedError, JobsFailedError, UsageError } from '../faults.ts';
import { holdOut, printErr, printOut } from '../report/output.ts';
import { toned, warning, withoutTones } from '../report/tone.ts';
import { faultText } from './fault-text.ts';
import type { Program } from './options/program.ts';
import { type ParsedCommandLine, type PrintRequest, parseCommandLine } from './parse/parse.ts';

/** What a program does: prints through output.ts, returns its exit status or throws a Fault. */
export type Main<Options> = (options: Options, positionals: readonly string[]) => number | Promise<number>;

// Texts that a usual run does not need are loaded when they are asked for.
async function requestedText(program: Program, request: PrintRequest): Promise<string> {
  switch (request.what) {
    case 'help':
      return (await import('./help/help.ts')).helpText(program, request.topic, request.words);
    case 'version':
      return (await import('./help/version.ts')).versionText(program.name);
    case 'helpCompletion':
      return (await import('./help/shell-completion.ts')).completionList(program);
    case 'completion':
      return (await import('./help/shell-completion.ts')).completionScript(program, request.shell);
  }
}

/** Where 1 is an answer, bad input has a status of its own. */
const statusOf = ({ faultStatus }: Program, fault: Fault): number =>
  fault.exitCode === EXIT.no && !(fault instanceof JobsFailedError)
    ? (faultStatus ?? statusAsAsked('input'))
    : fault.exitCode;

async function reportFault(program: Program, fault: Fault): Promise<number> {
  if (fault instanceof InterruptedError) return fault.exitCode;
  // How the command line is wrong is told in the words of the stock programs, which say no `Error:`.
  if (!(fault instanceof UsageError)) printErr(toned('bad', faultText(fault)));
  else if (fault.unknown.length === 0) printErr(faultText(fault));
  else {
    const { withMeant } = await import('../text/meant.ts');
    printErr(faultText(fault, withMeant(fault.remedy ?? '', fault.unknown)));
  }
  return statusOf(program, fault);
}

/** Anything thrown that is not a Fault is a mistake of ours. */
function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return new InternalError(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}

/**
 * Has what a program prints written to the file of `--output-file`, as a whole or not at all. What ends
 * without success and says nothing leaves the file alone.
 */
async function intoFile(
  { outputFile }: { readonly outputFile?: string | undefined },
  run: () => number | Promise<number>,
): Promise<number> {
  if (outputFile === undefined) return run();
  const { replaceFile } = await import('../files/replace-file.ts');
  const release = holdOut();
  try {
    const status = await run();
    const text = withoutTones(release());
    if (status === 0 || text !== '') replaceFile(outputFile, text);
    return status;
  } catch (error) {
    printOut(release());
    throw error;
  }
}

/**
 * Words that come ahead of those of the command line, and what is wrong where they stand.
 * @param words the command line's
 */
type Configure<Options> = (
  program: string,
  options: Options,
  words: readonly string[],
) => Promise<{ readonly words: readonly string[]; readonly fault?: Fault | undefined } | undefined>;

/** Told of what keeps a program from beginning. @returns it, with all else that does */
type NotBegun<Options> = (program: string, options: Options, fault: Fault) => Promise<Fault>;

/** Why nothing is begun: nobody waits for a result that then cannot be written. */
async function placeFault(files: readonly string[]): Promise<Fault | undefined> {
  if (files.length === 0) return undefined;
  const [{ assertPlace }, { faultAmong }] = await Promise.all([
    import('../files/replace-file.ts'),
    import('./all-said.ts'),
  ]);
  return faultAmong(...files.map((file) => () => assertPlace(file)));
}

const givesStrict = (options: { readonly exitStatus?: unknown }): boolean => options.exitStatus === 'strict';

/** Runs `program` with the words that follow its name. Returns the exit status; never throws. */
export async function exitStatusOf<Options extends object>(
  program: Program,
  words: readonly string[],
  main: Main<Options>,
  configure?: Configure<Options>,
  notBegun?: NotBegun<Options>,
): Promise<number> {
  try {
    const parseBehind = (before: readonly string[]): ParsedCommandLine<Options> => {
      const parsed = parseCommandLine<Options>(program, [...before, ...words]);
      setStrictStatuses(parsed.kind !== 'print' && givesStrict(parsed.options));
      return parsed;
    };
    let parsed = parseBehind([]);
    const ahead = parsed.kind === 'run' ? await configure?.(program.name, parsed.options, words) : undefined;
    if (ahead !== undefined) parsed = parseBehind(ahead.words);
    const fault = ahead?.fault ?? (parsed.kind === 'run' ? await placeFault(parsed.written) : undefined);
    if (fault)
      throw parsed.kind === 'print' || !notBegun
        ? fault
        : await notBegun(program.name, parsed.options, fault);
    if (parsed.kind === 'run') {
      for (const note of parsed.notes) printErr(warning(note));
      return await intoFile(parsed.options, () => main(parsed.options, parsed.positionals));
    }
    if (parsed.kind === 'fault') return await reportFault(program, parsed.fault);
    printOut(await requestedText(program, parsed.request));
    return 0;
  } catch (error) {
    if (process.env.EVENKEEL_DEBUG && error instanceof Error) printErr(`${error.stack}\n`);
    return reportFault(program, asFault(error));
  }
}

/** Runs `program` with this process's command line, and ends the process with all its threads. */
export async function runProgram<Options extends object>(
  program: Program,
  main: Main<Options>,
  configure?: Configure<Options>,
  notBegun?: NotBegun<Options>,
): Promise<void> {
  // Where nothing is left that could go on, what is waited for never comes, and Node would end with 0.
  const onNothingLeft = async (): Promise<void> => {
    process.exit(await reportFault(program, new InternalError('the program waits for nothing')));
  };
  process.once('beforeExit', onNothingLeft);
  const status = await exitStatusOf(program, process.argv.slice(2), main, configure, notBegun);
  process.off('beforeExit', onNothingLeft);
  process.exit(status);
}
