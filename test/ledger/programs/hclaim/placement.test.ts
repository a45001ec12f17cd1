import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';
import { uuidOf } from '../../claims/ledgers.ts';
import { makePlacementTables } from '../../moving/placement-tables.ts';
import { RunningService } from '../hplaced/running.ts';

describe('hclaim and Placement', () => {
  let folder: string;
  let placement: string;

  const hclaim = (ledger: string, words: string) => runBuilt(`hclaim --db ${join(folder, ledger)} ${words}`);
  const done = (ledger: string, words: string): string => {
    const { status, stdout, stderr } = hclaim(ledger, words);
    expect(`${status} ${stderr}`, words).to.equal('0 ');
    return stdout;
  };

  beforeEach(async () => {
    folder = newFolder();
    placement = join(folder, 'placement.sqlite');
    await makePlacementTables(placement);
    done('ledger.db', 'init');
    done('ledger.db', 'provider add host');
    done('ledger.db', 'provider add fpga --parent host');
    done('ledger.db', 'inventory set host VCPU=8 --ratio 1.15');
    done('ledger.db', 'inventory set fpga CUSTOM_FPGA=2');
    done('ledger.db', 'trait add host CUSTOM_FAST');
    done(
      'ledger.db',
      `claim --consumer ${uuidOf(1)} --project p --user u --type INSTANCE host=VCPU:2 fpga=CUSTOM_FPGA:1`,
    );
  });

  it('goes there and back, and says that both agree', () => {
    expect(done('ledger.db', `export --verify --placement ${placement}`)).to.equal(
      `${placement} has 2 providers and 1 consumer.\nLedger and Placement agree.\n`,
    );
    done('back.db', 'init');
    expect(done('back.db', `import --verify --placement ${placement}`)).to.equal(
      'Imported 2 providers and 1 consumer.\nLedger and Placement agree.\n',
    );
    const tree = (ledger: string) => JSON.parse(done(ledger, 'provider list --json')).providers;
    expect(tree('back.db')).to.deep.equal(tree('ledger.db'));
    const shown = `show ${uuidOf(1)} host --json`;
    expect(done('back.db', shown)).to.equal(done('ledger.db', shown));
    expect(done('back.db', `audit --placement ${placement}`)).to.equal('The ledger is clean.\n');
    // No word that it would refuse next.
    expect(hclaim('back.db', `import --placement ${placement}`)).to.deep.equal({
      status: 1,
      stdout: '',
      stderr:
        'Refused: the ledger has 2 providers and 1 consumer already; say --replace, or --sync to bring it in line with a cluster of Ganeti\n',
    });
    done('back.db', 'trait add host CUSTOM_LATER');
    const again = `import --replace --verify --json --placement ${placement}`;
    expect(JSON.parse(done('back.db', again))).to.deep.include({
      command: 'import',
      mode: 'replace',
      providers: 2,
      consumers: 1,
      differences: [],
    });
    expect(hclaim('back.db', `export --placement ${placement}`).stderr).to.match(
      /not empty: it has 2 resource providers\nMaybe make a new database/,
    );
  });

  it('says every difference, with exit status 1', () => {
    done('ledger.db', `export --placement ${placement}`);
    done('ledger.db', 'inventory set host VCPU=9');
    done('ledger.db', 'trait add fpga CUSTOM_SLOW');
    done('ledger.db', `claim --consumer ${uuidOf(1)} --user v host=VCPU:1`);
    done('ledger.db', `claim --consumer ${uuidOf(2)} --project p --user u host=VCPU:1`);
    const { status, stdout } = hclaim('ledger.db', `audit --placement ${placement}`);
    expect(status).to.equal(1);
    expect(stdout.split('\n')).to.deep.equal([
      '- trait CUSTOM_SLOW',
      '~ provider host, generation: 6 => 3',
      '~ provider host, inventory VCPU: 9 (0 reserved, units 1 to 2147483647 by 1, ratio 1.15) => 8 (0 reserved, units 1 to 2147483647 by 1, ratio 1.15)',
      '~ provider fpga, generation: 4 => 2',
      '~ provider fpga, traits: CUSTOM_SLOW => none',
      `~ consumer ${uuidOf(1)}, allocations: host=VCPU:1 => fpga=CUSTOM_FPGA:1 host=VCPU:2`,
      `~ consumer ${uuidOf(1)}, user: v => u`,
      `~ consumer ${uuidOf(1)}, generation: 2 => 1`,
      `- consumer ${uuidOf(2)}: host=VCPU:1`,
      'The ledger is not clean.',
      '',
    ]);
  });

  it('warns of room that would go back', () => {
    done('ledger.db', `claim --consumer ${uuidOf(2)} --project p --user u --ttl 1h host=VCPU:1`);
    const { status, stdout, stderr } = hclaim('ledger.db', `export --verify --placement ${placement}`);
    expect(stderr).to.equal(
      'Warning: 1 consumer has room that would go back by itself: Placement keeps it for good\n',
    );
    expect(stdout).to.contain(`~ consumer ${uuidOf(2)}, expiry: unconfirmed => never`);
    expect(status).to.equal(1);
  });

  it('shows no URL that cannot be read, and calls that no fault of its own', () => {
    const { status, stderr } = hclaim('ledger.db', 'export --placement mysql://u:secret%ZZ@localhost/db');
    expect(`${status} ${stderr}`)
      .to.match(/^2 .*the URL of the database cannot be read/)
      .and.not.to.include('secret');
  });

  it('takes one thing at a time', () => {
    for (const words of [
      `import --sync --placement ${placement}`,
      `import --dry-run --placement ${placement}`,
      `import -t testdata/small.data --placement ${placement}`,
      `audit -t testdata/small.data --placement ${placement}`,
      'export',
      'export --placement http://127.0.0.1:1',
    ])
      expect(hclaim('ledger.db', words), words).to.deep.include({ status: 2, stdout: '' });
  });

  it('logs in with a token of a private file', async () => {
    const tokens = join(folder, 'tokens');
    const credentials = join(folder, 'credentials');
    const token = '0123456789abcdef';
    writeFileSync(tokens, `${token} admin nova\n`, { mode: 0o600 });
    writeFileSync(credentials, `export OS_TOKEN="${token}"\n`, { mode: 0o600 });
    const service = await RunningService.start('--tokens', tokens, '--db', join(folder, 'ledger.db'));
    try {
      done('back.db', 'init');
      const stranger = hclaim('back.db', `import --placement ${service.url}`);
      expect(stranger.status).to.equal(2);
      expect(stranger.stderr).to.match(/status 401.*\nMaybe name a file .*--placement-credentials/);
      const words = `import --verify --placement ${service.url}/ --placement-credentials ${credentials}`;
      expect(done('back.db', words)).to.equal(
        'Imported 2 providers and 1 consumer.\nLedger and Placement agree.\n',
      );
      chmodSync(credentials, 0o644);
      expect(hclaim('back.db', words.replace('import', 'import --replace')).stderr).to.contain('chmod 600');
    } finally {
      await service.stop();
    }
  });
});
