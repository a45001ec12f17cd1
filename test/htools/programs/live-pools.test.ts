/**
 * Storage pools over both wires: live sources carry them as snapshots do, and clusters that know nothing of
 * them are read all the same.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { newFolder } from '../../builders/folder.ts';
import { runApart } from '../../suite/run-built.ts';
import { FakeMaster } from '../ganeti/fake-master.ts';
import { rapiAnswers, replyFrom } from '../ganeti/fake-rapi.ts';
import { httpTalk, withTls } from '../ganeti/play.ts';

const STORAGE = fileURLToPath(new URL('../../../testdata/storage/', import.meta.url));
/** Two pools, one of them on some nodes only; fields in place of tags. */
const POOLS = join(STORAGE, '20-node-without-access.data');
const NO_POOLS = join(STORAGE, '17-mixed-one-way.data');

/** What a program says of the cluster of a file over LUXI, RAPI and in the file itself. */
async function overEachWay(file: string, program: string, ...args: readonly string[]): Promise<string[]> {
  const master = new FakeMaster(file);
  // A master is a node; the file may name none.
  const over = async (...source: readonly string[]): Promise<string> => {
    const { stdout, stderr, status } = await runApart(program, [...source, ...args]);
    expect(status, stderr).to.equal(0);
    return stdout;
  };
  const luxi = await master.serve((path) => over(`-L${path}`));
  const rapi = await withTls(httpTalk(replyFrom(await rapiAnswers(master))), (port) =>
    over('-m', `127.0.0.1:${port}`),
  );
  return [luxi, rapi, await over('-t', file)];
}

describe('storage pools of a live cluster', () => {
  it('are what they are in a snapshot, over LUXI and RAPI', async () => {
    const [luxi, rapi, text] = await overEachWay(POOLS, 'hinfo', '--n1');
    expect(text).to.match(/^ external nas +2 +1 /m);
    expect(luxi).to.equal(text);
    expect(rapi).to.equal(text);
  });

  it('are saved by hscan', async () => {
    const folder = newFolder();
    const master = new FakeMaster(POOLS);
    await master.serve((path) => runApart('hscan', [`-L${path}`, '-d', folder]));
    const saved = readFileSync(join(folder, 'LOCAL.data'), 'utf8');
    const pooled = (text: string): string[] => text.match(/external\/\w+/g)!.sort();
    expect(pooled(saved)).to.deep.equal(pooled(readFileSync(POOLS, 'utf8')));
  });

  it('are not missed where a cluster knows nothing of them', async () => {
    const [luxi, rapi, text] = await overEachWay(NO_POOLS, 'hinfo');
    expect(text).to.not.include('pool');
    expect([luxi, rapi]).to.deep.equal([text, text]);
  });
});
