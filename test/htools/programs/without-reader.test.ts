import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../builders/folder.ts';
import { ROOT } from '../../suite/run-built.ts';

const SMALL = join(ROOT, 'testdata/small.data');

describe('a program whose reader has gone', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });

  /** Its exit status; the pipe has no reader left when it begins. */
  function statusOf(words: string): string {
    const command = `{ sleep 0.1; ${ROOT}/bin/${words}; echo $? >status; } | true`;
    const { stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
    expect(stderr).not.to.match(/EPIPE|standard output/);
    return readFileSync(join(folder, 'status'), 'utf8').trim();
  }

  it('keeps its verdict', () => {
    expect(statusOf(`hcheck -t ${SMALL} --machine-readable`)).to.equal('1');
    expect(statusOf(`hscan file://${ROOT}/none`)).to.equal('2');
  });

  it('writes its files', () => {
    expect(statusOf(`hbal -t ${SMALL} -Cplan.sh -S state`)).to.equal('0');
    expect(readdirSync(folder).sort()).to.deep.equal([
      'plan.sh',
      'state.balanced',
      'state.original',
      'status',
    ]);
  });
});
