/**
 * Networks of a live cluster: no instance is brought to a group that is not connected to its network, as
 * Ganeti does not mind.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { newFolder } from '../../builders/folder.ts';
import { runApart } from '../../suite/run-built.ts';
import { FakeMaster } from '../ganeti/fake-master.ts';
import { rapiAnswers, replyFrom } from '../ganeti/fake-rapi.ts';
import { httpTalk, withTls } from '../ganeti/play.ts';

const SUPER = fileURLToPath(new URL('../../../testdata/super.data', import.meta.url));
const UNCONNECTED = 'lab: group rack-b is not connected to network blue';

/** `lab`, which has its home in rack-c, is on the network `blue`, and so are these groups. */
function masterWith(groups: readonly string[]): FakeMaster {
  const master = new FakeMaster(SUPER, { jobMs: 20 });
  master.instance('lab.example.com').nics = [{ network: 'blue' }];
  connect(master, groups);
  return master;
}

function connect(master: FakeMaster, names: readonly string[]): void {
  for (const group of master.groups)
    Object.assign(group, { networks: names.includes(group.name) ? ['blue'] : [] });
}

const overLuxi = (master: FakeMaster, ...words: readonly [string, ...string[]]) =>
  master.serve((path) => runApart(words[0], [`-L${path}`, ...words.slice(1)]));

const EMPTY_C = ['hcompress', '--evacuate', '-G', 'rack-c'] as const;
const targetOf = (text: string): string | undefined => / lab .* rack-c -> (\S+)/.exec(text)?.[1];

describe('networks of a live cluster', () => {
  it('keep instances from groups that are not connected, over LUXI and RAPI', async () => {
    const anywhere = await overLuxi(masterWith(['rack-b', 'rack-c', 'rack-d']), ...EMPTY_C);
    expect(targetOf(anywhere.stdout)).to.equal('rack-b');
    const master = masterWith(['rack-c', 'rack-d']);
    const luxi = await overLuxi(master, ...EMPTY_C);
    expect(targetOf(luxi.stdout)).to.equal('rack-d');
    const answers = await rapiAnswers(master);
    const [program, ...words] = EMPTY_C;
    const rapi = await withTls(httpTalk(replyFrom(answers)), (port) =>
      runApart(program, ['-m', `127.0.0.1:${port}`, ...words]),
    );
    expect(rapi.stdout).to.equal(luxi.stdout);
    const folder = newFolder();
    for (const [name, text] of Object.entries(answers)) writeFileSync(join(folder, `${name}.json`), text);
    expect((await runApart(program, ['-m', `file://${folder}`, ...words])).stdout).to.equal(luxi.stdout);
    // Answers that were saved without networks tell of none.
    rmSync(join(folder, 'networks.json'));
    const without = await runApart(program, ['-m', `file://${folder}`, ...words]);
    expect(without.stdout).to.equal(anywhere.stdout);
  });

  it('are looked at again before each job set', async () => {
    const master = masterWith(['rack-b', 'rack-c']);
    master.onReading = (nth) => {
      if (nth > 0) connect(master, ['rack-c']);
    };
    const { status, stderr } = await overLuxi(master, ...EMPTY_C, '-X', '--no-journal');
    expect(stderr).to.include(UNCONNECTED);
    expect(status).to.equal(4);
    const subjects = master.jobs.map(({ ops }) => ops[0]!.instance_name);
    expect(subjects).to.not.include('lab.example.com');
    expect(subjects).to.not.have.length(0);
  });
});
