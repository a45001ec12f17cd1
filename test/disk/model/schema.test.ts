import { expect } from 'chai';
import { readAll } from './read.ts';

const DISKS = 'ram: 4096\ndisks:\n  - {id: sda, type: hdd, size: 100}\n  - {id: sdb, type: ssd, size: 50}\n';

const problemsOf = (schema: string, hardware = DISKS): readonly string[] =>
  readAll(schema, hardware).problems;
const warningsOf = (schema: string): readonly string[] => readAll(schema, DISKS).warnings;

describe('a schema', () => {
  it('is read from YAML and from JSON alike', () => {
    const yaml = readAll('- id: root\n  type: lv\n  min_size: 10\n  mount: /\n', DISKS);
    const json = readAll('[\n\t{"id": "root", "type": "lv",\n\t "min_size": 10, "mount": "/"}\n]', DISKS);
    expect(json).to.deep.equal(yaml);
    expect(yaml.spaces.spaces[0]).to.deep.include({
      id: 'root',
      minSize: 10,
      maxSize: undefined,
      weight: 1,
      attributes: { id: 'root', type: 'lv', min_size: 10, mount: '/' },
    });
  });

  it('gives each ram the swap of the rule', () => {
    const schema = `- id: swap
  type: lv
  size: |
    yaql=let(ram => $.get(ram, 1024)) ->
    selectCase($ram <= 2048, $ram > 2048 and $ram < 8192, $ram > 8192 and $ram < 65536).
    switchCase($ram * 2, $ram, $ram / 2, 4096)
`;
    const rows: readonly (readonly [ram: number | undefined, size: number])[] = [
      [undefined, 2048],
      [512, 1024],
      [2048, 4096],
      [2049, 2049],
      [4096, 4096],
      [8191, 8191],
      [8192, 4096],
      [8193, 4096],
      [16_384, 8192],
      [16_385, 8192],
      [65_535, 32_767],
      [65_536, 4096],
      [262_144, 4096],
    ];
    for (const [ram, size] of rows) {
      const hardware = `${ram === undefined ? '' : `ram: ${ram}\n`}disks: [{id: sda, size: 100000}]`;
      const [swap] = readAll(schema, hardware).spaces.spaces;
      expect([swap!.minSize, swap!.maxSize], String(ram)).to.deep.equal([size, size]);
    }
  });

  it('evaluates expressions wherever they stand, and finds disks by them', () => {
    const schema = `
- id: yaql='journal'
  type: yaql=switch(true => partition)
  best_with_disks: yaql=$.disks.where($.type = ssd)
  labels: {rack: [yaql=$.ram / 1024, plain]}
- {id: log, type: lv, best_with_disks: [sda, {id: sdb}]}
- {id: tmp, type: lv, best_with_disks: "yaql=$.disks.where($.type = tape)"}
`;
    const { spaces, problems } = readAll(schema, DISKS);
    expect(problems).to.deep.equal([]);
    expect(spaces.spaces.map(({ id, bestDisks }) => [id, bestDisks])).to.deep.equal([
      ['journal', [1]],
      ['log', [0, 1]],
      ['tmp', []],
    ]);
    expect(spaces.spaces[0]!.attributes.labels).to.deep.equal({ rack: [4, 'plain'] });
  });

  it('knows a disk by a whole number, however it and the schema spell that', () => {
    const disks = 'disks: [{id: 1.0, size: 10}, {id: 2, size: 10}]';
    const { spaces, problems } = readAll('- {id: a, type: lv, best_with_disks: [1, 2.0]}', disks);
    expect(problems).to.deep.equal([]);
    expect(spaces.spaces[0]!.bestDisks).to.deep.equal([0, 1]);
  });

  it('tells containers from spaces', () => {
    const { spaces, warnings } = readAll(
      '- {id: os, type: vg, contains: [{id: root}, swap]}\n- {id: root, type: lv}\n- {id: swap, type: lv, size: 1}\n- {id: r, type: pool, contains: [], size: 3}',
      DISKS,
    );
    expect(spaces.spaces.map(({ id }) => id)).to.deep.equal(['root', 'swap']);
    expect(spaces.containers.map(({ id, members }) => [id, members])).to.deep.equal([
      ['os', ['root', 'swap']],
      ['r', []],
    ]);
    expect(warnings).to.deep.equal(['4: r: a container takes the room of what it contains; size is ignored']);
  });

  it('follows anchors and merges', () => {
    const { spaces, problems } = readAll(
      '- &base {id: a, type: lv, min_size: 5}\n- {<<: *base, id: b, weight: 2}\n',
      DISKS,
    );
    expect(problems).to.deep.equal([]);
    expect(spaces.spaces[1]).to.deep.include({ id: 'b', minSize: 5, weight: 2 });
  });

  it('says what to do about ids and members that cannot be', () => {
    const schema =
      '- {id: unallocated, type: lv}\n- {id: a, type: vg, contains: [b, [c]]}\n- {id: z, type: vg, contains: [b]}\n- {id: b, type: lv}\n- {id: b, type: lv}\n';
    const { problems, withoutRemedy } = readAll(schema, DISKS);
    expect([problems.length, withoutRemedy]).to.deep.equal([4, []]);
  });

  it('says where each fault is, and all at once', () => {
    expect(
      problemsOf(`- id: root
  type: lv
  min_size: -1
- type: lv
- id: root
  type: lv
  min_size: 20
  max_size: 10
- id: unallocated
  type: lv
  weight: heavy
- id: var
- {id: x, type: lv, size: "12", copies: 0, best_with_disks: sda}
- {id: y, type: lv, copies: 1.5}
- 7
`),
    ).to.deep.equal([
      '3:13 root.min_size: is negative',
      '4:3 id: a space has no id',
      '5:7 id: another space has this id',
      '7:13 root.min_size: min_size 20 is more than max_size 10',
      '9:3 id: is reserved for what is left over',
      '11:11 unallocated.weight: is not a number',
      '12:3 var.type: a space has no type',
      '13:27 x.size: is not a number',
      '13:41 x.copies: is out of range',
      '13:61 x.best_with_disks: is not a list of disks',
      '14:29 y.copies: is out of range',
      '15:3 : a space is a mapping',
    ]);
  });

  it('points at the character of an expression that is wrong', () => {
    expect(problemsOf('- {id: a, type: lv, size: "yaql=$.ram + $.nope"}')).to.deep.equal([
      "1:43 a.size: the expression: there is no 'nope' here",
    ]);
    expect(problemsOf('- id: a\n  type: lv\n  size: yaql=1 +\n')).to.deep.equal([
      '3:17 a.size: the expression: ends too early',
    ]);
    expect(problemsOf('- id: a\n  type: lv\n  size: |\n    yaql=$.ram *\n      foo($)\n')).to.deep.equal([
      "5:7 a.size: the expression: there is no function 'foo'",
    ]);
  });

  it('says one thing about an expression that fails', () => {
    expect(problemsOf('- {id: a, type: yaql=1 +}\n')).to.deep.equal([
      '1:25 a.type: the expression: ends too early',
    ]);
    expect(problemsOf('- {id: a, type: yaql=1 / 0}\n')).to.deep.equal([
      '1:24 a.type: the expression: divides by zero',
    ]);
  });

  it('refuses what is no YAML with line and column', () => {
    expect(problemsOf('- id: a\n  type: [lv\n- id: b\n')[0]).to.match(/^3:1 : /);
    expect(problemsOf('- {id: a, id: b, type: lv}')[0]).to.match(/^1:11 : Map keys must be unique/);
    expect(problemsOf('- {id: *nobody, type: lv}')[0]).to.match(/^1:8 : .*nobody/);
    expect(problemsOf('')[0]).to.equal('1:1 : the file is empty');
    expect(problemsOf('- !!js/function "x"')[0]).to.match(/^1:3 : Unresolved tag/);
    expect(problemsOf('- {id: !!timestamp 2001-12-14}')[0]).to.match(/^1:8 : Unresolved tag/);
    expect(problemsOf('- {id: !!binary aGk=}')[0]).to.match(/^1:8 : Unresolved tag/);
    expect(problemsOf('%YAML 1.1\n---\n- {id: a, type: lv, since: 2001-12-14}')).to.deep.equal([]);
    expect(problemsOf(`${'['.repeat(3000)}`)[0]).to.match(/^\d+:\d+ : /);
  });

  it('warns of what is odd', () => {
    expect(
      warningsOf(`- {id: a, type: raw, min: 5, MinSize: 3, min_sise: 3, uid: 5, mount: /}
- {id: os, type: vg, contains: [ghost, os]}
- {id: b, type: lv, size: 10, max_size: 20, best_with_disks: [sdz]}
- {id: c, type: lv, size: yaql=$.ram / 1000.0}
`),
    ).to.deep.equal([
      "1: a: the type 'raw' is not known; it is laid out as a partition",
      "1: a: 'min' is only copied; did you mean min_size?",
      "1: a: 'MinSize' is only copied; did you mean min_size?",
      "1: a: 'min_sise' is only copied; did you mean min_size?",
      "2: os: contains 'ghost', and there is no such space",
      "2: os: 'os' is a container itself; what it holds does not count here",
      '3: b: size 10 replaces min_size and max_size',
      "3: b: the node has no disk 'sdz' to be best with",
      '4: c: size 4.096 is taken as 4',
    ]);
  });

  it('refuses names that a terminal would obey', () => {
    expect(problemsOf('- {id: "a\\e[2J", type: lv}')).to.deep.equal([
      '1:8 id: contains the character \\u001b, which cannot be shown',
    ]);
    expect(problemsOf('- {id: a, type: lv}', 'disks: [{id: "x\\ny", size: 1}]')).to.deep.equal([
      '1:14 disks[0].id: contains the character \\n, which cannot be shown',
    ]);
  });

  it('refuses a member of two containers', () => {
    const schema =
      '- {id: a, type: vg, contains: [x]}\n- {id: b, type: vg, contains: [x]}\n- {id: x, type: lv}\n';
    expect(problemsOf(schema)).to.deep.equal(["2:31 b.contains: is in 'a' already"]);
  });
});

describe('a hardware record', () => {
  const SCHEMA = '- {id: root, type: lv}';

  it('names every disk that is wrong', () => {
    const hardware =
      'disks:\n  - {size: 5}\n  - {id: a, size: -5}\n  - {id: b, size: 5.5}\n  - {id: c}\n  - {id: d, size: 1}\n  - {id: d, size: 1}\n  - x\n';
    expect(problemsOf(SCHEMA, hardware)).to.deep.equal([
      '2:5 disks[0].id: the disk has no id',
      '3:19 disks[1].size: is not a size',
      '4:19 disks[2].size: is not a size',
      '5:5 disks[3].size: the disk has no size',
      '7:5 disks[5].id: another disk has this id',
      '8:5 disks[6]: a disk is a mapping with id and size',
    ]);
  });

  it('must have disks', () => {
    expect(problemsOf(SCHEMA, 'ram: 5')).to.deep.equal(['1:1 disks: the hardware record has no disks']);
    expect(problemsOf(SCHEMA, 'disks: 5')).to.deep.equal(['1:8 disks: is not a list']);
    expect(problemsOf(SCHEMA, '5')).to.deep.equal(['1:1 : this is not a hardware record']);
    expect(problemsOf(SCHEMA, 'disks: []')).to.deep.equal([]);
  });
});
