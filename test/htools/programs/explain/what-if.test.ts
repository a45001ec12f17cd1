import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { ROOT, runWords } from '../../../suite/run-built.ts';

const SMALL = 'testdata/small.data';
const run = (program: string, ...args: string[]) => runWords(program, args);

describe('what if, in the programs', () => {
  const folder = newFolder();

  it('a changed cluster gives the bytes that the file edited by hand gives', () => {
    const changed = join(folder, 'changed.data');
    const text = readFileSync(join(ROOT, SMALL), 'utf8')
      .replace('|9216|1048576|561152|16|N|', '|9216|1048576|561152|16|Y|')
      .replace(
        'wiki.example.com|1024|10368|1|running|Y|node3.example.com|node1.example.com|drbd||',
        'wiki.example.com|1024|10368|1|running|Y|node3.example.com|node1.example.com|drbd|service:web|',
      );
    writeFileSync(changed, text);
    const edits = join(folder, 'edits');
    writeFileSync(
      edits,
      '# the node is to be repaired\n\ndrain node node1\ntag instance wiki +service:web\n',
    );
    for (const [program, ...args] of [
      ['hbal', '-C', '-p', '--print-instances'],
      ['hinfo', '-p'],
      ['hspace'],
      ['hroller'],
      ['hredist', '-C'],
      ['hcand', 'resources=VCPU:2,MEMORY_MB:4096'],
    ] as const) {
      const byHand = run(program, '-t', changed, ...args);
      const inThought = run(program, '-t', SMALL, '--what-if', `@${edits}`, ...args);
      expect(inThought.stdout, program).to.equal(byHand.stdout);
      expect(inThought.stderr, program).to.equal(byHand.stderr);
      expect(inThought.status, program).to.equal(byHand.status);
      expect(byHand.stdout, program).to.not.equal('');
    }
  });

  it('hail answers for the request with its cluster changed, as if the request had been edited', () => {
    const file = join(ROOT, 'testdata/small-allocate.json');
    const request = JSON.parse(readFileSync(file, 'utf8'));
    const [group] = Object.values(request.nodegroups) as { ipolicy: Record<string, number> }[];
    group!.ipolicy['vcpu-ratio'] = 0.4;
    const byHand = join(folder, 'request.json');
    writeFileSync(byHand, JSON.stringify(request));
    const inThought = run('hail', file, '--what-if', 'policy group default vcpu-ratio=0.4');
    expect(inThought.stdout).to.equal(run('hail', byHand).stdout).and.not.equal(run('hail', file).stdout);
    const [first] = JSON.parse(run('hail', file).stdout).result;
    const drained = JSON.parse(run('hail', file, '--what-if', `drain node ${first}`).stdout);
    expect(drained.success).to.equal(true);
    expect(drained.result).to.have.length(2).and.to.not.include(first);
    const wrong = run('hail', file, '--what-if', 'drain node nowhere');
    expect(wrong.status).to.equal(1);
    expect(wrong.stderr).to.contain('is no node of the cluster');
  });

  it('hdisk lays out what would be there, and hclaim compares with it, but enters nothing', () => {
    const schema = join(folder, 'schema.yaml');
    writeFileSync(schema, 'spaces: [{id: os, type: partition, min_size: 20480, best_with_disks: []}]\n');
    const more = ['--what-if', 'add nodes 1 like node1', '--json'];
    const layouts = run('hdisk', '-t', SMALL, '--schema', schema, ...more);
    const nodesOf = (text: string): number => JSON.parse(text).nodes.length;
    const plain = run('hdisk', '-t', SMALL, '--schema', schema, '--json');
    expect(nodesOf(layouts.stdout)).to.equal(nodesOf(plain.stdout) + 1);
    expect(JSON.parse(layouts.stdout).whatIf.edits).to.deep.equal(['add nodes 1 like node1']);
    const ledger = `--db=${join(folder, 'ledger.db')}`;
    expect(run('hclaim', 'init', ledger).status).to.equal(0);
    const entering = run('hclaim', 'import', ledger, '-t', SMALL, '--what-if', 'drain node node1');
    expect(entering.stderr).to.contain('--dry-run');
    expect(entering.status).to.not.equal(0);
    const compared = run('hclaim', 'import', ledger, '-t', SMALL, ...more.slice(0, 2), '--dry-run');
    expect(compared.stdout).to.contain('node1-new1.example.com').and.to.contain('Nothing was changed.');
    expect(run('hcand', ledger, 'resources=VCPU:1', ...more.slice(0, 2)).stderr).to.contain(
      'needs a cluster',
    );
  });

  it('--diff shows both sides ahead of the report, and in the document', () => {
    const words = ['-t', SMALL, '--what-if', 'drain node node3; resize node node4 memory=+1g', '--diff'];
    const { stdout } = run('hinfo', ...words);
    expect(stdout)
      .to.match(/nodes online +4 +3 {2}\*\n/)
      .and.to.match(/score +10\.78706265 +\d+\.\d+ {2}\*\n/);
    expect(stdout.indexOf('makes different')).to.be.below(stdout.indexOf('Cluster coefficients'));
    const { whatIf, score } = JSON.parse(run('hinfo', ...words, '--json').stdout);
    expect(whatIf.edits).to.deep.equal(['drain node node3', 'resize node node4 memory=+1g']);
    const [group] = whatIf.groups;
    expect(group.after.score).to.equal(score);
    expect(group.after.nodes).to.equal(4);
    const gains = group.metrics.reduce((sum: number, { gain }: { gain: number }) => sum + gain, 0);
    expect(gains).to.be.closeTo(group.before.score - group.after.score, 1e-10);
    const keys = run('hcheck', ...words, '--machine-readable');
    expect(keys.stdout).to.match(/^HCHECK_/);
    expect(keys.stderr).to.contain('makes different');
    expect(run('hinfo', '-t', SMALL, '--diff').stderr).to.contain('--diff has nothing to compare');
  });

  it('--why across groups names the groups that would take it, and what the others say', () => {
    const { why } = JSON.parse(
      run('hredist', '-t', 'testdata/super.data', '--why', 'build2', '--json').stdout,
    );
    const [answer] = why;
    expect(answer.instance).to.equal('build2.example.com');
    const groups = [
      ...answer.open.map(({ group }: { group: string }) => group),
      ...answer.stranded.refusals.map(({ group }: { group: string }) => group),
    ];
    expect(new Set(groups)).to.deep.equal(new Set(['rack-a', 'rack-b', 'rack-c', 'rack-e']));
    const text = run('hspread', '-t', 'testdata/super.data', '--why', 'build2').stdout;
    for (const { group } of answer.open) expect(text).to.contain(`${group}: would take it on`);
    expect(run('hcompress', '-t', 'testdata/super.data', '--why', 'nobody').stderr).to.contain(
      'is no instance of the cluster',
    );
  });

  it('hroller --why agrees with the rounds: nodes that it names are in others', () => {
    const { rounds } = JSON.parse(run('hroller', '-t', SMALL, '--json').stdout);
    const roundOf = (name: string): number =>
      rounds.findIndex((round: unknown) => JSON.stringify(round).includes(`"${name}"`));
    for (const node of ['node1', 'node2', 'node3', 'node4']) {
      const [answer] = JSON.parse(run('hroller', '-t', SMALL, '--why', node, '--json').stdout).why;
      expect(answer.round).to.equal(roundOf(answer.node) + 1);
      for (const { node: other, instances } of answer.conflicts) {
        expect(roundOf(other)).to.not.equal(roundOf(answer.node));
        expect(instances).to.have.length.above(0);
      }
    }
  });

  it('loads of instances may be changed, too', () => {
    const { stdout } = run(
      'hinfo',
      '-t',
      SMALL,
      '--what-if',
      'load instance web1 cpu=+3 net=0',
      '--json',
      '--print-instances',
    );
    const [web1] = JSON.parse(stdout).instances.filter(({ name }: { name: string }) =>
      name.startsWith('web1'),
    );
    expect(JSON.stringify(web1))
      .to.match(/"cpu(Load)?":4/)
      .and.to.match(/"net(Load)?":0/);
  });

  it('--reserve is kept wherever placement is decided: hail, candidates, and the amounts that a ledger keeps', () => {
    const request = 'testdata/small-allocate.json';
    expect(JSON.parse(run('hail', request).stdout).success).to.equal(true);
    const refused = JSON.parse(run('hail', request, '--reserve', 'memory=90%').stdout);
    expect(refused.info).to.contain('failure reasons: FailMem');
    const asked = ['-t', SMALL, 'resources=MEMORY_MB:9000', '--json'];
    const providers = (...more: string[]): number => JSON.parse(run('hcand', ...asked, ...more).stdout).count;
    expect(providers()).to.be.above(providers('--reserve', 'memory=50%'));
    expect(providers('--reserve', 'memory=50%')).to.equal(
      providers(
        '--what-if',
        ['node1', 'node2', 'node3', 'node4'].map((n) => `reserve node ${n} memory=50%`).join(';'),
      ),
    );
    expect(run('hcand', '--reserve', 'memory=1%', 'resources=VCPU:1').stderr).to.contain('needs a cluster');
  });

  it('weights of the score: the plan goes by them, and gains add up to its score', () => {
    const weights = 'weight metric n1_cnt=0 pri_tags_score=0 cpu_load_cv=5 disk_load_cv=+2';
    const read = (...more: string[]) => JSON.parse(run('hbal', '-t', SMALL, '--json', ...more).stdout);
    const plan = read('--what-if', weights, '--explain', '--diff');
    expect(plan.initial.score).to.not.equal(read().initial.score);
    let sum = 0;
    for (const { name, value, weight } of plan.initial.metrics) {
      if (['n1_cnt', 'pri_tags_score'].includes(name)) expect(weight).to.equal(0);
      sum += weight * value;
    }
    expect(plan.initial.score).to.be.closeTo(sum, 1e-10);
    for (const { metrics, gain } of plan.explanation.steps) {
      const gains = metrics.map((one: { gain: number }) => one.gain);
      expect(gains.reduce((a: number, b: number) => a + b, 0)).to.be.closeTo(gain, 1e-10);
    }
    const [{ before, after, metrics }] = plan.whatIf.groups;
    const changes = metrics.reduce((total: number, one: { gain: number }) => total + one.gain, 0);
    expect(before.score - after.score).to.be.closeTo(changes, 1e-10);
    const reweighted = metrics.find(({ metric }: { metric: string }) => metric === 'cpu_load_cv');
    expect(reweighted).to.include({ weightBefore: 1, weight: 5 });
  });
});
