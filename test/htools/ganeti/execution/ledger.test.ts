/**
 * Plans that leave a ledger's promises alone, carried out: the promised room stays free, also when the
 * cluster is looked at again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runApart, runBuilt } from '../../../suite/run-built.ts';
import { FakeMaster } from '../fake-master.ts';
import { SMALL } from './played.ts';

/** More of node4 than what balancing would leave of it. */
const PROMISED_MIB = 31_500;

describe('--exec with --ledger', () => {
  const folder = newFolder();

  const planOf = (journal: string) => JSON.parse(readFileSync(journal, 'utf8').split('\n')[0]!);
  const execute = (master: FakeMaster, ...args: readonly string[]) =>
    master.serve((path) => runApart('hbal', [`-L${path}`, ...args]));

  it('moves nothing into room that is promised', async () => {
    const ledger = join(folder, 'ledger.db');
    for (const words of [
      'init',
      `import -t ${SMALL}`,
      `claim --consumer shop node4.example.com=MEMORY_MB:${PROMISED_MIB}`,
    ])
      expect(runBuilt(`hclaim --db ${ledger} ${words}`).status, words).to.equal(0);
    const journal = join(folder, 'with-ledger');
    const saved = join(folder, 'state');
    const master = new FakeMaster(SMALL, { jobMs: 10 });
    const words = ['-X', '-l', '2', '--ledger', ledger, '--journal', journal, '-S', saved];
    const { status, stderr } = await execute(master, ...words);
    expect(stderr).to.include('the ledger has promised room that is not used yet to shop');
    expect(status).to.equal(0);
    expect(master.jobs.length).to.be.above(0);
    const node4 = master.nodes.findIndex(({ name }) => name === 'node4.example.com');
    expect(master.instances.filter(({ primary }) => primary === node4)).to.deep.equal([]);
    expect(planOf(journal).work.promised).to.deep.equal([
      { node: 'node4.example.com', memMib: PROMISED_MIB, diskMib: 0, cpus: 0 },
    ]);
    const homes = readFileSync(`${saved}.balanced`, 'utf8');
    for (const placement of master.placements()) {
      const [name, primary, secondary] = placement.split(/[ :]/);
      expect(homes).to.match(new RegExp(`^${name}\\|.*\\|${primary}\\|${secondary}\\|`, 'm'));
    }
  });

  it('submits nothing that would take such room, when it goes on', async () => {
    const journal = join(folder, 'resumed');
    const first = await execute(new FakeMaster(SMALL, { jobMs: 10 }), '-X', '-l', '1', '--journal', journal);
    expect(first.status).to.equal(0);
    const plan = planOf(journal);
    // The plan, with nothing done: once as it was, and once with room promised on its target.
    const promised = [{ node: 'node4.example.com', memMib: PROMISED_MIB, diskMib: 0, cpus: 0 }];
    for (const [work, status, jobs] of [
      [plan.work, 0, 1],
      [{ ...plan.work, promised }, 4, 0],
    ] as const) {
      const begun = join(folder, `begun-${jobs}`);
      writeFileSync(begun, `${JSON.stringify({ ...plan, work })}\n`);
      const master = new FakeMaster(SMALL, { jobMs: 10 });
      const { status: reached, stderr } = await execute(master, `--resume=${begun}`);
      expect([reached, master.jobs.length], stderr).to.deep.equal([status, jobs]);
    }
  });
});
