import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import loadHighs from 'highs';
import { parse } from 'yaml';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';

const RACK = '-H testdata/disks/rack';
const SCHEMA = '-s testdata/disks/storage-node.yaml';

describe('hdisk', () => {
  const folder = newFolder();

  const fileOf = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const jsonOf = (line: string) => JSON.parse(runBuilt(line).stdout);

  it('lays out the examples of the reference documentation', () => {
    const schema = fileOf(
      'storage.yaml',
      `- {id: ceph, type: partition, min_size: 1000, best_with_disks: yaql=$.disks.where($.type = "hdd").skip(1)}
- {id: journal, type: partition, best_with_disks: yaql=$.disks.where($.type = "ssd")}
- {id: swap, type: lv, size: yaql=$.get(ram) * 2}
- {id: root, type: lv, min_size: 5000}
`,
    );
    const hdd = (id: string): string => `{id: ${id}, type: hdd, size: 10000}`;
    const many = fileOf(
      'many.yaml',
      `ram: 1024\ndisks: [${['sda', 'sdb', 'sdc'].map(hdd)}, {id: sde, type: ssd, size: 2048}]`,
    );
    const single = fileOf('single.yaml', `ram: 1024\ndisks: [${hdd('sda')}]`);
    const sizesOf = (hardware: string): unknown =>
      parse(runBuilt(`hdisk -s ${schema} -H ${hardware} --format static`).stdout).map(
        (disk: { spaces: { size: number }[] }) => disk.spaces.map(({ size }) => size),
      );
    expect(sizesOf(many)).to.deep.equal([
      [0, 0, 2048, 7952, 0],
      [10_000, 0, 0, 0, 0],
      [10_000, 0, 0, 0, 0],
      [0, 2048, 0, 0, 0],
    ]);
    expect(sizesOf(single)).to.deep.equal([[2952, 0, 2048, 5000, 0]]);
  });

  it('says all that does not go together at once', () => {
    const { stderr } = runBuilt(
      `hdisk ${RACK} -t testdata/small.data --diff --emit-pools --check x --format lp`,
    );
    for (const word of [
      '--diff has',
      '--hardware and',
      'no schema',
      '--format lp applies',
      '--emit-pools and',
    ])
      expect(stderr).to.contain(word);
  });

  it('gives every node of a folder a line, and status 1 when one has no layout', () => {
    const { status, stdout, stderr } = runBuilt(`hdisk ${SCHEMA} ${RACK}`);
    expect(status).to.equal(1);
    expect(stderr).to.equal('');
    expect(stdout).to.match(/^node1 .* laid out$/m);
    expect(stdout).to.contain('data >= 20000, root >= 10000 and swap = 4096 exceed disk vda 30000');
    expect(stdout).to.contain('2 of 3 nodes laid out');
    expect(runBuilt(`hdisk ${SCHEMA} ${RACK} --node node1 --node node2`).status).to.equal(0);
  });

  it('evaluates one expression on the hardware, without a schema', () => {
    const types = '--evaluate=$.disks.where($.type=ssd).id';
    expect(runBuilt(`hdisk ${types} -H testdata/disks/rack/node1.yaml`)).to.deep.include({
      status: 0,
      stdout: '["sdd"]\n',
      stderr: '',
    });
    const everywhere = runBuilt(`hdisk --evaluate=yaql=$.disks.len()*2 ${RACK}`);
    expect(everywhere.stdout).to.equal('node1: 8\nnode2: 2\nnode3: 2\n');
    const faulty = runBuilt(`hdisk --evaluate=yaql=$.disks.first($.type=ssd) ${RACK} --node node1`);
    expect(faulty).to.deep.include({ status: 2, stdout: '' });
    expect(faulty.stderr).to.contain(
      "column 22, 'yaql=$.disks.first($.type=ssd)': node1: there is no 'type' here",
    );
    expect(runBuilt(`hdisk --evaluate=1+ ${RACK}`).stderr).to.contain('ends too early');
    for (const more of ['--json', '--save=x'])
      expect(runBuilt(`hdisk ${types} ${RACK} ${more}`).stderr).to.contain('and no layout');
    expect(runBuilt(`hdisk ${types}`).stderr).to.contain('no hardware is given');
  });

  it('is told where the hardware has no nodes, or its folder no files', () => {
    const none = join(folder, 'none.json');
    writeFileSync(none, '[]');
    for (const words of [SCHEMA, '--evaluate=1'])
      expect(runBuilt(`hdisk ${words} -H ${none}`)).to.deep.equal({
        status: 2,
        stdout: '',
        stderr: 'Error: the hardware has no nodes\nMaybe write one: disks: [{id: sda, size: 100000}]\n',
      });
    rmSync(none);
    expect(runBuilt(`hdisk ${SCHEMA} -H ${mkdtempSync(join(folder, 'empty-'))}`).stderr).to.match(
      /holds no file that ends in .*\nMaybe name another folder\n/,
    );
  });

  it('writes one JSON document with everything', () => {
    const { schemaVersion, nodes } = jsonOf(`hdisk ${SCHEMA} ${RACK} --json`);
    expect(schemaVersion).to.equal(2);
    expect(
      nodes.map(({ node, outcome }: { node: string; outcome: string }) => [node, outcome]),
    ).to.deep.equal([
      ['node1', 'layout'],
      ['node2', 'layout'],
      ['node3', 'infeasible'],
    ]);
    expect(nodes[0].layout[3]).to.deep.equal({
      disk_id: 'sdd',
      size: 60_000,
      spaces: ['boot', 'data', 'journal', 'root', 'log', 'swap', 'unallocated'].map((space_id) => ({
        space_id,
        size: { journal: 40_000, unallocated: 20_000 }[space_id] ?? 0,
      })),
    });
    expect(nodes[0].pools).to.deep.equal([
      { pool: 'internal/system', size: 119_488, spaces: ['root', 'log', 'swap'] },
    ]);
    expect(nodes[2].clash.requirements).to.deep.equal([
      { space: 'data', kind: 'min_size', amount: 20_000 },
      { space: 'root', kind: 'min_size', amount: 10_000 },
      { space: 'swap', kind: 'size', amount: 4096 },
    ]);
  });

  it('says what clashes on one node, and prints nothing', () => {
    const { status, stdout, stderr } = runBuilt(
      `hdisk ${SCHEMA} -H testdata/disks/rack/node3.json --format static`,
    );
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.equal(
      'Error: no layout: data >= 20000, root >= 10000 and swap = 4096 exceed disk vda 30000\nMaybe ask for less, or add disks.\n',
    );
  });

  it('turns spaces into partitions, arrays and volumes', () => {
    const volumes = parse(
      runBuilt('hdisk -s testdata/disks/mirrored.json -H testdata/disks/rack/node1.yaml --format volumes')
        .stdout,
    );
    expect(volumes.tables[1].partitions).to.deep.equal([
      { name: 'sdb-boot', space: 'boot', size: 1024 },
      { name: 'sdb-root', space: 'root', size: 40_000 },
      { name: 'sdb-scratch', space: 'scratch', size: 358_976 },
    ]);
    expect(volumes.arrays[1]).to.deep.equal({
      name: 'root-mirror',
      level: 'mirror',
      partitions: ['sda-root', 'sdb-root'],
      size: 40_000,
    });
    expect(volumes.logical_volumes).to.deep.equal([{ name: 'root', group: 'system', size: 39_984 }]);
    const lean = `--metadata-size 1 --metadata-copies 1`;
    const line = `hdisk -s testdata/disks/mirrored.json -H testdata/disks/rack/node1.yaml --format volumes ${lean}`;
    expect(parse(runBuilt(line).stdout).logical_volumes[0].size).to.equal(39_999);
    const schema = fileOf(
      'outside.yaml',
      '- {id: vg0, type: vg, contains: [root, data]}\n- {id: root, type: lv, size: 100}\n- {id: data, type: partition}\n',
    );
    const outside = runBuilt(`hdisk -s ${schema} -H testdata/disks/rack/node1.yaml --format volumes`).stdout;
    expect(parse(outside).warnings).to.deep.equal([
      'data: is no logical volume (lv); it stays a partition, outside of vg0',
    ]);
  });

  it('writes a program that a solver reads, with the same optimum', async () => {
    for (const schema of ['storage-node.yaml', 'mirrored.json']) {
      const words = `hdisk -s testdata/disks/${schema} -H testdata/disks/rack/node1.yaml`;
      const { objective } = jsonOf(`${words} --json`).nodes[0];
      const load = loadHighs as unknown as () => Promise<import('highs').Highs>;
      const solution = (await load()).solve(runBuilt(`${words} --format lp`).stdout, { output_flag: false });
      expect(solution.Status).to.equal('Optimal');
      expect(solution.ObjectiveValue).to.be.closeTo(objective, 1e-3);
    }
  });

  it('draws the disks to scale', () => {
    const svg = join(folder, 'disks.svg');
    expect(runBuilt(`hdisk ${SCHEMA} -H testdata/disks/rack/node1.yaml --svg ${svg}`).status).to.equal(0);
    const text = readFileSync(svg, 'utf8');
    const widthOf = (title: string): number =>
      Number(new RegExp(`width="([\\d.]+)"[^>]*><title>${title}</title>`).exec(text)?.[1]);
    expect(widthOf('data 400000')).to.equal(920);
    expect(widthOf('journal 40000')).to.equal(92);
    // Too small for a label of its own: it stands below the bar.
    expect(text).to.contain('>boot 512, swap 8\u202f192<');
    // A number is not cut.
    expect(text).to.contain('>journal<').and.to.contain('>journal 40\u202f000, unallocated 20\u202f000<');
  });

  it('compares with what is there', () => {
    const { status, stdout } = runBuilt(`hdisk ${SCHEMA} ${RACK} --check testdata/disks/installed.yaml`);
    expect(status).to.equal(1);
    expect(stdout).to.contain('node1: sda: log is 60000, wanted 61296\nnode2: as the schema requires\n');
    const good = join(folder, 'good.json');
    const two = `${RACK} --node node1 --node node2`;
    runBuilt(`hdisk ${SCHEMA} ${two} --json -o ${good}`);
    expect(runBuilt(`hdisk ${SCHEMA} ${two} --check ${good}`).status).to.equal(0);
    expect(runBuilt(`hdisk ${SCHEMA} ${two} -q --check ${good}`)).to.include({ status: 0, stdout: '' });
    expect(jsonOf(`hdisk ${SCHEMA} ${two} --json --check ${good}`).nodes[1]).to.deep.equal({
      node: 'node2',
      isAsWanted: true,
      problem: null,
      differences: [],
    });
  });

  it('compares those nodes that are named, and nothing that is there twice', () => {
    const rack = join(folder, 'written.yaml');
    runBuilt(`hdisk ${SCHEMA} ${RACK} --node node1 --node node2 --format static -o ${rack}`);
    const one = `hdisk ${SCHEMA} ${RACK} --node node2 --check`;
    expect(runBuilt(`${one} ${rack}`)).to.deep.include({
      status: 0,
      stdout: 'node2: as the schema requires\n',
    });
    const text = readFileSync(rack, 'utf8');
    const twins = fileOf('twins.yaml', `${text}${text.slice(text.indexOf('- node: node2'))}`);
    expect(runBuilt(`${one} ${twins}`)).to.deep.include({
      status: 1,
      stdout: 'node2: as the schema requires\nnode2: there are two layouts of this node\n',
    });
    const disk = '- disk_id: sda\n  size: 5\n  spaces: [{space_id: a, size: 5}, {space_id: a, size: 1}]\n';
    const { status, stderr } = runBuilt(`${one} ${fileOf('disks.yaml', `${disk}${disk}`)}`);
    expect(status).to.equal(2);
    expect(stderr).to.match(/spaces\[1\]\.space_id, 'a': is there twice/);
    expect(stderr).to.match(/\[1\]\.disk_id, 'sda': is there twice/);
    const inexact = fileOf('inexact.yaml', '- {disk_id: sda, size: 90071992547409931, spaces: []}\n');
    expect(runBuilt(`${one} ${inexact}`).stderr).to.match(/size, '90071992547409931': is not a size/);
  });

  it('takes nodes from a snapshot and gives them pools', () => {
    const saved = join(folder, 'pools.data');
    const line = `hdisk -s testdata/disks/small-node.yaml -t testdata/small.data --node node2.example.com --emit-pools -S ${saved}`;
    const { status, stdout } = runBuilt(line);
    expect(status).to.equal(0);
    expect(stdout).to.match(/^node2\.example\.com +internal\/lvm +1028096 +instances$/m);
    const disks = jsonOf(`hinfo -t ${saved} --json`).nodes?.map(
      (node: { totalDiskMib: number }) => node.totalDiskMib,
    );
    if (disks) expect(disks[1]).to.equal(1_028_096);
    expect(readFileSync(saved, 'utf8')).to.match(/^node2\.example\.com\|.*\|1028096\|.*internal\/lvm$/m);
  });

  it('says that there are no pools where the schema has no container', () => {
    const schema = fileOf('flat.yaml', '- {id: root, type: lv}\n');
    expect(runBuilt(`hdisk -s ${schema} -H testdata/disks/rack/node1.yaml --emit-pools`)).to.deep.include({
      status: 0,
      stdout: 'The schema has no container, and so no node a pool.\n',
    });
  });

  it('saves no room of a node that has no layout', () => {
    const small = readFileSync('testdata/small.data', 'utf8');
    const cluster = fileOf('tiny.data', small.replace('|1048576|1048576|', '|10000|10000|'));
    const saved = join(folder, 'tiny-pools.data');
    const { status, stderr } = runBuilt(
      `hdisk -s testdata/disks/small-node.yaml -t ${cluster} --emit-pools -S ${saved}`,
    );
    expect(status).to.equal(1);
    expect(stderr).to.match(/^Error: node4\.example\.com: no layout: /);
    expect(readFileSync(saved, 'utf8')).to.match(/^node4\.example\.com\|32768\|1024\|31744\|0\|0\|/m);
  });

  it('relaxes sharing with a warning, and fails with strict weights', () => {
    const schema = fileOf(
      'weights.yaml',
      '- {id: root, type: lv, size: 10}\n- {id: var, type: lv, size: 10, weight: 0.5}\n',
    );
    const hardware = fileOf('one.yaml', 'disks: [{id: sda, size: 100}]');
    const soft = runBuilt(`hdisk -s ${schema} -H ${hardware}`);
    expect(soft.status).to.equal(0);
    expect(soft.stderr).to.equal(
      'Warning: root and var: their sizes are given and contradict their weights, which are ignored\n',
    );
    const strict = runBuilt(`hdisk -s ${schema} -H ${hardware} --strict-weights`);
    expect(strict.status).to.equal(1);
    expect(strict.stderr).to.contain(
      'root = 10, var = 10 and equal sharing of root (weight 1) and var (weight 0.5) are not possible together',
    );
  });

  it('takes schema and hardware from one file, and from standard input', () => {
    const both = fileOf(
      'both.yaml',
      'dynamic_schema: [{id: root, type: lv}]\nhw_info: {disks: [{id: sda, size: 9}]}\n',
    );
    expect(runBuilt(`hdisk -s ${both}`).stdout).to.match(/^sda +9 +root +9/m);
  });

  it('ends with status 2, and all faults, on what it cannot understand', () => {
    const schema = fileOf('bad.yaml', '- {id: root, type: lv, size: yaql=1 +}\n- {type: lv}\n');
    const hardware = fileOf('bad-hw.yaml', 'disks: [{id: sda}]');
    const good = fileOf('good-hw.yaml', 'disks: [{id: sda, size: 5}]');
    expect(runBuilt(`hdisk -s ${schema} -H ${good}`)).to.deep.include({
      status: 2,
      stderr: `Error: ${schema}: the expression: ends too early (and 1 more)
  line 1, column 38, root.size: the expression: ends too early
    Maybe a bracket or an operand is missing
  line 2, column 3, id: a space has no id
    Maybe write id: root
`,
    });
    const both = runBuilt(`hdisk -s ${schema} -H ${hardware}`);
    expect(both.status).to.equal(2);
    expect(both.stderr).to.contain('ends too early').and.contain('the disk has no size');
    for (const line of [
      'hdisk',
      `hdisk -s ${schema}`,
      `hdisk -s ${folder}/none.yaml -H ${good}`,
      `hdisk -s ${good} -H ${good}`,
      `hdisk -s testdata/disks/small-node.yaml -H ${folder}`,
      `hdisk -s testdata/disks/small-node.yaml -H ${good} --node nobody`,
      `hdisk -s testdata/disks/small-node.yaml -H ${good} -S x`,
      `hdisk -s testdata/disks/small-node.yaml -H ${good} --json --format lp`,
      `hdisk -s testdata/disks/small-node.yaml -H ${good} --rounding up`,
      `hdisk -s testdata/disks/small-node.yaml -H ${good} --check ${schema}`,
    ]) {
      const { status, stderr, stdout } = runBuilt(line);
      expect([status, stdout], `${line}\n${stderr}`).to.deep.equal([2, '']);
      expect(stderr)
        .to.match(/Error/)
        .and.not.match(/\n {4}at /);
    }
  });

  it('names all nodes at once that there are not', () => {
    const { stderr } = runBuilt(`hdisk ${SCHEMA} ${RACK} --node nix --node node1 --node nobody`);
    expect(stderr).to.equal(
      "Error: there is no node 'nix', 'nobody'\nMaybe these are: node1, node2, node3\n",
    );
  });

  it('refuses to lay out several nodes of one name', () => {
    const disks = 'disks: [{id: sda, size: 5}]';
    const nodes = fileOf(
      'same.yaml',
      ['a', 'b', 'a', 'b', 'c'].map((name) => `- {node: ${name}, ${disks}}\n`).join(''),
    );
    const line = `hdisk -s testdata/disks/small-node.yaml -H ${nodes}`;
    expect(runBuilt(line)).to.deep.include({
      status: 2,
      stdout: '',
      stderr:
        "Error: several nodes are called 'a', 'b'\nMaybe give each record a name of its own, as in node: NAME\n",
    });
    expect(runBuilt(`${line} --node c`).stderr).to.contain('exceeds disk sda 5');
  });

  it('calls a node faulty where only it does not suit the schema', () => {
    const schema = fileOf(
      'typed.yaml',
      '- {id: a, type: lv, best_with_disks: yaql=$.disks.where($.type = ssd)}\n',
    );
    const nodes = fileOf(
      'nodes.yaml',
      '- {name: n1, disks: [{id: sda, size: 5, type: ssd}]}\n- {name: n2, disks: [{id: sda, size: 5}]}\n',
    );
    const { status, stdout } = runBuilt(`hdisk -s ${schema} -H ${nodes}`);
    expect(status).to.equal(1);
    expect(stdout).to.match(/^n1 .* laid out$/m);
    expect(stdout).to.match(/^n2 .* line 1, a\.best_with_disks: the expression: there is no 'type' here$/m);
  });
});
