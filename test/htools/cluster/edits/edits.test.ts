import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { applyEdits } from '../../../../src/htools/cluster/edits/apply-edits.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { formatText } from '../../../../src/htools/sources/text/text-writer.ts';
import { InputError } from '../../../../src/kit/faults.ts';

const TEXT = readFileSync('testdata/small.data', 'utf8');
const parsed = (text: string) => parseText(text, 'test');

/** A change of one line of the file, by hand: what stands before, and after. */
type Hand = readonly (readonly [string, string])[];

const NODE1 = 'node1.example.com|32768|1024|9216|1048576|561152|16|N';
const NODE4 = 'node4.example.com|32768|1024|31744|1048576|1048576|16|N';
const GROUP = '5f8f2a4e-6a0b-4c39-9d53-2f6b0f2f4d11';
const WEB1 =
  'web1.example.com|2048|20608|2|running|Y|node1.example.com|node2.example.com|drbd|service:web|1|-|N\n';
const WIKI = 'wiki.example.com|1024|10368|1|running|Y|node3.example.com|node1.example.com|drbd||1|-|N\n';

/** Each change with the same one made by hand. */
const CASES: readonly (readonly [string, Hand])[] = [
  ['drain node node1', [[NODE1, NODE1.replace(/N$/, 'Y')]]],
  [
    'resize node node4 memory=+4g disk=-100g cpus=24',
    [[NODE4, 'node4.example.com|36864|1024|35840|946176|946176|24|N']],
  ],
  [
    'add nodes 2 like node1 name=spare',
    [
      [
        `|${GROUP}|1||N|0|1|1.0\n\ndb1`,
        `|${GROUP}|1||N|0|1|1.0\n${['spare-new1', 'spare-new2']
          .map((name) => `${name}|32768|1024|31744|1048576|1048576|16|N|${GROUP}|1||N|0|1|1.0\n`)
          .join('')}\ndb1`,
      ],
    ],
  ],
  ['remove node node4', [[`${NODE4}|${GROUP}|1||N|0|1|1.0\n`, '']]],
  [
    'remove instance web1',
    [
      [WEB1, ''],
      ['|9216|1048576|561152|', '|11264|1048576|581760|'],
      ['|23552|1048576|617600|', '|23552|1048576|638208|'],
    ],
  ],
  [
    'resize instance web1 memory=+1g disk=+1000 vcpus=4',
    [
      [WEB1, WEB1.replace('2048|20608|2', '3072|21608|4')],
      ['|9216|1048576|561152|', '|8192|1048576|560152|'],
      ['|617600|', '|616600|'],
    ],
  ],
  [
    'move instance web1 primary=node4 secondary=node1',
    [
      [WEB1, WEB1.replace('node1.example.com|node2.example.com', 'node4.example.com|node1.example.com')],
      ['|9216|1048576|561152|', '|11264|1048576|561152|'],
      ['|617600|', '|638208|'],
      ['|31744|1048576|1048576|', '|29696|1048576|1027968|'],
    ],
  ],
  [
    'add instance new1 like=wiki primary=node4 secondary=node3 tags=a,b',
    [
      [
        'dns.example.com|512|5248|1|running|Y|node3.example.com|node1.example.com|drbd||1|-|N\n',
        'dns.example.com|512|5248|1|running|Y|node3.example.com|node1.example.com|drbd||1|-|N\nnew1|1024|10368|1|running|Y|node4.example.com|node3.example.com|drbd|a,b|1|-|N\n',
      ],
      ['|31744|1048576|1048576|', '|30720|1048576|1038208|'],
      ['|868736|', '|858368|'],
    ],
  ],
  [
    'tag instance wiki +x:1; tag instance web1 -service:web',
    [
      [WIKI, WIKI.replace('drbd||', 'drbd|x:1|')],
      [WEB1, WEB1.replace('service:web', '')],
    ],
  ],
  ['tag node node4 +rack:a', [[`${NODE4}|${GROUP}|1||N`, `${NODE4}|${GROUP}|1|rack:a|N`]]],
  ['tag group default +g', [['preferred||', 'preferred|g|']]],
  ['tag cluster +more -htools:iextags:service', [['\nhtools:iextags:service\n', '\nmore\n']]],
  [
    'policy group default vcpu-ratio=8 templates=drbd allocation=last_resort',
    [
      ['preferred', 'last_resort'],
      ['16,8,12|drbd,plain|4.0|32.0\ndefault', '16,8,12|drbd,plain|4.0|32.0\ndefault'],
      ['12|drbd,plain|4.0|32.0\n$', '12|drbd|8.0|32.0\n'],
    ],
  ],
];

function byHand(changes: Hand): string {
  let text = TEXT;
  for (const [before, after] of changes) {
    const at = before.endsWith('$') ? text.lastIndexOf(before.slice(0, -1)) : text.indexOf(before);
    if (at < 0) throw new Error(`'${before}' is not in the file`);
    text = text.slice(0, at) + after + text.slice(at + before.replace(/\$$/, '').length);
  }
  return text;
}

const problemsOf = (words: string): InputError => {
  try {
    applyEdits(parsed(TEXT), [{ source: '--what-if', text: words }]);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
};

describe('edits of a cluster', () => {
  for (const [words, hand] of CASES)
    it(`"${words}" is the same as by hand, to the byte`, () => {
      const edited = applyEdits(parsed(TEXT), [{ source: 'test', text: words }]);
      const expected = parsed(byHand(hand));
      expect(formatText(edited)).to.equal(formatText(expected));
      expect(formatText(edited)).to.not.equal(formatText(parsed(TEXT)));
      expect(edited.nodes.map(({ index }) => index)).to.deep.equal(expected.nodes.map(({ index }) => index));
      expect(edited.instances.map(({ index }) => index)).to.deep.equal(
        expected.instances.map(({ index }) => index),
      );
    });

  it('a weight is that of the cluster from then on; the cluster stays as it is to the byte', () => {
    const text = 'weight metric n1_cnt=4 cpu_load_cv=+0.5; weight metric n1_cnt=-1 free_mem_cv=0';
    const edited = applyEdits(parsed(TEXT), [{ source: 'test', text }]);
    expect(edited.weights).to.deep.equal({ n1_cnt: 3, cpu_load_cv: 1.5, free_mem_cv: 0 });
    expect(formatText(edited)).to.equal(TEXT);
    expect(applyEdits(parsed(TEXT), []).weights).to.equal(undefined);
    const wrong = (words: string) => problemsOf(`weight metric ${words}`).problems[0]!;
    expect(wrong('free_mem_cv=-1').problem).to.equal('leaves -0.5, from 0.5');
    expect(wrong('cpu=2').remedy).to.contain('METRIC one of free_mem_cv, ');
    expect(wrong('n1_cnt').remedy).to.equal('write weight metric METRIC=2 [METRIC=0]');
  });

  it('taking away what was added, or back what was taken, is no change', () => {
    const steps =
      'add instance x primary=node1 secondary=node2 memory=3g disk=7g; remove instance x; resize node node2 memory=+1g; ' +
      'resize node node2 memory=-1g; drain group default; undrain group default; add node like node3 name=n; remove node n; ' +
      'move instance web1 primary=node4 secondary=node3; move instance web1 primary=node1 secondary=node2';
    const edited = applyEdits(parsed(TEXT), [{ source: 'test', text: steps }]);
    expect(formatText(edited)).to.equal(formatText(parsed(TEXT)));
  });

  it('removing a group takes its nodes and instances', () => {
    const text = readFileSync('testdata/super.data', 'utf8');
    const before = parsed(text);
    const { name } = before.groups[0]!;
    const edited = applyEdits(before, [{ source: 'test', text: `remove group ${name} with-instances` }]);
    expect(edited.groups.map((group) => group.name)).to.deep.equal(
      before.groups.slice(1).map((group) => group.name),
    );
    expect(edited.nodes.every((node) => edited.groups[node.group]!.name !== name)).to.equal(true);
    for (const instance of edited.instances) {
      const was = before.instances.find((one) => one.name === instance.name)!;
      expect(edited.nodes[instance.primary]!.name).to.equal(before.nodes[was.primary]!.name);
      expect(edited.nodes[instance.secondary]?.name).to.equal(before.nodes[was.secondary]?.name);
    }
  });

  it('an instance takes its spindles along where storage is exclusive', () => {
    const exclusive = parsed(
      TEXT.replaceAll('||N|0|1|1.0', '||Y|9|12|1.0').replace(WEB1, WEB1.replace('|1|-|N', '|1|3|N')),
    );
    const text = 'move instance web1 primary=node4 secondary=node2';
    const { nodes } = applyEdits(exclusive, [{ source: 'test', text }]);
    expect(nodes.map(({ freeSpindles }) => freeSpindles)).to.deep.equal([12, 9, 9, 6]);
  });

  it('takes the node to copy behind like= as well, with a number of nodes or without', () => {
    const names = (text: string): string[] =>
      applyEdits(parsed(TEXT), [{ source: 'test', text }]).nodes.map(({ name }) => name);
    expect(names('add nodes 3 like=node1')).to.deep.equal(names('add nodes 3 like node1'));
    expect(names('add node like=node1')).to.deep.equal(names('add node like node1'));
  });

  it('takes numbers up to the end of their range, and says where that is', () => {
    const text = 'resize node node1 cpus=2147483647; weight metric n1_cnt=1000000000';
    const edited = applyEdits(parsed(TEXT), [{ source: 'test', text }]);
    expect(edited.nodes[0]!.totalCpus).to.equal(2147483647);
    expect(edited.weights).to.deep.equal({ n1_cnt: 1e9 });
    expect(problemsOf('resize node node1 cpus=2147483648').problems[0]!.remedy).to.equal(
      'leave a count from 0 to 2147483647',
    );
  });

  it('passes over no word that it does not understand', () => {
    const refused = (text: string): unknown => {
      try {
        applyEdits(parsed(TEXT), [{ source: 'test', text }]);
      } catch (error) {
        return (error as InputError).problems.map(({ field, value, problem }) => [field, value, problem]);
      }
      return undefined;
    };
    const count = 'is not a number of nodes';
    expect(refused('add node two like=node1')).to.deep.equal([['count', 'two', count]]);
    expect(refused('add nodes 2 3 like=node1')).to.deep.equal([['count', '2 3', count]]);
    const line = 'remove node node4 node3';
    expect(refused(line)).to.deep.equal([['change', line, 'has the word node3 too many']]);
  });

  it('lets nothing in that a saved file could not hold', () => {
    const at = 'add instance x primary=node1 secondary=node2';
    const [tag] = problemsOf(`${at} tags=a,b|c`).problems;
    expect(tag).to.deep.include({ field: 'tags', value: 'b|c', remedy: 'remove it' });
    expect(tag!.problem).to.contain("contains '|'");
    const most = 2 ** 40;
    for (const words of [`${at} memory=9999999t`, 'resize node node1 disk=+9999999t']) {
      const [{ problem, remedy }] = problemsOf(words).problems as [{ problem: string; remedy: string }];
      expect(problem).to.match(/^leaves \d+, from \d+$/);
      expect(remedy).to.match(new RegExp(`^leave MiB from [01] to ${most}$`));
    }
    expect(problemsOf('resize instance web1 memory=-9g vcpus=0').problems).to.have.length(2);
  });

  it('tells what is wrong in all of several texts, and where that is another file', () => {
    const texts = [
      { source: '--what-if', text: 'drain node node1' },
      { source: '--what-if', text: 'drain node x' },
      { source: 'changes.txt', text: 'drain node y\nsing' },
    ];
    try {
      applyEdits(parsed(TEXT), texts);
      expect.fail();
    } catch (error) {
      const { source, problems } = error as InputError;
      expect([source, problems.map(({ line, field, value }) => [line, field, value])]).to.deep.equal([
        '--what-if',
        [
          [1, 'name', 'x'],
          [1, 'changes.txt name', 'y'],
          [2, 'changes.txt change', 'sing'],
        ],
      ]);
    }
  });

  it('refuses what is said twice in place of keeping the last', () => {
    const [twice] = problemsOf('resize instance web1 memory=1g memory=2g').problems;
    expect(twice).to.include({ field: 'memory', value: '2g', problem: 'is said twice' });
  });

  it('refuses a short name that two nodes have', () => {
    const twins = parsed(TEXT.replaceAll('node4.example.com', 'node1.example.org'));
    const drain = () => applyEdits(twins, [{ source: 'test', text: 'drain node node1' }]);
    expect(drain).to.throw(InputError, 'is the beginning of several nodes');
  });

  it('tells all that is wrong, each with line, field, value and remedy', () => {
    const { problems } = problemsOf(
      [
        '# a comment',
        'drain node nowhere',
        'resize node node1 memory=much',
        'tag instance web1 -missing',
        'grow node node1',
        'remove node node1',
        'add instance web1.example.com primary=node1',
        'add instance z primary=node1',
        'resize node node1 colour=3',
        'move instance web1 primary=node1 secondary=node1',
        'policy group default vcpu-ratio=-9',
        'drain node',
        'add nodes 0 like node1',
        'reserve node node1 memory=200%',
        'remove group default with-instances',
      ].join('\n'),
    );
    expect(problems.map(({ line, field, value }) => `${line} ${field} ${value}`)).to.deep.equal([
      '2 name nowhere',
      '3 memory much',
      '4 tag missing',
      '5 change grow node',
      '6 name node1',
      '7 name web1.example.com',
      '8 secondary undefined',
      '9 colour 3',
      '10 secondary node1',
      '11 vcpu-ratio -9',
      '12 change drain node',
      '13 count 0',
      '14 memory 200%',
      '15 name default',
    ]);
    expect(problems.at(-1)!.problem).to.equal('is the last group');
    for (const { remedy, problem } of problems) {
      expect(problem).to.be.a('string').and.not.equal('');
      expect(remedy, problem).to.be.a('string').and.not.equal('');
    }
  });
});
