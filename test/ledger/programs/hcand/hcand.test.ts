import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runWords } from '../../../suite/run-built.ts';

const run = (program: string, ...words: string[]) => runWords(program, words);

const CLUSTER = ['-t', 'testdata/small.data'];

describe('hcand on a cluster', () => {
  it('names the nodes that have room, as text and as JSON', () => {
    const { status, stdout } = run(
      'hcand',
      ...CLUSTER,
      'resources=VCPU:2,MEMORY_MB:1024,DISK_GB:10',
      'limit=2',
    );
    expect(status).to.equal(0);
    expect(stdout.split('\n').map((line) => line.trim().split(/ +/))).to.deep.equal([
      ['#', 'Provider', 'Takes', 'For'],
      ['1', 'node1.example.com', 'DISK_GB:10,MEMORY_MB:1024,VCPU:2', '(unsuffixed)'],
      ['2', 'node2.example.com', 'DISK_GB:10,MEMORY_MB:1024,VCPU:2', '(unsuffixed)'],
      [''],
    ]);
    const json = JSON.parse(
      run('hcand', ...CLUSTER, '--json', '--query', 'resources_A=VCPU:2&limit=1').stdout,
    );
    expect(json).to.deep.equal({
      schemaVersion: 2,
      program: 'hcand',
      count: 1,
      candidates: [
        {
          tree: 'node1.example.com',
          allocations: { 'node1.example.com': { VCPU: 2 } },
          mappings: { _A: ['node1.example.com'] },
        },
      ],
    });
  });

  it('orders the whole list by the score that hbal would give, then cuts it', () => {
    const scores = (...more: string[]): number[] =>
      JSON.parse(
        run('hcand', ...CLUSTER, '--json', '--order', 'score', 'resources=VCPU:2,MEMORY_MB:1024', ...more)
          .stdout,
      ).candidates.map(({ score }: { score: number }) => score);
    const all = scores();
    expect(all).to.have.length(4);
    expect(all).to.deep.equal([...all].sort((a, b) => a - b));
    expect(new Set(all).size).to.be.above(1);
    expect(scores('limit=2')).to.deep.equal(all.slice(0, 2));
  });

  it('explains an empty answer', () => {
    const { status, stdout, stderr } = run('hcand', ...CLUSTER, '--explain', 'resources=MEMORY_MB:40000');
    expect({ status, stderr }).to.deep.equal({ status: 1, stderr: 'No candidate.\n' });
    expect(stdout).to.include(
      'node4.example.com has 31744 MEMORY_MB left (0 of 31744\n  used), 40000 asked for.\n',
    );
    expect(stdout).to.include('with at most resources=MEMORY_MB:31744: (unsuffixed) node4.example.com');
  });

  it('tells all that is wrong with a query', () => {
    const { status, stderr } = run(
      'hcand',
      ...CLUSTER,
      'resources=VCPU:0',
      'limit=0',
      'same_subtree=_A,',
      'nonsense=1',
    );
    expect(status).to.equal(2);
    for (const part of [
      'requires amount >= 1. Got: 0',
      'Empty string (unsuffixed group)',
      "nonsense, '1': there is no such parameter",
      "limit, '0': this is no whole number of at least 1",
    ])
      expect(stderr).to.include(part);
    expect(run('hcand', ...CLUSTER, 'resources=NONE:1').stderr).to.include('No such resource class NONE');
    expect(run('hcand', ...CLUSTER, '--claim', 'x', 'resources=VCPU:1').status).to.equal(2);
    expect(run('hcand', ...CLUSTER).status).to.equal(2);
  });
});

describe('hcand on a ledger', () => {
  it('names all that needs a cluster', () => {
    expect(run('hcand', '--order', 'score', '--diff', 'resources=VCPU:1').stderr).to.equal(
      'Error while parsing command line arguments:\n--order score and --diff need a cluster\nMaybe name one, as in --text-data FILE\n',
    );
  });

  it('says all that is wrong with its command line, without a look at the ledger', () => {
    expect(run('hcand', '--order', 'score', '--project', 'a\u007f', 'x', 'y').stderr).to.match(
      /'x', 'y' is not a parameter\nMaybe .*\n--project: .*\nMaybe .*\n--order score needs a cluster\nMaybe /,
    );
  });

  it('takes an empty word for no parameter', () => {
    expect(run('hcand', 'resources=VCPU:1', '').stderr).to.include("'' is not a parameter");
  });

  it('says that a cluster would do, too, where none is named', () => {
    expect(run('hcand', 'resources=VCPU:1').stderr).to.equal(
      'Error: which ledger?\nMaybe name it with --db, or in the environment variable EVENKEEL_DB; or a cluster, with -L, -m or -t\n',
    );
  });

  it('has a remedy for a query that it cannot read, most of all for one with all in one word', () => {
    const joined = run('hcand', ...CLUSTER, 'resources=VCPU:1&limit=5').stderr;
    expect(joined).to.contain('\nMaybe give the whole query with --query\n');
    const unknown = run('hcand', ...CLUSTER, 'resources=VCPU:1', 'required=CUSTOM_NOBODY').stderr;
    expect(unknown).to.contain('\nMaybe see what it takes in hcand(1)\n');
  });

  const folder = newFolder();
  let db: string[];

  before(() => {
    db = ['--db', join(folder, 'ledger.db')];
    expect(run('hclaim', ...db, 'init').status).to.equal(0);
    expect(run('hclaim', ...db, ...CLUSTER, 'import').status).to.equal(0);
  });

  it('finds in the imported ledger what it finds in the cluster', () => {
    for (const query of [
      'resources=VCPU:2,MEMORY_MB:1024,DISK_GB:10',
      'resources_A=VCPU:1&resources_B=MEMORY_MB:512',
      'resources=MEMORY_MB:20000',
    ])
      expect(run('hcand', ...db, '--json', '--query', query).stdout, query).to.equal(
        run('hcand', ...CLUSTER, '--json', '--query', query).stdout,
      );
  });

  it('claims the first candidate, once', () => {
    const query = 'resources=VCPU:2,MEMORY_MB:1024';
    const claimed = run('hcand', ...db, '--claim', 'shop-1', '--project', 'shop', query);
    expect(claimed.status).to.equal(0);
    expect(claimed.stdout).to.match(/Claimed candidate 1 for shop-1\.\n$/);
    expect(run('hclaim', ...db, 'show', 'shop-1').stdout).to.include('node1.example.com');
    const again = run('hcand', ...db, '--claim', 'shop-1', query);
    expect([again.status, again.stderr]).to.deep.equal([
      4,
      'Conflict: the consumer shop-1 exists already.\n',
    ]);
    expect(run('hclaim', ...db, 'audit').status).to.equal(0);
  });

  it('claims for names that hclaim takes, too', () => {
    for (const option of ['--claim', '--project', '--user', '--type']) {
      const words = option === '--claim' ? [] : ['--claim', 'shop-2'];
      const { status, stderr } = run('hcand', ...db, ...words, option, 'x\u001b[31m', 'resources=VCPU:1');
      expect([status, stderr]).to.deep.equal([
        2,
        `Command line error: ${option}: 'x\\u001b[31m' is not a name\nMaybe give 1 to 255 printable characters\n`,
      ]);
    }
  });
});
