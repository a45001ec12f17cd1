/** Damages texts as people, editors and broken disks do. */
import { pick, type Random } from '../solve/random-problem.ts';

/** What may come to stand where something else was. */
const STRANGERS: readonly string[] = [
  '-1',
  '0',
  '1e400',
  '99999999999999999999',
  '.nan',
  '.inf',
  '2.5',
  'null',
  'true',
  '""',
  "''",
  '[]',
  '{}',
  '[[[[1]]]]',
  '{a: {b: {c: 1}}}',
  '*nobody',
  '&a *a',
  '!!js/function x',
  '<<',
  '---',
  '...',
  '\t',
  '\u0000',
  '\ud800',
  '\u202e',
  '# ',
  '|',
  '>',
  '?',
  '%YAML 9.9',
  'yaql=',
  'yaql=$.nope',
  'yaql=1/0',
  'yaql=[',
  "yaql='a' * 999999999",
  'yaql=range(99999999).len()',
  'yaql=$.disks',
  'yaql={1 => 2}',
  'yaql=$.disks.where($.nope = 1)',
  'unallocated',
  '__proto__',
  'constructor',
  'toString',
  'id',
  'size',
  'disks',
];

const FIELDS =
  /\b(id|type|size|min_size|max_size|weight|best_with_disks|contains|copies|min_disks|max_disks|disks|ram)\b/g;

type Mutation = (text: string, random: Random) => string;

const place = (text: string, random: Random): number => Math.floor(random() * (text.length + 1));

const MUTATIONS: readonly Mutation[] = [
  (text, random) => {
    const at = place(text, random);
    return text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 8));
  },
  (text, random) => {
    const at = place(text, random);
    return text.slice(0, at) + pick(random, STRANGERS) + text.slice(at);
  },
  (text, random) => text.slice(0, place(text, random)),
  (text, random) => {
    const at = place(text, random);
    return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 300)) + text.slice(at + 1);
  },
  // A value in the place of another.
  (text, random) => replaceOne(text, /(?<=[:,[] *)[\w./$-]+/g, random, () => pick(random, STRANGERS)),
  (text, random) => replaceOne(text, /\d+/g, random, () => pick(random, STRANGERS)),
  // A field in the place of another.
  (text, random) =>
    replaceOne(text, FIELDS, random, () =>
      pick(random, ['id', 'size', 'min_size', 'max_size', 'copies', 'contains', 'nonsense']),
    ),
  // Lines lost, doubled, moved, shifted.
  (text, random) => withLines(text, (lines) => lines.splice(Math.floor(random() * lines.length), 1)),
  (text, random) =>
    withLines(text, (lines) => lines.splice(Math.floor(random() * lines.length), 0, pick(random, lines))),
  (text, random) =>
    withLines(text, (lines) => {
      const at = Math.floor(random() * lines.length);
      lines[at] = random() < 0.5 ? ` ${lines[at]}` : lines[at]!.replace(/^ /, '');
    }),
];

function replaceOne(text: string, pattern: RegExp, random: Random, made: () => string): string {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return text;
  const { 0: old, index } = pick(random, found);
  return text.slice(0, index) + made() + text.slice(index + old.length);
}

function withLines(text: string, change: (lines: string[]) => void): string {
  const lines = text.split('\n');
  change(lines);
  return lines.join('\n');
}

/** One to three mutations. */
export function damaged(text: string, random: Random): string {
  const count = 1 + Math.floor(random() * 3);
  let result = text;
  for (let time = 0; time < count; time++) result = pick(random, MUTATIONS)(result, random);
  return result;
}

export const SOUND_SCHEMAS: readonly string[] = [
  `- id: os
  type: vg
  contains:
    - id: swap
    - {id: root}
- id: root
  type: lv
  min_size: 5000
  max_size: 10000
  mount: /
- id: swap
  type: lv
  size: |
    yaql=let(ram => $.get(ram, 1024)) ->
    selectCase($ram <= 2048, $ram > 2048 and $ram < 8192).switchCase($ram * 2, $ram, 4096)
- id: journal
  type: partition
  best_with_disks: yaql=$.disks.where($.type = "ssd")
  weight: 0.5
- {id: raid, type: partition, copies: 2, min_size: 10, max_size: 500}
- {id: wide, type: partition, min_disks: 2, max_disks: 3}
`,
  '[{"id": "root", "type": "lv", "size": 100}, {"id": "var", "type": "lv", "weight": 2, "best_with_disks": ["sda", {"id": "sdb"}]}]',
];

export const SOUND_HARDWARE: readonly string[] = [
  `ram: 4096
name: node1
disks:
  - id: sda
    type: hdd
    size: 20000
  - {id: sdb, type: hdd, size: 10000}
  - {id: sdc, type: ssd, size: 2000}
`,
  '{"ram": 2048, "disks": [{"id": "sda", "size": 10000, "type": "hdd"}, {"id": "sdb", "size": 500, "type": "ssd"}]}',
];
