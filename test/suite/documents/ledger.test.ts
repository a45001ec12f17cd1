/** The documents of hclaim, command by command on one ledger, and of hscan. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { holdOut } from '../../../src/kit/report/output.ts';
import { CLAIM_COMMANDS } from '../../../src/ledger/options/claim-commands.ts';
import { main } from '../../../src/ledger/programs/hclaim/main.ts';
import { parseFor } from '../../builders/command-line.ts';
import { newFolder } from '../../builders/folder.ts';
import { makePlacementTables } from '../../ledger/moving/placement-tables.ts';
import { runBuilt } from '../run-built.ts';
import { readExposition } from './exposition.ts';
import { expectValid } from './validate.ts';

const SMALL = '-t testdata/small.data';
const GROUP = '11111111-2222-4333-8444-555555555555';

describe('documents of the ledger', () => {
  const folder = newFolder();

  async function printed(words: string, form: string): Promise<string> {
    const parsed = parseFor('hclaim', [
      ...words.split(' '),
      '--db',
      join(folder, 'ledger.db'),
      `--format=${form}`,
    ]);
    if (parsed.kind !== 'run') expect.fail(`${words}: ${JSON.stringify(parsed)}`);
    const release = holdOut();
    try {
      await main(parsed.options, parsed.positionals);
      return release();
    } finally {
      release();
    }
  }

  /** Holds the documents of commands against their schema. @returns their outcomes, each once. */
  async function outcomesOf(lines: readonly string[]): Promise<readonly string[]> {
    const outcomes = new Set<string>();
    for (const line of lines) {
      const document = JSON.parse(await printed(line, 'json'));
      outcomes.add(document.outcome);
      expectValid('hclaim', document, line);
      if (document.changes) for (const change of document.changes) expectValid('hclaim-change', change, line);
    }
    return [...outcomes].sort();
  }

  before(() => {
    writeFileSync(join(folder, 'moves'), '  1. web2  node2:node1 => node4:node2   6.9 a=r:node4 f\n');
  });

  it('are what their schema says, done, refused or in conflict', async () => {
    const lines = [
      'init',
      `import ${SMALL}`,
      `import ${SMALL}`,
      `import ${SMALL} --dry-run`,
      `import ${SMALL} --sync`,
      'claim --consumer shop --project p1 --ttl 1h node4.example.com=VCPU:2',
      'claim --consumer shop --generation none node4.example.com=VCPU:2',
      'claim --consumer greedy node4.example.com=MEMORY_MB:32768',
      'claim --consumer odd node4.example.com=NO_SUCH:1',
      'renew shop --ttl 2h',
      'confirm shop',
      'confirm nobody',
      'move shop store',
      'show',
      'show store node4.example.com',
      'usage',
      'usage --by project',
      'usage --over 1h',
      'history --limit 5',
      `audit ${SMALL}`,
      'prune --before 1d',
      `backup ${join(folder, 'copy.db')}`,
      `restore ${join(folder, 'copy.db')}`,
      'compact',
      'prune --before 0.001s',
      'history',
      'usage --over 1d',
      `plan --moves ${join(folder, 'moves')} --dry-run`,
      `plan --moves ${join(folder, 'moves')}`,
      `plan --moves ${join(folder, 'moves')}`,
      'provider add rack1',
      'provider add rack1',
      'provider set rack1 --name rack2',
      'inventory set rack2 VCPU=8 --ratio 1.5',
      'trait add rack2 CUSTOM_FAST',
      'trait add rack2 NO_SUCH_TRAIT',
      'trait rm rack2 CUSTOM_FAST',
      `aggregate add rack2 ${GROUP}`,
      `aggregate rm rack2 ${GROUP}`,
      'provider list',
      'inventory rm rack2',
      'provider rm rack2',
      'release store',
      'release nobody',
      'expire',
    ];
    expect(await outcomesOf(lines)).to.deep.equal(['conflict', 'done', 'refused']);
    const untried = CLAIM_COMMANDS.filter(({ words }) => !lines.some((line) => line.startsWith(words)));
    expect(untried.map(({ words }) => words)).to.deep.equal(['export', 'watch']);
    expect(readExposition(await printed('usage --by provider', 'prometheus')).length).to.be.above(3);
  });

  it('are so, too, of what moves to and from Placement', async () => {
    const placement = join(folder, 'placement.sqlite');
    await makePlacementTables(placement);
    const outcomes = await outcomesOf([
      `import --placement ${placement}`,
      `audit --placement ${placement}`,
      `import --replace --verify --placement ${placement}`,
      'provider add host',
      `export --verify --placement ${placement}`,
    ]);
    expect(outcomes).to.deep.equal(['done', 'refused']);
  });

  it('tell of clusters that could not be read', () => {
    const line = 'hscan -L/nowhere/at-all';
    expectValid('hscan', JSON.parse(runBuilt(`${line} --json`).stdout), line);
    expect(readExposition(runBuilt(`${line} --format=prometheus`).stdout)).to.deep.equal([
      { name: 'evenkeel_hscan_up', labels: { cluster: 'LOCAL' }, value: 0 },
    ]);
  });
});
