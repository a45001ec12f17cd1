/** The documents of hbind, command by command on one book of pods. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { holdOut, setPainter } from '../../../src/kit/report/output.ts';
import { BINDING_COMMANDS } from '../../../src/ledger/options/binding-commands.ts';
import { main } from '../../../src/ledger/programs/hbind/main.ts';
import { openStore } from '../../../src/ledger/store/open-store.ts';
import { parseFor } from '../../builders/command-line.ts';
import { newFolder } from '../../builders/folder.ts';
import { readExposition } from './exposition.ts';
import { expectValid } from './validate.ts';

describe('documents of the bindings', () => {
  const folder = newFolder();
  let db: string;
  const file = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  async function printed(words: string, form: string): Promise<string> {
    const parsed = parseFor('hbind', [...words.split(' '), '--db', db, `--format=${form}`]);
    if (parsed.kind !== 'run') expect.fail(`${words}: ${JSON.stringify(parsed)}`);
    setPainter('err', () => '');
    const release = holdOut();
    try {
      await main(parsed.options, parsed.positionals);
      return release();
    } finally {
      release();
      setPainter('err', (text) => text);
    }
  }

  before(() => {
    db = join(folder, 'pods.db');
  });

  it('are what their schema says, done or refused', async () => {
    const of = (used: number) => ({
      P1: { memory: { total: 100, used } },
      P2: { memory: { total: 100, used: 0 } },
    });
    const day = [
      { at: '2026-01-01T01:00:00Z', tenant: 'a', need: { memory: 10 } },
      { at: '2026-01-01T02:00:00Z', tenant: 'a', kind: 'volume', need: { memory: 900 } },
      { at: '2026-01-01T03:00:00Z', tenant: 'b', az: 'nowhere' },
    ];
    const lines = [
      'init',
      'pod add P1 --weight 2 --az east',
      'pod add P1',
      'pod add P2 --headroom disk=10 --reopen 0.8 --affinity ssd=true',
      'pod add P3',
      'pod set P3 --az east',
      'pod set nobody --az east',
      'pod list',
      'select --tenant t1 --need memory=5',
      'select --tenant t1 --explain',
      'select --tenant t2 --az west',
      `usage -f ${file('half', of(40))}`,
      `usage -f ${file('full', of(95))}`,
      'pod list --az east',
      'select --tenant t1',
      'pod show P1',
      'forecast',
      'forecast --pod nobody',
      'bind t3 P1 --for 1h',
      'bind t3 P2 --spec ssd=true',
      'rebind --dry-run',
      'pod maintenance P3 --rebind',
      'pod maintenance P3 --end --return',
      'pod maintenance P2 --end',
      'rebind',
      'history t1',
      'unbind t1',
      'expire',
      'pod rm P3',
      'policy',
      'policy --weigh idle=2 --filters state,exhausted',
      `simulate -f ${file('day', day.map((event) => `${JSON.stringify(event)}\n`).join(''))}`,
      'usage -t testdata/super.data --add',
      'usage -t testdata/super.data --exhausted-by hspace 20g,4g,2',
      'empty -t testdata/super.data',
      'audit',
    ];
    const seen = new Set<string>();
    for (const line of lines) {
      const document = JSON.parse(await printed(line, 'json'));
      seen.add(document.command).add(document.outcome);
      expectValid('hbind', document, line);
    }
    expect([...seen]).to.include.members([...BINDING_COMMANDS.map(({ words }) => words), 'done', 'refused']);
    // The first readings were yesterday's, so that there is something to forecast by.
    const store = await openStore(db);
    await store.write((session) =>
      session.run(
        `UPDATE pod_changes SET at = at - 86400000
         WHERE generation = (SELECT min(generation) FROM pod_changes WHERE action = 'usage')`,
      ),
    );
    await store.close();
    for (const line of ['pod list', 'forecast', 'audit', 'empty -t testdata/super.data', 'rebind --dry-run'])
      expect(readExposition(await printed(line, 'prometheus')).length, line).to.be.above(1);
  });

  it('name whatever is wrong', async () => {
    const store = await openStore(db);
    await store.write(async (session) => {
      await session.run("UPDATE bindings SET end_at = start_at, end_reason = 'exhausted', generation = 9999");
      await session.run('UPDATE pods SET exhausted = 1 - exhausted');
    });
    await store.close();
    const document = JSON.parse(await printed('audit', 'json'));
    expectValid('hbind', document, 'audit');
    const kinds = new Set(document.findings.map(({ kind }: { kind: string }) => kind));
    expect([...kinds]).to.include.members(['gap', 'mark', 'from-the-future']);
  });
});
