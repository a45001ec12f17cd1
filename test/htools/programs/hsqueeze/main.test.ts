import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runBuilt } from '../../../suite/run-built.ts';

describe('hsqueeze', () => {
  it('tells what it did also where the state behind it cannot be saved', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hsqueeze-'));
    try {
      mkdirSync(join(folder, 'state.squeezed'));
      const line = `hsqueeze -t testdata/small.data --json -S ${folder}/state`;
      const { status, stdout, stderr } = runBuilt(line);
      expect(status).to.equal(1);
      expect(stderr).to.include('state.squeezed: it is a folder');
      expect(JSON.parse(stdout).program).to.equal('hsqueeze');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
