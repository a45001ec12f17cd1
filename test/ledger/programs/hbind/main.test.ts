import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt, type Surroundings } from '../../../suite/run-built.ts';

const SUPER = 'testdata/super.data';

describe('hbind', () => {
  const folder = newFolder();
  let db: string;

  const hbind = (words: string) => runBuilt(`hbind --db ${db} ${words}`.trim());
  const json = (words: string) => JSON.parse(hbind(`${words} --json`).stdout);
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  before(() => {
    db = join(folder, 'pods.db');
  });

  it('makes pods, and binds a tenant to one until it is full', () => {
    expect(hbind('pod list')).to.deep.include({ status: 2 });
    expect(hbind('init').stdout).to.equal(`${db} is ready for pods (version 1).\n`);
    expect(hbind('pod add P1').stdout).to.equal('Added P1.\n');
    hbind('pod add P2 --reopen 0.8 --headroom disk=10 --weight 2.5');
    expect(hbind('pod add P1')).to.deep.include({ status: 1, stdout: '' });
    expect(hbind('select --tenant t1').stdout).to.equal('P1 new 1\n');
    expect(hbind('select --tenant t1').stdout).to.equal('P1 kept 1\n');
    const full = file('full.json', '{"P1": {"memory": {"total": 1000, "used": 900}}, "P2": null}');
    expect(hbind(`usage -f ${full}`).stdout.replace(/ +/g, ' ')).to.equal(
      ' Pod State Fullest News\n P1 exhausted memory 90.0% exhausted now\n P2 open not measured -\n',
    );
    expect(hbind('select --tenant t1 -v').stdout).to.equal(
      'P2 new 2, leaves P1: exhausted\n Pod Total age\n P2      0 0x1\n',
    );
    expect(
      json('history t1').bindings.map((row: { pod: string; endReason: string }) => [row.pod, row.endReason]),
    ).to.deep.equal([
      ['P1', 'exhausted'],
      ['P2', null],
    ]);
  });

  it('names all words of a policy at once that are no filters', () => {
    const { status, stderr } = hbind('policy --filters=foo,az,bar');
    expect([status, stderr]).to.deep.equal([
      2,
      "Command line error: --filters: there is no filter 'foo', 'bar'\nMaybe these are: all-pods, az, affinity, state, exhausted, amounts\n",
    ]);
  });

  it('takes in what is used from a file or from a cluster', () => {
    const { status, stderr } = hbind(`usage -f ${file('none.json', '{}')} -t ${SUPER}`);
    expect([status, stderr]).to.deep.equal([
      2,
      'Command line error: -f and a cluster both say what is used\nMaybe give one of them\n',
    ]);
  });

  it('says that there is no such pod, exit status 2', () => {
    for (const words of ['pod show nix', 'pod set nix --state closed', 'bind t nix', 'rebind --pod nix']) {
      const { status, stdout, stderr } = hbind(words);
      const found = { words, status, stdout, stderr };
      const said = "Error: there is no pod 'nix'\nMaybe look at: hbind pod list\n";
      expect(found).to.deep.equal({ words, status: 2, stdout: '', stderr: said });
    }
    const told = hbind('pod show nix --json');
    expect(told.status).to.equal(2);
    expect(JSON.parse(told.stdout).refusals).to.deep.equal([{ kind: 'unknown-pod', pod: 'nix' }]);
  });

  it('says why no pod takes a request, exit status 1, and for each pod on demand', () => {
    const refused = hbind('select --tenant t2 --az A --dry-run');
    expect(refused).to.deep.include({ status: 1, stdout: '' });
    expect(refused.stderr).to.match(/^Refused: no pod takes t2 \(az A\): refused 2 by az\nMaybe /);
    const why = hbind('select --tenant t2 --az A --dry-run --explain');
    expect(why.stderr).to.equal('Refused: no pod takes t2 (az A): refused 2 by az\n');
    const explained = hbind('select --tenant t2 --explain --dry-run').stdout;
    expect(explained).to.equal(
      [
        'P2 would be new',
        '1. P2: 0 (age 0 x 1)',
        '     passes all-pods, az, affinity, state, exhausted, amounts',
        '-  P1: refused',
        '     exhausted: memory: 900 of 1000 used, limit 0.9',
        '     passes all-pods, az, affinity, state, amounts',
        '',
      ].join('\n'),
    );
    expect(json('select --tenant t2 --explain --dry-run').explanation).to.have.length(2);
    expect(hbind('history t2').stdout).to.equal('t2 was never bound to a pod.\n');
  });

  it('maintains, rebinds, binds by hand, and is clean', () => {
    expect(hbind('pod maintenance P2 --rebind')).to.deep.include({
      status: 1,
      stdout: 'P2 is under maintenance.\nt1 stays in P2 (maintenance): no other pod takes it\n',
    });
    hbind('pod add P3');
    expect(hbind('rebind --dry-run').stdout).to.equal(
      't1: P2 -> P3 (maintenance)\n1 would be rebound, 0 without another pod.\n',
    );
    expect(hbind('rebind').status).to.equal(0);
    expect(hbind('pod maintenance P2 --end --return').stdout).to.equal(
      'P2 takes requests again.\nt1: P3 -> P2 (returned)\n',
    );
    const bound = hbind('bind t1 P1');
    expect(bound).to.deep.include({ status: 0, stdout: 'P1 new 5\n' });
    expect(bound.stderr).to.match(/^Note: P1 is exhausted/);
    expect(hbind('bind t1 P1 --for 1h').stderr).to.include('--for is for a new one');
    expect(hbind('unbind t1').stdout).to.equal('t1 is not bound to P1 any more.\n');
    expect(hbind('pod rm P1').stderr).to.match(/are or were bound to P1/);
    expect(hbind('pod set P1 --state closed').status).to.equal(0);
    expect(json('pod show P1').pod).to.deep.include({ name: 'P1', state: 'closed', tenants: 0 });
    expect(hbind('policy --weigh idle=2 --filters state,exhausted').stdout).to.equal(
      'Filters:  state, exhausted\nWeighers: idle=2\n',
    );
    expect(hbind('audit').stdout).to.equal('The bindings are clean.\n');
    expect(hbind('expire').stdout).to.equal('No binding is over its time.\n');
  });

  it('plays a day through the policy and changes nothing', () => {
    const world = join(folder, 'day.db');
    const run = (words: string) => runBuilt(`hbind --db ${world} ${words}`);
    run('init');
    run('pod add D1');
    run('pod add D2');
    run(
      `usage -f ${file('day0.json', '{"D1": {"memory": {"total": 100, "used": 70}}, "D2": {"memory": {"total": 100, "used": 0}}}')}`,
    );
    const at = (hour: number): string => `2026-01-01T0${hour}:00:00Z`;
    const events = [
      { at: at(1), tenant: 'a', kind: 'instance', need: { memory: 10 } },
      { at: at(2), tenant: 'b', need: { memory: 10 } },
      { at: at(3), tenant: 'a', kind: 'volume', need: { memory: 80 } },
      { at: at(4), tenant: 'c', need: { memory: 21 } },
    ];
    const day = file('day.jsonl', events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const { stdout } = run(`simulate -f ${day}`);
    expect(stdout.split('\n').map((line) => line.replace(/ +/g, ' '))).to.deep.equal([
      '4 requests: 0 kept their pod, 2 bound for the first time, 1 rebound, 1 refused',
      ' Pod Requests Tenants Before After Exhausted',
      ' D1 2 2 70.0% 90.0% 2026-01-01T02:00:00Z (event 2)',
      ' D2 1 1 0.0% 80.0% -',
      'A pod for general use is missing from 2026-01-01T04:00:00Z (event 4) on: 1 refused',
      '1 tenant split over several pods:',
      ' a: D1, D2',
      '',
    ]);
    const untimed = file('untimed.jsonl', '{"tenant": "z", "az": "far"}\n');
    expect(run(`simulate -f ${untimed}`).stdout)
      .to.include('1 request: ')
      .and.to.include('A pod for az far is missing from event 1 on: 1 refused\n');
    expect(run('history a').stdout).to.equal('a was never bound to a pod.\n');
    const none = run(`usage -f ${file('day1.json', '{"D1": null}')} --pod D2`);
    expect(none.status).to.equal(2);
    expect(none.stderr).to.include("no reading of 'D2'").and.to.include('Maybe these are: D1');
    const wrong = file('wrong.jsonl', '{"tenant": 5, "az": [], "colour": 1}\n{"pod": "D1"}\nnot json\n');
    expect(run(`simulate -f ${wrong}`)).to.deep.include({ status: 2, stdout: '' });
    for (const time of ['2026-02-30T08:00:00Z', '2026-01-01T08:00:00', 'pod 5'])
      expect(
        run(`simulate -f ${file('time.jsonl', JSON.stringify({ at: time, tenant: 'a' }))}`).stderr,
      ).to.include('is not a time');
  });

  it('reads clusters, asks the capacity planner, and finds pods that could be given back', () => {
    const world = join(folder, 'cluster.db');
    const run = (words: string) => runBuilt(`hbind --db ${world} ${words}`);
    run('init');
    expect(run(`usage -t ${SUPER}`).stderr).to.match(/^Note: no pod is called rack-a, rack-b/);
    for (const named of ['--pod rack-a', '--pod-is cluster --pod rack-a'])
      expect(run(`usage -t ${SUPER} ${named}`)).to.deep.include({
        status: 2,
        stderr: "Error: there is no pod 'rack-a'\nMaybe look at: hbind pod list\n",
      });
    run(`usage -t ${SUPER} --add`);
    const full = JSON.parse(run(`usage -t ${SUPER} --json --exhausted-by hspace 20g,4g,2`).stdout);
    const exhausted = full.pods.filter((pod: { isExhausted: boolean }) => pod.isExhausted);
    // Its nodes have no disks of their own.
    expect(exhausted.map((pod: { name: string }) => pod.name)).to.deep.equal(['rack-e']);
    expect(exhausted[0].verdict.why).to.equal('most homes fail with FailDisk');
    expect(run(`usage -t ${SUPER} --exhausted-by hspace 20g,4g,2`).stdout).to.match(
      /^ rack-e .*exhausted by hspace: not one more instance of 20g,4g,2 fits \(most homes fail with FailDisk\)$/m,
    );
    expect(run('pod show rack-e').stdout).to.include('does not fit (most homes fail with FailDisk)');
    run(`usage -t ${SUPER}`);
    expect(run('forecast').stdout).to.match(/rack-a .*needs readings an hour apart/);

    const tenants = file(
      'tenants.data',
      readFileSync(SUPER, 'utf8')
        .split('\n')
        .map((line) => {
          const fields = line.split('|');
          if (fields.length < 12 || !/^(running|ADMIN_|ERROR_)/.test(fields[4]!)) return line;
          const tags = [fields[9], 'htools:tenant:shop'].filter((tag) => tag !== '').join(',');
          return [...fields.slice(0, 9), tags, ...fields.slice(10)].join('|');
        })
        .join('\n'),
    );
    run('bind shop rack-c');
    const verdicts = JSON.parse(run(`empty -t ${tenants} --json`).stdout).pods;
    const found = Object.fromEntries(
      verdicts.map((one: { pod: string; verdict: string; moves: number; nobodys: number }) => [
        one.pod,
        [one.verdict, one.moves, one.nobodys],
      ]),
    );
    expect(Object.keys(found)).to.deep.equal(['rack-a', 'rack-b', 'rack-c', 'rack-d', 'rack-e']);
    // All instances of rack-b belong where the tenant is bound: to rack-c.
    expect(found['rack-b']).to.deep.equal(['possible', 9, 0]);
    expect(verdicts[2].leaving).to.deep.equal([{ tenant: 'shop', az: '', affinity: {}, to: 'rack-b' }]);
    expect(found['rack-c']).to.deep.equal(['possible', 4, 0]);
    run('pod set rack-b --state closed');
    run('pod set rack-d --state closed');
    expect(run(`empty -t ${tenants} --pod rack-c`).stdout).to.equal(
      'rack-c (1 binding, 4 instances) stays: no other pod takes shop\n',
    );
  });

  it('says when pods are full at the growth that was read', () => {
    const world = join(folder, 'forecast.db');
    const run = (words: string, around?: Surroundings) => runBuilt(`hbind --db ${world} ${words}`, around);
    run('init');
    run('pod add F1');
    const began = Date.now();
    const later = { aheadSeconds: 3600 };
    const reading = (used: number) =>
      file(`f${used}.json`, `{"F1": {"memory": {"total": 1000, "used": ${used}}}}`);
    run(`usage -f ${reading(100)}`);
    run(`usage -f ${reading(200)}`, later);
    const { pods, queues } = JSON.parse(run('forecast --json', later).stdout);
    expect(pods[0].readings).to.equal(2);
    expect(pods[0].first.metric).to.equal('memory');
    // A tenth an hour; it is full at nine tenths.
    expect((Date.parse(pods[0].first.at) - began) / 3_600_000).to.be.closeTo(8, 0.5);
    expect(queues).to.have.length(1);
  });

  it('says nothing with --quiet where there is nothing to report, and all that there is', () => {
    const quiet = join(folder, 'quiet.db');
    const run = (words: string) => runBuilt(`hbind --db ${quiet} -q ${words}`);
    const reading = (used: number) =>
      file(`q${used}.json`, `{"Q1": {"memory": {"total": 1000, "used": ${used}}}}`);
    expect(run('init').stdout).to.equal(`${quiet} is ready for pods (version 1).\n`);
    const isSilent = (words: string) => {
      expect({ words, ...run(words) }).to.deep.include({ words, status: 0, stdout: '', stderr: '' });
      expect(run(`${words} -v`).stdout, words).not.to.equal('');
    };
    for (const words of [
      'init',
      'pod list',
      'forecast',
      'audit',
      'expire',
      'rebind',
      'history t1',
      'unbind t1',
    ])
      isSilent(words);
    run('pod add Q1');
    run('select --tenant t1');
    run(`usage -f ${reading(100)}`);
    isSilent(`usage -f ${reading(200)}`);
    expect(run(`usage -f ${reading(950)}`).stdout).to.match(/exhausted now/);
    expect(run('rebind').stdout).to.match(/^t1 stays in Q1 \(exhausted\)/);
    const refused = run('select --tenant t2');
    expect(refused.status).to.equal(1);
    expect(refused.stderr).to.match(/^Refused: no pod takes t2: refused 1 by exhausted\n/);
    expect(run('unbind t1').stdout).to.equal('t1 is not bound to Q1 any more.\n');
  });

  it('says what is wrong with a command line, exit status 2', () => {
    const wrong: Record<string, RegExp> = {
      select: /--tenant is missing/,
      'select --az a\u007f --spec gpu --need 5 --filters x --weigh y --for 5':
        /--tenant is .*\nMaybe .*\n--az: .*\nMaybe .*\n--spec: .*\nMaybe .*\n--need: .*\nMaybe .*\n--filters: .*\nMaybe .*\n--weigh: .*\nMaybe .*\n--for: .*\nMaybe /,
      'bind a\u007f P1 --for 5 --spec gpu': /--spec: .*\nMaybe .*\n--for: .*\nMaybe .*\nTENANT: .*\nMaybe /,
      'pod add x --weight a --cost b --reopen 2 --threshold 2 --headroom x --affinity gpu':
        /--affinity: .*\nMaybe .*\n--weight: .*\nMaybe .*\n--cost: .*\nMaybe .*\n--threshold: .*\nMaybe .*\n--headroom: .*\nMaybe .*\n--reopen: /,
      'simulate --weigh y': /--weigh: .*\nMaybe .*\nhbind simulate: the requests are missing\nMaybe /,
      'usage --az x --affinity gpu -t testdata/small.data':
        /--affinity: .*\nMaybe .*\n--az and --affinity are /,
      'select --tenant x --spec gpu': /'gpu' is not KEY=VALUE/,
      'select --tenant x --weigh colour=1': /'colour=1' is not WEIGHER=N\nMaybe .*age, idle, weight, cost/,
      'pod add x --threshold 1.5': /'1.5' is not \[METRIC=\]SHARE/,
      'select --tenant x --spec gpu=1 --spec gpu=2': /said more than once: --spec gpu\n/,
      'select --tenant x --need memory=1 --need memory=2': /said more than once: --need memory\n/,
      'select --tenant x --weigh age=1 --weigh idle=1 --weigh age=2': /more than once: --weigh age\n/,
      'pod add x --affinity a=1 --affinity a=2':
        /said more than once: --affinity a\nMaybe say each of them once/,
      'pod add x --threshold 0.5 --threshold 0.6': /said more than once: --threshold for all metrics\n/,
      'pod add x --headroom disk=5 --headroom disk=6': /said more than once: --headroom disk\n/,
      'pod add x --threshold 0.5 --headroom 5': /both speak of all metrics/,
      'pod add x --actor a\u007f': /--actor: .* is not a name/,
      usage: /the readings are missing\nMaybe .*-f, .*-t/,
      'usage -t testdata/small.data --pod-is cluster': /which pod is it/,
      'usage -t testdata/small.data --exhausted-by hspace': /the size of the instance is missing/,
    };
    for (const [words, message] of Object.entries(wrong)) {
      const { status, stdout, stderr } = hbind(words);
      expect({ words, status, stdout }).to.deep.equal({ words, status: 2, stdout: '' });
      expect(stderr, words).to.match(message);
    }
  });
});
