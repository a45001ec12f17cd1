import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';
import { formatText } from '../../../../src/htools/sources/text/text-writer.ts';
import { InputError } from '../../../../src/kit/faults.ts';
import { problemsOf } from '../problems-of.ts';

const FOLDER = 'testdata/snapshots';
const file = (name: string): string => readFileSync(`${FOLDER}/${name}`, 'utf8');

const GROUP = 'g|u|preferred||';
const NODE = 'n1|65536|1024|60000|1000000|900000|8|M|u|1||N|0|1|1.0';
const SECOND = NODE.replace('n1', 'n2').replace('|M|', '|N|');
const INSTANCE = 'i1|1024|2048|1|running|Y|n1|n2|drbd||1|-|N';
const POLICY = '|1,1,1,1,1,1|1,1,1,1,1,1;2,2,2,2,2,2|drbd|4.0|32.0';

interface Sections {
  groups?: string[];
  nodes?: string[];
  instances?: string[];
  tags?: string[];
  policies?: string[];
}

const textOf = ({
  groups = [GROUP],
  nodes = [NODE, SECOND],
  instances = [INSTANCE],
  tags = [],
  policies = [POLICY],
}: Sections) =>
  [groups, nodes, instances, tags, policies]
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n');

/** A line with one column (from 1) replaced. */
const replaced = (line: string, column: number, value: string): string =>
  line
    .split('|')
    .map((text, i) => (i === column - 1 ? value : text))
    .join('|');

const problems = (sections: Sections) => problemsOf(() => parseText(textOf(sections), 'f'));

describe('reading text snapshots', () => {
  it('reads every column variant as the stock programs do', () => {
    const snapshot = parseText(file('short-columns.data'), 'short-columns.data');
    expect(formatText(prepareSnapshot(snapshot, {}).snapshot)).to.equal(file('short-columns.saved'));
  });

  it('keeps fractions of totals, which a saved file rounds', () => {
    const cedar = parseText(file('short-columns.data'), 'f').nodes[2]!;
    expect([cedar.totalMemMib, cedar.totalDiskMib, cedar.totalCpus]).to.deep.equal([
      65536.5, 1048575.5, 15.5,
    ]);
  });

  it('warns as the stock programs do', () => {
    const { warnings } = prepareSnapshot(parseText(file('short-columns.data'), 'f'), {});
    expect(warnings).to.deep.equal([
      'node ginkgo.lab.example is missing 1744 MB ram and 97 GB disk',
      'node fir.lab.example is missing 1744 MB ram and 57 GB disk',
      'node ebony.lab.example is missing 11744 MB ram and 680 GB disk',
      'node cedar.lab.example is missing 14296 MB ram and 202 GB disk',
      'node birch.lab.example is missing 23296 MB ram and 300 GB disk',
      'node alder.lab.example is missing 19392 MB ram and 418 GB disk',
    ]);
  });

  it('reads back what it writes', () => {
    for (const name of ['short-columns.saved', 'pools.data']) {
      expect(formatText(parseText(file(name), name)), name).to.equal(file(name));
    }
  });

  it('reads four sections, and the defaults of policies then', () => {
    const text = textOf({}).split('\n\n').slice(0, 3).join('\n\n');
    const snapshot = parseText(`${text}\n\n`, 'f');
    expect(snapshot.policy.vcpuRatio).to.equal(4);
    expect(snapshot.policy.diskTemplates).to.have.length(9);
    expect(snapshot.groups[0]!.policy).to.equal(snapshot.policy);
  });

  it('ignores sections behind the fifth', () => {
    expect(parseText(`${textOf({})}\nwhat|ever\n`, 'f').instances).to.have.length(1);
  });

  it('reads bytes and text alike', () => {
    const text = textOf({ tags: ['größe'] });
    expect(parseText(Buffer.from(text), 'f')).to.deep.equal(parseText(text, 'f'));
  });

  it('finds the policy of a group by name or uuid', () => {
    const policies = [POLICY, POLICY.replace('|', 'g|').replace('4.0', '5')];
    expect(parseText(textOf({ policies }), 'f').groups[0]!.policy.vcpuRatio).to.equal(5);
    policies[1] = POLICY.replace('|', 'u|').replace('4.0', '6');
    expect(parseText(textOf({ policies }), 'f').groups[0]!.policy.vcpuRatio).to.equal(6);
    // Where another group has this name, it is meant: a saved file names the owners of policies.
    const groups = [GROUP, replaced(replaced(GROUP, 1, 'u'), 2, 'g')];
    const ratios = parseText(textOf({ groups, policies }), 'f').groups.map(({ policy }) => policy.vcpuRatio);
    expect(ratios).to.deep.equal([4, 6]);
  });
});

describe('storage columns', () => {
  it('give nodes their pools and instances theirs', () => {
    const snapshot = parseText(file('pools.data'), 'f');
    expect(snapshot.nodes.map((node) => node.storagePools)).to.deep.equal([
      ['internal/lvm', 'external/nas-a'],
      ['external/nas-a'],
      undefined,
    ]);
    expect(snapshot.instances.map((instance) => instance.storagePool)).to.deep.equal([
      'internal/lvm',
      'external/nas-a',
      undefined,
    ]);
  });

  it("are somebody else's columns as long as no line names a storage type", () => {
    const snapshot = parseText(textOf({ nodes: [`${NODE}|x`, SECOND], instances: [`${INSTANCE}|x|y`] }), 'f');
    expect(snapshot.nodes[0]!.storagePools).to.equal(undefined);
    expect(snapshot.instances[0]!.storagePool).to.equal(undefined);
  });

  it('must be right in every line as soon as one names a storage type', () => {
    const found = problems({
      nodes: [`${NODE}|internal/lvm`, `${SECOND}|internal/lvm,nas`],
      instances: [`${INSTANCE}|internal|lvm`, `${INSTANCE.replace('i1', 'i2')}|extern|nas`],
    });
    expect(found.map(({ line, field }) => [line, field])).to.deep.equal([
      [4, 'storage_pools'],
      [7, 'storage_pool'],
    ]);
  });

  it('refuse mirrored disks on storage that is not on the nodes', () => {
    const [found] = problems({ instances: [`${INSTANCE}|external|nas`] });
    expect(found).to.include({ line: 6, field: 'storage_pool' });
    expect(found!.problem).to.include('drbd');
  });
});

describe('faults of text snapshots', () => {
  it('are reported all at once, with line, column, field, value and remedy', () => {
    const found = problems({
      groups: [replaced(GROUP, 3, 'often')],
      nodes: [replaced(NODE, 4, 'much'), replaced(SECOND, 12, 'yes')],
      instances: [replaced(replaced(INSTANCE, 2, '1.5'), 8, 'n9')],
    });
    expect(found.map(({ line, column, field, value }) => [line, column, field, value])).to.deep.equal([
      [1, 5, 'alloc_policy', 'often'],
      [3, 15, 'free_memory', 'much'],
      [4, 45, 'exclusive_storage', 'yes'],
      [6, 28, 'secondary', 'n9'],
      [6, 4, 'memory', '1.5'],
    ]);
    expect(found[0]!.problem).to.equal("group 'g': alloc_policy is none of the known values");
    expect(found[0]!.remedy).to.equal('use one of preferred, last_resort, unallocable');
  });

  const broken: [string, Sections, RegExp][] = [
    ['a missing column of a group', { groups: ['g|u|preferred'] }, /group has 3 columns instead of 4/],
    ['a missing column of a node', { nodes: ['n1|1|1|1|1|1|1|N'] }, /node has 8 columns instead of 9/],
    [
      'a missing column of an instance',
      { instances: ['i|1|1|1|running|Y|n1|n2|drbd'] },
      /9 columns instead of 10/,
    ],
    ['a missing column of a policy', { policies: ['|1|1|drbd|4.0'] }, /policy has 5 columns instead of 6/],
    ['an empty name', { nodes: [NODE, SECOND, replaced(NODE, 1, '')] }, /name is empty/],
    ['a node name given twice', { nodes: [NODE, SECOND, NODE] }, /name is the name of line 3 already/],
    [
      'a group name given twice',
      { groups: [GROUP, replaced(GROUP, 2, 'v')] },
      /name is the name of line 1 already/,
    ],
    ['a uuid given twice', { groups: [GROUP, replaced(GROUP, 1, 'h')] }, /uuid is used by an earlier group/],
    [
      'an unknown group',
      { nodes: [NODE, SECOND, replaced(replaced(NODE, 1, 'n3'), 9, 'x')] },
      /group names no group/,
    ],
    ['an unknown primary', { instances: [replaced(INSTANCE, 7, 'n9')] }, /primary names no node/],
    ['an unknown owner of a policy', { policies: [`who${POLICY}`] }, /owner names no group/],
    [
      'a secondary that is the primary',
      { instances: [replaced(INSTANCE, 8, 'n1')] },
      /is the primary as well/,
    ],
    [
      'the same where there is no second copy',
      { instances: [replaced(replaced(INSTANCE, 8, 'n1'), 9, 'ext')] },
      /is the primary as well/,
    ],
    ['negative memory', { instances: [replaced(INSTANCE, 2, '-5')] }, /memory is negative/],
    ['huge memory', { instances: [replaced(INSTANCE, 2, '99999999999999999999')] }, /memory is too large/],
    [
      'a total that is no number',
      { nodes: [replaced(NODE, 2, 'NaN'), SECOND] },
      /total_memory is not a number/,
    ],
    ['no cpu speed at all', { nodes: [replaced(NODE, 15, '0'), SECOND] }, /cpu_speed must be more than 0/],
    [
      'an unknown state',
      { instances: [replaced(INSTANCE, 5, 'asleep')] },
      /status is none of the known values/,
    ],
    ['an unknown template', { instances: [replaced(INSTANCE, 9, 'tape')] }, /disk_template is none/],
    [
      'spindles that are neither',
      { instances: [replaced(INSTANCE, 12, 'x')] },
      /spindles is not a whole number/,
    ],
    ['an odd number of specs', { policies: [replaced(POLICY, 3, '1,1,1,1,1,1')] }, /1 specs, an odd number/],
    ['a short spec', { policies: [replaced(POLICY, 2, '1,1,1')] }, /standard has 3 values instead of 6/],
    [
      'a spec with a word',
      { policies: [replaced(POLICY, 2, '1,1,1,one,1,1')] },
      /holds 'one', which is not a whole/,
    ],
    [
      'an unknown template in a policy',
      { policies: [replaced(POLICY, 4, 'drbd,tape')] },
      /disk_templates holds 'tape'/,
    ],
    ['an infinite ratio', { policies: [replaced(POLICY, 5, 'Infinity')] }, /vcpu_ratio is too large/],
  ];
  for (const [what, sections, message] of broken) {
    it(`include ${what}`, () => {
      const found = problems(sections);
      expect(found.map(({ problem }) => problem).join('\n')).to.match(message);
      expect(found[0]!.line).to.be.a('number');
    });
  }

  it('do not repeat a wrong group for each of its nodes', () => {
    expect(problems({ groups: [replaced(GROUP, 3, 'often')] })).to.have.length(1);
  });

  it('do not repeat a missing node for each line that names it', () => {
    const ofMissing = (name: string, column: number): string =>
      replaced(replaced(INSTANCE, 1, name), column, 'n9');
    const instances = [
      ...Array.from({ length: 15 }, (_, at) => ofMissing(`i${at}`, at % 2 ? 7 : 8)),
      replaced(INSTANCE, 7, 'n8'),
    ];
    const found = problems({ instances });
    expect(found.map(({ line, value }) => [line, value])).to.deep.equal([
      [6, 'n9'],
      [21, 'n8'],
      [undefined, 'n9'],
    ]);
    expect(found[2]!.problem).to.equal('14 more lines name it: 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, ...');
    expect(found[2]!.remedy).to.equal(found[0]!.remedy);
  });

  it('are cut short when there are many', () => {
    const instances = Array.from({ length: 500 }, (_, i) => replaced(replaced(INSTANCE, 1, `i${i}`), 2, 'x'));
    const found = problems({ instances });
    expect(found).to.have.length(21);
    expect(found[20]!.problem).to.equal('480 more are not shown');
  });

  it('end the reading when the file is something else', () => {
    const instances = Array.from({ length: 5000 }, (_, i) => replaced(INSTANCE, 1, `i${i}`).slice(0, 20));
    expect(problems({ instances }).at(-1)!.problem).to.equal('980 more are not shown; reading stopped here');
  });

  const others: [string, string | Uint8Array, RegExp][] = [
    ['an empty file', '', /the file is empty/],
    ['a file of one section', `${GROUP}\n`, /1 sections instead of 4/],
    ['a line without end', 'x'.repeat(3_000_000), /1 sections instead of 4/],
    ['a long line', textOf({ tags: ['x'.repeat(2_000_000)] }), /a line of 2000000 characters/],
    ['bytes that are no text', Buffer.from([...Buffer.from(`${GROUP}\n\nzü`), 0xff, 0x41]), /not UTF-8/],
    ['half a character at the end', Buffer.from('zü').subarray(0, 2), /not UTF-8/],
    ['a byte order mark', Buffer.from(`\ufeff${textOf({})}`), /byte order mark/],
  ];
  for (const [what, content, message] of others) {
    it(`include ${what}`, () => {
      const [found] = problemsOf(() => parseText(content, 'f'));
      expect(found?.problem).to.match(message);
    });
  }

  it('tell where text stops being text', () => {
    const [found] = problemsOf(() => parseText(Buffer.from([...Buffer.from('a\nzü€😀'), 0xc3, 0x28]), 'f'));
    expect(found).to.include({ line: 2, column: 11, value: '0xc3' });
    const [zipped] = problemsOf(() => parseText(gzipSync(textOf({})), 'f'));
    expect(zipped!.remedy).to.equal('the file is compressed: unpack it with gunzip');
  });

  it('tell a line that is cut short once, and not again by all that names it', () => {
    const text = readFileSync('testdata/small.data', 'utf8');
    const cut = text.replace(/^(node1\.example\.com\|\d+)\|.*$/m, '$1');
    expect(problemsOf(() => parseText(cut, 'f')).map(({ problem }) => problem)).to.deep.equal([
      'this node has 2 columns instead of 9 or more',
    ]);
    const group = text.replace(/^(default\|[^|]+)\|.*$/m, '$1').replace(/\n\n\|[\s\S]*$/, '\n\n');
    expect(problemsOf(() => parseText(group, 'f'))).to.have.length(1);
  });

  it('tell of carriage returns', () => {
    const [found] = problemsOf(() => parseText(textOf({}).replaceAll('\n', '\r\n'), 'f'));
    expect(found!.remedy).to.include('CR LF');
  });

  it('tell of JSON, which is for another option', () => {
    const [found] = problemsOf(() => parseText('{"cluster_name": "x"}\n', 'f'));
    expect(found!.remedy).to.include('read with -I');
  });

  it('name the file', () => {
    expect(() => parseText('', 'cluster.data')).to.throw(InputError, 'cluster.data: the file is empty');
  });

  it('are the only thing that damaged files end in', () => {
    const whole = file('short-columns.data');
    const noise = fc.constantFrom(
      '',
      '|',
      '\n',
      '\n\n',
      '?',
      '-1',
      ',',
      ';',
      'Y',
      '\u0000',
      '9'.repeat(30),
      'e9',
      '((((',
    );
    const cut = fc.nat(whole.length);
    fc.assert(
      fc.property(fc.array(fc.tuple(cut, fc.nat(40), noise), { minLength: 1, maxLength: 4 }), (cuts) => {
        const damaged = cuts.reduce(
          (text, [at, count, put]) => text.slice(0, at) + put + text.slice(at + count),
          whole,
        );
        const found = problemsOf(() => formatText(prepareSnapshot(parseText(damaged, 'f'), {}).snapshot));
        for (const { problem } of found) expect(problem).to.be.a('string').and.not.empty;
      }),
      { numRuns: 500 },
    );
  });
});
