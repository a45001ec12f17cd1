import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeCluster } from '../../../../bench/generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../../bench/generate/shape.ts';
import { clusterText } from '../../../../bench/generate/text.ts';
import { newFolder } from '../../../builders/folder.ts';
import { ROOT } from '../../../suite/run-built.ts';

describe('a deep search of hbal that Ctrl-C ends', () => {
  const folder = newFolder();
  const file = join(folder, 'cluster.data');
  before(() => {
    writeFileSync(file, clusterText(makeCluster({ ...PLAIN_SHAPE, seed: 3, nodesPerGroup: 8 })));
  });

  /** Hours of work, with a Ctrl-C at each word of the program that says it may have one. */
  const interrupted = (words: readonly RegExp[]) =>
    new Promise<{ stdout: string; stderr: string; signal: string | null; status: number | null }>(
      (resolve) => {
        const child = spawn(join(ROOT, 'bin/hbal'), [
          '-t',
          file,
          '--search=deep',
          '--effort=100000',
          '--jobs=1',
        ]);
        const texts = { stdout: '', stderr: '' };
        const open = [...words];
        for (const name of ['stdout', 'stderr'] as const)
          child[name].on('data', (bytes: Buffer) => {
            texts[name] += bytes.toString();
            if (open[0]?.test(texts.stdout + texts.stderr)) {
              open.shift();
              child.kill('SIGINT');
            }
          });
        child.on('close', (status, signal) => resolve({ ...texts, status, signal }));
      },
    );

  it('prints the best plan so far, and says how far the search came', async () => {
    const { stdout, stderr, status } = await interrupted([/Trying to minimize/]);
    expect(stderr).to.include('Ending the search with the best plan so far; once more to leave at once\n');
    expect(stdout).to.include('The search was cut short after 0 % of its work.\n');
    expect(stdout).to.match(/^Price: /m);
    expect(status).to.equal(0);
  });

  it('leaves at the second one', async () => {
    const { stdout, signal } = await interrupted([/Trying to minimize/, /Ending the search/]);
    expect(signal).to.equal('SIGINT');
    expect(stdout).not.to.include('Price:');
  });
});
