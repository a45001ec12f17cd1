/** A ledger takes in a live cluster, and is held against it, by every way that other programs have. */
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import {
  httpTalk,
  LIVE,
  recordedLuxi,
  recordedRapi,
  withLuxi,
  withTls,
} from '../../../htools/ganeti/play.ts';
import { runApart } from '../../../suite/run-built.ts';

describe('hclaim and a live cluster', () => {
  const folder = newFolder();

  /** Imports by one way, and audits by all: what one way has shown, the others find unchanged. */
  it('import and audit see the same cluster over LUXI, over RAPI, in a folder and in a file', async () => {
    const text = join(LIVE, 'healthy', 'hscan.data');
    const ways: ((run: (...source: string[]) => Promise<string>) => Promise<string>)[] = [
      (run) => withLuxi(recordedLuxi('healthy'), (path) => run(`-L${path}`)),
      (run) => withTls(httpTalk(recordedRapi('healthy')), (port) => run('-m', `127.0.0.1:${port}`)),
      (run) => run('-m', `file://${join(LIVE, 'healthy')}`),
      (run) => run('-t', text),
    ];
    const imported: string[] = [];
    for (const [i, way] of ways.entries()) {
      const db = join(folder, `ledger${i}.db`);
      const hclaim = async (...words: string[]): Promise<string> => {
        const { stdout, stderr, status } = await runApart('hclaim', ['--db', db, ...words]);
        return `${status} ${stdout}${stderr}`;
      };
      await hclaim('init');
      imported.push(await way((...source) => hclaim('import', ...source)));
      expect(await hclaim('audit', '-t', text)).to.equal('0 The ledger is clean.\n');
      expect(await way((...source) => hclaim('audit', ...source))).to.equal('0 The ledger is clean.\n');
    }
    expect(new Set(imported)).to.have.length(1);
    expect(imported[0]).to.match(/^0 Imported \d+ providers and \d+ consumers\.\n$/);
  });
});
