import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  parseIallocatorCluster,
  parseIallocatorRequest,
} from '../../../src/htools/sources/iallocator/iallocator.ts';
import { parseText } from '../../../src/htools/sources/text/text.ts';
import { faultText } from '../../../src/kit/cli/fault-text.ts';
import { type Fault, InputError } from '../../../src/kit/faults.ts';
import { problemsOf } from './problems-of.ts';

const TEXT = readFileSync('testdata/snapshots/pools.data', 'utf8');
const MESSAGE = readFileSync('testdata/snapshots/request.json', 'utf8');
const STATIC_MIB = 4096;

/** ESC, NUL, DEL, a byte order mark, marks of direction, a separator of lines, an invisible tag. */
const UNSHOWABLE = ['\u001b', '\u0000', '\u007f', '\ufeff', '\u202e', '\u200f', '\u2028', '\u{e0041}'];

/** The fault of reading, as a user sees it. */
function shownFault(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof InputError) return faultText(error as Fault);
    throw error;
  }
  return '';
}

const lineWith = (text: string, start: string): number =>
  text.split('\n').findIndex((line) => line.startsWith(start)) + 1;

describe('names that a terminal would obey', () => {
  const [group, node, instance] = [0, 1, 2].map(
    (section) => TEXT.split('\n\n')[section]!.replace(/^\n/, '').split('|', 1)[0]!,
  );

  for (const character of UNSHOWABLE) {
    const shown = character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');

    const inJson = JSON.stringify(character).slice(1, -1);

    it(`are refused in text files, with place and escaped form (${shown})`, () => {
      for (const name of [group, node, instance]) {
        const spoiled = TEXT.replaceAll(
          new RegExp(`(?<=[|\n]|^)${name!.replaceAll('.', '\\.')}(?=[|])`, 'g'),
          `${name}${character}`,
        );
        const text = shownFault(() => parseText(spoiled, 'f'));
        expect(text, name).to.include(`line ${lineWith(spoiled, name!)}, column 1, name, '${name}${shown}'`);
        expect(text, name).to.match(/^[ -~\n]*$/);
      }
    });

    it(`are refused in messages (${shown})`, () => {
      for (const name of ['n2.example', 'db.example']) {
        const text = shownFault(() => parseIallocatorCluster(MESSAGE.replaceAll(name, name + inJson), 'm'));
        expect(text).to.include(`the name contains the character ${shown}`);
        expect(text).to.match(/^[ -~\n]*$/);
      }
    });
  }

  it('are refused as tags of the cluster, too', () => {
    const sections = TEXT.split('\n\n');
    const spoiled = [...sections.slice(0, 3), 'good\nb\u001bad', ...sections.slice(4)].join('\n\n');
    const [problem] = problemsOf(() => parseText(spoiled, 'f'));
    expect(problem).to.include({ line: lineWith(spoiled, 'b\u001b') });
    expect(problem!.problem).to.equal('cluster tag contains the character \\u001b, which cannot be shown');
  });

  it('may be in other writing than ours', () => {
    expect(parseText(TEXT.replaceAll(node!, 'grün-٣-数'), 'f').nodes[0]!.name).to.equal('grün-٣-数');
  });
});

describe('names that a command would take for an option', () => {
  it('are refused wherever they stand', () => {
    const request = { type: 'allocate', name: '-f' };
    const whole = JSON.parse(MESSAGE);
    const texts = [
      shownFault(() => parseText(TEXT.replace(/^/, '-'), 'f')),
      shownFault(() => parseIallocatorCluster(MESSAGE.replaceAll('db.example', '-95'), 'm')),
      shownFault(() => parseIallocatorCluster(MESSAGE.replaceAll('n2.example', '-n'), 'm')),
      shownFault(() =>
        parseIallocatorRequest(
          JSON.stringify({ ...whole, request: { ...whole.request, ...request } }),
          'm',
          STATIC_MIB,
        ),
      ),
    ];
    for (const text of texts)
      expect(text).to.match(/starts with a dash, which commands would take for an option/);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: tests damage the document in every way.
type Document = any;

describe('what a message says and a text file cannot', () => {
  const refused: readonly (readonly [string, (document: Document) => void, RegExp])[] = [
    ['a bar in a tag', (d) => (d.instances['db.example'].tags = ['a|b']), /contains '\|', which separates/],
    ['a comma in a tag', (d) => (d.nodes['n2.example'].tags = ['a,b']), /contains ',', which separates/],
    ['an empty tag of the cluster', (d) => (d.cluster_tags = ['']), /"" is empty/],
    [
      'negative memory of an instance',
      (d) => (d.instances['db.example'].memory = -1),
      /'memory': the number is negative/,
    ],
    [
      'memory beyond any machine',
      (d) => (d.instances['db.example'].memory = 2 ** 41),
      /the number is too large/,
    ],
    [
      'a secondary that is the primary',
      (d) => (d.instances['db.example'].nodes = ['n2.example', 'n2.example']),
      /its secondary node is its primary as well/,
    ],
  ];
  for (const [what, change, pattern] of refused)
    it(`is refused: ${what}`, () => {
      const document = JSON.parse(MESSAGE);
      change(document);
      expect(problemsOf(() => parseIallocatorCluster(JSON.stringify(document), 'm'))[0]?.problem).to.match(
        pattern,
      );
    });

  it('is read: two groups of one name, which their UUIDs tell apart', () => {
    const document = JSON.parse(MESSAGE);
    const [group] = Object.values(document.nodegroups);
    document.nodegroups.other = group;
    const { groups } = parseIallocatorCluster(JSON.stringify(document), 'm');
    expect(groups.filter(({ name }) => name === (group as { name: string }).name)).to.have.length(2);
    expect(new Set(groups.map(({ uuid }) => uuid))).to.have.length(groups.length);
  });

  it('is read by both: less than no free memory, as Ganeti says it when stopped instances will want some', () => {
    const document = JSON.parse(MESSAGE);
    document.nodes['n2.example'].free_memory = -512;
    expect(parseIallocatorCluster(JSON.stringify(document), 'm').nodes[0]!.freeMemMib).to.equal(-512);
    const sections = TEXT.split('\n\n');
    const [first, ...others] = sections[1]!.split('\n');
    const cells = first!.split('|').with(3, '-512').join('|');
    const text = [sections[0], [cells, ...others].join('\n'), ...sections.slice(2)].join('\n\n');
    expect(parseText(text, 'f').nodes[0]!.freeMemMib).to.equal(-512);
  });
});
