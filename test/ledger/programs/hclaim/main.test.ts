import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { ROOT, runBuilt, type Surroundings } from '../../../suite/run-built.ts';

const SMALL = '-t testdata/small.data';

describe('hclaim', () => {
  const folder = newFolder();
  let db: string;

  const hclaim = (words: string) => runBuilt(`hclaim --db ${db} ${words}`.trim());
  const json = (words: string) => JSON.parse(hclaim(`${words} --json`).stdout);

  before(() => {
    db = join(folder, 'ledger.db');
  });

  it('makes a ledger, takes in a cluster, and finds both clean', () => {
    expect(hclaim('init').stdout).to.equal(`${db} is ready (version 4).\n`);
    expect(hclaim('init').stdout).to.equal(`${db} is up to date (version 4).\n`);
    expect(hclaim(`import ${SMALL}`).stdout).to.equal('Imported 4 providers and 10 consumers.\n');
    expect(hclaim(`audit ${SMALL}`).stdout).to.equal('The ledger is clean.\n');
    expect(hclaim(`import ${SMALL}`)).to.deep.include({ status: 1, stdout: '' });
  });

  it('changes the provider that is named, also where another is called as its UUID', () => {
    const run = (words: string) => runBuilt(`hclaim --db ${join(folder, 'named.db')} ${words}`);
    const uuid = '11111111-2222-4333-8444-555555555555';
    for (const words of ['init', `provider add one --uuid ${uuid}`, `provider add ${uuid}`]) run(words);
    expect(run('inventory set one CUSTOM_A=5').stdout).to.equal('Set CUSTOM_A of one (generation 1).\n');
    const { found } = JSON.parse(run('show one --json').stdout);
    expect(found[0].inventories.map((one: { class: string }) => one.class)).to.deep.equal(['CUSTOM_A']);
  });

  it('audits by what the nodes keep, as it was imported', () => {
    const run = (words: string) => runBuilt(`hclaim --db ${join(folder, 'kept.db')} ${words}`);
    run('init');
    run(`import ${SMALL} --reserve memory=10%`);
    expect(run(`audit ${SMALL} --reserve memory=10%`).stdout).to.equal('The ledger is clean.\n');
    expect(run(`audit ${SMALL}`).status).to.equal(1);
  });

  it('lists what does not add up on a few nodes, and sums up what does not on many', () => {
    const warningsOf = (count: number) => {
      const cluster = join(folder, `warnings${count}.data`);
      const group = '11111111-2222-4333-8444-555555555555';
      const nodes = Array.from(
        { length: count },
        (_, i) => `node${i}|32768|1024|9216|1048576|1048576|16|N|${group}|1||N|0|1|1.0\n`,
      );
      writeFileSync(cluster, `default|${group}|preferred||\n\n${nodes.join('')}\n\n\n`);
      const other = `--db ${join(folder, `warnings${count}.db`)}`;
      runBuilt(`hclaim ${other} init`);
      const { stderr } = runBuilt(`hclaim ${other} import -t ${cluster}`);
      expect(runBuilt(`hclaim ${other} audit -t ${cluster}`).stderr).to.equal(stderr);
      expect(runBuilt(`hclaim ${other} audit -q -t ${cluster}`).stderr).to.equal('');
      return stderr.split('\n');
    };
    const listed = warningsOf(10);
    expect(listed[0]).to.equal('Warning: cluster has inconsistent data:');
    expect(listed.filter((line) => /^ {2}- node node\d+ is missing 22528 MB ram/.test(line))).to.have.length(
      10,
    );
    expect(warningsOf(11)[0]).to.equal(
      `Warning: cluster has inconsistent data in 11 places: ${[10, 9, 8].map((i) => `node node${i} is missing 22528 MB ram and 0 GB disk`).join('; ')}; and 8 more`,
    );
  });

  it('refuses with figures and names, exit status 1', () => {
    const refused = hclaim('claim --consumer x node4.example.com=VCPU:4,MEMORY_MB:32768');
    expect(refused).to.deep.include({ status: 1, stdout: '' });
    expect(refused.stderr).to.equal(
      'Refused: node4.example.com lacks 1024 MEMORY_MB: 32768 more asked, 0 of 31744 (1024 reserved) used\n',
    );
    const { outcome, refusals } = json('claim --consumer x node4.example.com=MEMORY_MB:32768');
    expect([outcome, refusals[0].kind, refusals[0].lacking]).to.deep.equal(['refused', 'capacity', 1024]);
  });

  it('takes no provider that there is not, and names them all, exit status 2', () => {
    const { status, stderr } = hclaim(
      'claim --consumer x nix=VCPU:1 node4.example.com=MEMORY_MB:32768 nox=VCPU:1',
    );
    expect(stderr).to.equal(
      "Error: there is no provider 'nix', 'nox'\nMaybe look at: hclaim provider list\n",
    );
    expect(status).to.equal(2);
  });

  it('claims, shows, and tells a stale generation, exit status 4', () => {
    expect(
      hclaim('claim --consumer shop1 --project shop --generation none node4.example.com=VCPU:4').stdout,
    ).to.equal('Claimed for shop1 (generation 1).\n');
    const stale = hclaim('claim --consumer shop1 --generation none node4.example.com=VCPU:4');
    expect(stale).to.deep.include({
      status: 4,
      stderr:
        'Conflict: consumer shop1 has generation 1, not none\nMaybe see who changed it (hclaim history --consumer=shop1), and say --generation=1\n',
    });
    expect(json('show shop1').found[0].allocations).to.deep.equal([
      { provider: 'node4.example.com', class: 'VCPU', used: 4 },
    ]);
    expect(hclaim('usage --by project --class VCPU').stdout).to.equal(
      ' Project Class Used\n -       VCPU    23\n shop    VCPU     4\n',
    );
    expect(hclaim('history --consumer shop1').stdout).to.match(
      / claim shop1 node4\.example\.com@\d+ {2}- => VCPU:4\n$/,
    );
    expect(hclaim('usage --over 1h --class VCPU').stdout).to.match(/^VCPU \(now 27, at most 27\)\n27 \|/);
  });

  it('claims for an instance whatever its name: Ganeti takes names of up to 255 characters', () => {
    const name = `${'a'.repeat(63)}.${'b'.repeat(63)}.example.com`;
    expect(hclaim(`claim --consumer ${name} node4.example.com=VCPU:1`).status).to.equal(0);
    expect(hclaim(`release ${name}`).status).to.equal(0);
  });

  it('claims the moves of hbal, as JSON and as text', () => {
    const plan = join(folder, 'plan.json');
    writeFileSync(plan, runBuilt(`hbal ${SMALL} --json`).stdout);
    expect(hclaim(`plan -f ${plan} --dry-run`).stdout.split('\n')).to.have.length(6);
    const unclear = join(folder, 'unclear.txt');
    writeFileSync(unclear, '  1. node  node2:node1 => node4:node2   6.91 a=r:node4 f\n');
    const twins = ['node.one', 'node.two'].map((name) => `--consumer ${name} node4.example.com=VCPU:1`);
    for (const twin of twins) hclaim(`claim ${twin}`);
    expect(hclaim(`plan -f ${unclear}`)).to.deep.include({
      status: 2,
      stderr: `Error: ${unclear}: the ledger has several names that begin with node\nMaybe give what the program prints with --json: it has whole names\n`,
    });
    hclaim('release node.one node.two');
    expect(hclaim(`plan -f ${plan}`).stdout).to.match(/All 5 moves are claimed\.\n$/);
    // The same plan again: its first instance is not where the plan takes it to be any more.
    const again = hclaim(`plan -f ${plan}`);
    expect(again.status).to.equal(1);
    expect(again.stderr).to.match(
      /^Refused: web2\.example\.com does not run on node2\.example\.com, from where the plan takes it, but on node4\.example\.com\n/,
    );
    // The cluster has not made them: they stay, and are no fault.
    const synced = hclaim(`import ${SMALL} --sync`).stdout;
    expect(synced).to.match(/^ {2}claimed, not moved yet: \S+: .*node1\.example\.com=/);
    expect(synced).to.match(/10 consumers; claimed moves that were left, for they are not made yet: 5\.\n$/);
    expect(hclaim(`audit ${SMALL}`)).to.include({ status: 0 });
    const back = () => {
      const moved = ['web2', 'db1', 'mail', 'test1', 'dns'].map((name) => `${name}.example.com`);
      hclaim(`release ${moved.join(' ')}`);
      hclaim(`import ${SMALL} --sync`);
    };
    back();
    const text = join(folder, 'plan.txt');
    writeFileSync(text, runBuilt(`hbal ${SMALL}`).stdout);
    expect(hclaim(`plan -f ${text}`).stdout).to.match(/All 5 moves are claimed\.\n$/);
    expect(hclaim('audit').status).to.equal(0);
    back();
  });

  it('lets hbal leave promised room alone', () => {
    hclaim('claim --consumer big node4.example.com=MEMORY_MB:30000');
    const without = runBuilt(`hbal ${SMALL}`).stdout;
    const promised = runBuilt(`hbal ${SMALL} --ledger ${db}`);
    expect(promised.stderr).to.equal(
      'Note: the ledger has promised room that is not used yet to big, shop1\n',
    );
    expect(without).to.match(/db1 .*=> node4/);
    expect(promised.stdout).not.to.match(/(db1|mail) .*=> node4/);
  });

  it('changes providers, inventories, traits and aggregates', () => {
    expect(hclaim('provider add fpga0 --parent node1.example.com').stdout).to.match(
      /^Added fpga0 \([0-9a-f-]{36}\)\.\n$/,
    );
    // As Placement takes it, too: then nobody can have any.
    const none = hclaim('inventory set fpga0 CUSTOM_FPGA=2 --max-unit 1 --min-unit 2');
    expect([none.status, none.stderr]).to.deep.equal([
      0,
      'Warning: nobody can claim CUSTOM_FPGA of fpga0: the smallest unit is above the largest\nMaybe change --min-unit or --max-unit\n',
    ]);
    expect(hclaim('claim --consumer nobody fpga0=CUSTOM_FPGA:2').status).to.equal(1);
    expect(hclaim('inventory set fpga0 CUSTOM_FPGA=2 --max-unit 1 --min-unit 1').stderr).to.equal('');
    expect(hclaim('trait add fpga0 CUSTOM_FAST').stdout).to.match(/generation 3/);
    expect(hclaim('aggregate add fpga0 default').status).to.equal(0);
    const [facts] = json('show fpga0').found;
    expect(facts).to.deep.include({ parent: 'node1.example.com', traits: ['CUSTOM_FAST'], generation: 4 });
    // A trait that is called like its provider stays when another one is taken away.
    hclaim('provider add CUSTOM_TWIN --uuid 0A0B0C0D-0000-4000-8000-00000000ABCD');
    hclaim('trait add CUSTOM_TWIN CUSTOM_TWIN CUSTOM_FAST');
    hclaim('trait rm CUSTOM_TWIN CUSTOM_FAST');
    expect(json('show CUSTOM_TWIN').found[0]).to.deep.include({
      provider: '0a0b0c0d-0000-4000-8000-00000000abcd',
      traits: ['CUSTOM_TWIN'],
    });
    expect(hclaim('trait rm CUSTOM_TWIN CUSTOM_FAST CUSTOM_SLOW').stderr).to.match(
      /does not have the trait CUSTOM_FAST, CUSTOM_SLOW\n/,
    );
    expect(hclaim('aggregate add CUSTOM_TWIN racks default rows').stderr).to.match(
      /'racks', 'rows' is no UUID, and no aggregate has that name\n/,
    );
    hclaim('provider rm CUSTOM_TWIN');
    expect(hclaim('provider rm node1.example.com').stderr).to.match(
      /^Refused: node1\.example\.com has providers below it: fpga0\nRefused: .* of node1\.example\.com is in use\n$/,
    );
    const below = (provider: string, parent: string) =>
      hclaim(`provider set ${provider} --parent ${parent}`).stderr;
    expect(below('fpga0', 'fpga0')).to.equal('Refused: fpga0 cannot stand below itself\n');
    expect(below('node1.example.com', 'fpga0')).to.equal(
      'Refused: node1.example.com cannot stand below fpga0, which stands below it\n',
    );
    expect(hclaim('inventory rm fpga0').status).to.equal(0);
    expect(hclaim('provider rm fpga0').stdout).to.equal('Removed fpga0.\n');
    expect(hclaim('provider set node1.example.com').status).to.equal(2);
  });

  it('writes UUIDs as every client does, with dashes, and takes them without', () => {
    const run = (words: string) => runBuilt(`hclaim --db ${join(folder, 'uuids.db')} ${words}`);
    const group = '0a0b0c0d-0000-4000-8000-0000000000aa';
    const bare = group.replaceAll('-', '').toUpperCase();
    run('init');
    run('provider add n1 --uuid 0A0B0C0D00004000800000000000ABCD');
    run(`aggregate add n1 ${bare}`);
    expect(run(`aggregate add n1 ${group}`).status).to.equal(0);
    const [{ provider, aggregates }] = JSON.parse(
      run('show 0a0b0c0d00004000800000000000abcd --json').stdout,
    ).found;
    expect(provider).to.equal('0a0b0c0d-0000-4000-8000-00000000abcd');
    expect(aggregates).to.deep.equal([{ uuid: group, name: null }]);
    expect(run(`aggregate rm n1 ${bare}`).status).to.equal(0);
  });

  it('knows a consumer by its UUID in any spelling, as clients of hplaced do', () => {
    const run = (words: string) => runBuilt(`hclaim --db ${join(folder, 'spelt.db')} ${words}`);
    const kept = '0a0b0c0d-0000-4000-8000-0000000000aa';
    const spelt = kept.replaceAll('-', '').toUpperCase();
    for (const words of ['init', 'provider add n1', 'inventory set n1 VCPU=8']) run(words);
    expect(run(`claim --consumer ${spelt} --ttl 1h n1=VCPU:1`).stdout).to.contain(`Claimed for ${kept} (`);
    const hcand = (words: string) => runBuilt(`hcand --db ${join(folder, 'spelt.db')} ${words}`);
    expect(hcand(`--claim ${kept.toUpperCase()} resources=VCPU:1`).stderr).to.contain(
      `${kept} exists already`,
    );
    for (const words of ['show', 'confirm', 'history --consumer', 'release'])
      expect(run(`${words} ${spelt}`).stdout, words).to.contain(kept);
    expect(run(`claim --consumer vm1 n1=VCPU:1`).status).to.equal(0);
    expect(run(`move vm1 ${spelt}`).stdout).to.contain(`to ${kept} (`);
  });

  it('knows an instance whose name is a UUID in any spelling, too', () => {
    const run = (words: string) => runBuilt(`hclaim --db ${join(folder, 'instances.db')} ${words}`);
    const kept = '0a0b0c0d-0000-4000-8000-0000000000aa';
    const spelt = kept.replaceAll('-', '').toUpperCase();
    const cluster = join(folder, 'spelt.data');
    writeFileSync(
      cluster,
      readFileSync(join(ROOT, 'testdata/small.data'), 'utf8').replace('web2.example.com', spelt),
    );
    for (const words of ['init', `import -t ${cluster}`]) expect(run(words).status, words).to.equal(0);
    expect(run(`audit -t ${cluster}`)).to.deep.include({ status: 0, stderr: '' });
    expect(run(`show ${spelt}`).stdout).to.contain(`Consumer ${kept}`);
    const moves = join(folder, 'moves.json');
    runBuilt(`hbal -t ${cluster} --json -o ${moves}`);
    const step = JSON.parse(readFileSync(moves, 'utf8')).steps.find(
      ({ instance }: { instance: string }) => instance === spelt,
    );
    expect(step, 'a step of that instance').to.be.an('object');
    expect(run(`plan --moves ${moves}`)).to.deep.include({ status: 0, stderr: '' });
    expect(run(`release ${spelt}`).stdout).to.contain(kept);
  });

  it('shows a provider and a consumer of one name', () => {
    const run = (words: string) => runBuilt(`hclaim --db ${join(folder, 'twins.db')} ${words}`);
    for (const words of ['init', 'provider add a', 'inventory set a VCPU=4', 'claim --consumer a a=VCPU:1'])
      run(words);
    expect(run('show a').stdout).to.match(/^Consumer a, generation 1\n.*\nProvider a \(node, /s);
  });

  it('counts nowhere what has expired, whoever looks first', () => {
    const hourLater = (words: string) => runBuilt(`hclaim --db ${db} ${words}`, { aheadSeconds: 3600 });
    const roomIn = ({ stdout }: { stdout: string }) => JSON.parse(stdout).found[0].inventories;
    const room = 'show node2.example.com --json';
    const before = roomIn(hclaim(room));
    hclaim('claim --consumer brief --ttl 30m node2.example.com=VCPU:1');
    expect(roomIn(hclaim(room))).not.to.deep.equal(before);
    hclaim('renew brief --ttl 40m');
    expect(hclaim('history --consumer brief').stdout).to.match(
      / renew brief {2}expires_at:20\d\d-[\dT:-]+Z => expires_at:20\d\d-[\dT:-]+Z\n$/,
    );
    expect(hourLater('confirm brief').stderr).to.match(/brief/);
    expect(roomIn(hourLater(room))).to.deep.equal(before);
    expect(hourLater('show brief').stderr).to.match(/no consumer or provider 'brief'/);
    expect(hclaim('history --consumer brief').stdout).to.match(/expiry expire brief .* VCPU:1 => -\n$/);
  });

  it('says nothing with --quiet where there is nothing to report, and all that there is', () => {
    const quiet = join(folder, 'quiet.db');
    const run = (words: string, around?: Surroundings) =>
      runBuilt(`hclaim --db ${quiet} -q ${words}`, around);
    expect(run('init').stdout).to.equal(`${quiet} is ready (version 4).\n`);
    expect(run('provider list')).to.deep.include({ status: 0, stdout: '' });
    run(`import ${SMALL}`);
    const idle = [
      'init',
      'expire',
      'prune --before 1d',
      'history --since 1h --consumer nobody',
      'compact',
      'audit',
      `audit ${SMALL}`,
      `import --sync ${SMALL}`,
      `import --dry-run ${SMALL}`,
    ];
    // A promise stands until it is kept; cron need not mail it each night.
    run('claim --consumer soon node4.example.com=VCPU:1');
    // The first time, the file becomes smaller.
    runBuilt(`hclaim --db ${quiet} compact`);
    for (const words of idle) {
      expect({ words, ...run(words) }).to.deep.include({ words, status: 0, stdout: '', stderr: '' });
      expect(run(`${words} -v`).stdout, words).not.to.equal('');
    }
    expect(run('inventory set node4.example.com VCPU=8 --min-unit 2 --max-unit 1')).to.deep.include({
      status: 0,
      stderr: '',
    });
    expect(run(`import --dry-run ${SMALL}`).stdout).to.match(/^~ provider node4\.example\.com/);
    expect(run(`audit ${SMALL}`)).to.include({ status: 1 });
    const synced = run(`import --sync ${SMALL}`).stdout;
    expect(synced).to.match(/^~ provider node4.*\nThe ledger is in line with the cluster: .*\n$/);
    run('claim --consumer brief --ttl 30m node4.example.com=VCPU:1');
    expect(run('expire', { aheadSeconds: 3600 }).stdout).to.equal('Expired: brief.\n');
  });

  it('says what is wrong with a command line, exit status 2', () => {
    const wrong: Record<string, RegExp> = {
      '': /a command is missing/,
      sing: /there is no command 'sing'/,
      provider: /say what to do\nMaybe hclaim provider add NAME/,
      'move one': /TO is missing/,
      claim: /--consumer is missing\nMaybe .*\nhclaim claim: nothing is claimed\nMaybe /,
      'claim --ttl 5 --generation x --project a\u007f node1 node2=VCPU':
        /--consumer.*\nMaybe .*\n'VCPU' is not .*\nMaybe .*\n'node1' is not .*\nMaybe .*\n--generation: .*\nMaybe .*\n--ttl: .*\nMaybe .*\n--project: .*\nMaybe /,
      'renew x --actor a\u007f': /--ttl is missing\nMaybe .*\n--actor: .*\nMaybe /,
      'prune --actor a\u007f': /--before is missing\nMaybe .*\n--actor: .*\nMaybe /,
      'plan --ttl 5': /the moves are missing\nMaybe .*\n--ttl: .*\nMaybe /,
      'move x x --actor a\u007f': /--actor: .*\nMaybe .*\nhclaim move: x is both ends\nMaybe /,
      'release x --generation y --actor a\u007f': /--generation: .*\nMaybe .*\n--actor: .*\nMaybe /,
      'provider add a\u007f --uuid x': /is not a name .*\nMaybe .*\n--uuid: .*\nMaybe /,
      'inventory set node1 VCPU=0 VCPU=1 --ratio x':
        /'VCPU=0' is not .*\nMaybe .*\n--ratio: .*\nMaybe .*\nsaid more than once: VCPU\nMaybe /,
      'usage --provider x --project y': /--provider needs .*\nMaybe .*\n--project needs .*\nMaybe /,
      'usage --over 5 --by project': /--over: '5' is .*\nMaybe .*\n--over draws .*\nMaybe /,
      'release --ttl 5m --step strict --ttl 6m':
        /hclaim release: CONSUMER is missing\nhclaim release has no option --ttl\nhclaim release has no option --step\nMaybe see/,
      'claim  --consumer x': /hclaim claim: an argument is empty\nMaybe see/,
      'aggregate add node1  --actor y': /hclaim aggregate add: an argument is empty\nMaybe see/,
      'claim node1=VCPU:1': /--consumer is missing/,
      'claim --consumer x node1=VCPU:0': /'VCPU:0' is not CLASS:N/,
      'claim --consumer x node1=VCPU:0,VCPU:1 node2=x': /'VCPU:0', 'x' is not CLASS:N/,
      'claim --consumer x node1 node2': /'node1', 'node2' is not PROVIDER=CLASS:N/,
      'claim --consumer x node1.example.com=VCPU:1,VCPU:1':
        /said more than once: VCPU of node1.example.com\nMaybe /,
      'claim --consumer x node1.example.com=VCPU:1 node1.example.com=VCPU:2': /said more than once: VCPU of/,
      'inventory set node1.example.com VCPU=4 VCPU=5': /said more than once: VCPU\n/,
      'init --db testdata': /testdata: this is a folder\nMaybe name a file in it/,
      'provider list --db testdata': /testdata: this is a folder/,
      'claim --consumer x --ttl 5 node1=VCPU:1': /'5' is not a time/,
      'inventory set node1.example.com VCPU=4 --reserved 9':
        /reserved, '9': must not be above the total \(4\)\s+Maybe reserve less/,
      'import -t testdata/small.data --replace --dry-run': /--replace removes all that the ledger has/,
      'import -t testdata/small.data --replace --sync --dry-run --actor a\u007f':
        /--actor: .*\nMaybe .*\n.*--replace and --sync exclude .*\nMaybe .*\n.*--replace removes .*\nMaybe /,
      'import -t testdata/small.data --placement x --replace --sync':
        /--replace and --sync exclude .*\nMaybe .*\n.*--placement takes all of a Placement.*\nMaybe /,
      'watch --for 1s --format keyvalue': /lines of text or of JSON, and nothing in keyvalue\nMaybe leave/,
      'usage --over 1h --by project': /--over draws one chart a class, and nothing by project/,
      'usage --class MEMORY': /there is no class 'MEMORY'\nMaybe look at: hclaim usage/,
      'usage --over 1h --class MEMORY': /there is no class 'MEMORY'/,
      'show nobody': /there is no consumer or provider 'nobody'/,
    };
    for (const [words, message] of Object.entries(wrong)) {
      const { status, stdout, stderr } = hclaim(words);
      expect({ words, status, stdout }).to.deep.equal({ words, status: 2, stdout: '' });
      expect(stderr, words).to.match(message);
    }
    expect(runBuilt('hclaim usage').stderr).to.match(/which ledger\?/);
  });
});
