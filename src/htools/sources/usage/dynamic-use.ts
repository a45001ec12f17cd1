/** Reads dynamic utilisation files (`-U`): one line an instance, `name cpu mem disk net`. Source: hbal(1). */
import { ProblemList } from '../../../kit/files/problem-list.ts';
import { asText } from '../../../kit/files/utf8.ts';
import { characterFault } from '../../../kit/name-faults.ts';
import { shorten } from '../../../kit/printable.ts';
import { isIn, LOAD, rangeWords } from '../../../kit/ranges.ts';
import { explainRefusedNumber, readDouble, readsDouble } from '../../../kit/text/numbers.ts';
import type { Utilisation } from '../../cluster/snapshot.ts';

const FIELDS = ['cpu', 'mem', 'disk', 'net'] as const;
/** Lines are quoted up to here; the stock programs quote all of them. */
const LINE_LENGTH = 200;

/** Loads by instance name, known or not; the last line counts. @throws InputError with every bad line */
export function parseDynamicUse(
  content: Uint8Array | string,
  source: string,
): ReadonlyMap<string, Utilisation> {
  const text = asText(content, source);
  const problems = new ProblemList(source);
  const loads = new Map<string, Utilisation>();
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [k, line] of lines.entries()) readLine(line, k + 1, loads, problems);
  problems.throwIfAny();
  return loads;
}

function readLine(
  line: string,
  number: number,
  loads: Map<string, Utilisation>,
  problems: ProblemList,
): void {
  const [name, ...texts] = line.split(' ', FIELDS.length + 2);
  if (name === undefined || texts.length !== FIELDS.length) {
    const remedy = 'write the name and four numbers with one blank between them, and nothing else';
    problems.add({
      line: number,
      value: line,
      problem: `Cannot parse line ${shorten(line, LINE_LENGTH)}`,
      remedy,
    });
    return;
  }
  const load: Record<(typeof FIELDS)[number], number> = { cpu: 0, mem: 0, disk: 0, net: 0 };
  let column = name.length + 2;
  for (const [i, field] of FIELDS.entries()) {
    const text = texts[i]!;
    const value = readDouble(text);
    const wrong =
      value === undefined
        ? explainRefusedNumber(text, readsDouble)
        : isIn(value, LOAD)
          ? undefined
          : `'${text}' is not a load`;
    if (wrong !== undefined) {
      const remedy = characterFault(text)?.remedy ?? `give ${rangeWords(LOAD)}`;
      problems.add({ line: number, column, field, value: text, problem: `${name}: ${wrong}`, remedy });
    }
    load[field] = value ?? 0;
    column += text.length + 1;
  }
  loads.set(name, load);
}
