/** What the user is told about a fault. */
import { EXIT } from '../exit-status.ts';
import { type Fault, InputError, type InputProblem, InternalError, UsageError } from '../faults.ts';
import { printable } from '../printable.ts';

/** Longer lines say no more than their beginning does; what is cut off is counted. */
const MAX_LINE_LENGTH = 1000;

function shownLine(line: string): string {
  const hidden = line.length - MAX_LINE_LENGTH;
  return printable(hidden > 0 ? `${line.slice(0, MAX_LINE_LENGTH)}... (${hidden} more characters)` : line);
}

/** A line break inside of a quoted value is not one of the message. */
const oneLine = (text: string): string => text.replaceAll('\n', '\\n');

/** A broken file can have a problem on each of a million lines; nobody reads on after this many. */
const MAX_PROBLEMS_SHOWN = 100;

/** A string of JSON is in quotes already. */
const quoted = (value: string): string => (/^".*"$/.test(value) ? value : `'${value}'`);

function problemPlace({ line, column, field, value }: InputProblem): string {
  const parts = [];
  if (line !== undefined) parts.push(`line ${line}`);
  if (column !== undefined) parts.push(`column ${column}`);
  if (field !== undefined) parts.push(field);
  if (value !== undefined) parts.push(quoted(value));
  return parts.join(', ');
}

function placed(problem: InputProblem): string {
  const place = problemPlace(problem);
  return oneLine(`${place === '' ? '' : `${place}: `}${problem.problem}`);
}

function problemLines(problem: InputProblem, next: InputProblem | undefined): readonly string[] {
  const line = `  ${placed(problem)}`;
  // One remedy for a run of like problems is enough.
  const needsRemedy = problem.remedy !== undefined && problem.remedy !== next?.remedy;
  return needsRemedy ? [line, `    Maybe ${problem.remedy}`] : [line];
}

function inputErrorLines({ source, problems, message, remedy }: InputError): readonly string[] {
  const [only, second] = problems;
  if (only && !second) {
    // What was introduced keeps its introduction.
    const words = message.slice(0, -`${source}: ${only.problem}`.length);
    return [`Error: ${oneLine(words + source)}: ${placed(only)}`, ...(remedy ? [`Maybe ${remedy}`] : [])];
  }
  const shown = problems.slice(0, MAX_PROBLEMS_SHOWN);
  const lines = [
    oneLine(`Error: ${message}`),
    ...shown.flatMap((problem, index) => problemLines(problem, shown[index + 1])),
  ];
  if (shown.length < problems.length) lines.push(`  ... and ${problems.length - shown.length} more problems`);
  return lines;
}

/** The text for standard error, with its line ends. @param remedy in place of the fault's own */
export function faultText(fault: Fault, remedy = fault.remedy): string {
  const lines = faultLines(fault, remedy).flatMap((line) => line.split('\n'));
  return `${lines.map(shownLine).join('\n')}\n`;
}

function faultLines(fault: Fault, remedy: string | undefined): readonly string[] {
  const remedyLines = remedy ? [`Maybe ${remedy}`] : [];
  if (fault instanceof UsageError) {
    return fault.exitCode === EXIT.bad
      ? [`Command line error: ${fault.message}`, ...remedyLines]
      : ['Error while parsing command line arguments:', fault.message, ...remedyLines];
  }
  if (fault instanceof InputError) return inputErrorLines(fault);
  if (fault instanceof InternalError)
    return [
      `Error: internal error: ${fault.message}`,
      ...remedyLines,
      'Please attach: the input files, the command line with all its options but passwords, and what --version',
      'prints.',
      'With EVENKEEL_DEBUG=1 in the environment, the place in the program is shown, too.',
    ];
  return [`Error: ${fault.message}`, ...remedyLines];
}
