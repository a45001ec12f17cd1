/** The unit by which systemd runs hplaced. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ROOT, runApart } from './run-built.ts';

const UNIT = `${ROOT}/scripts/packages/ledger/hplaced.service`;

describe('hplaced.service', () => {
  const text = readFileSync(UNIT, 'utf8');

  it('keeps the service from all that it does not need', () => {
    for (const line of [
      'DynamicUser=yes',
      'StateDirectory=hplaced',
      'UMask=0077',
      'ProtectSystem=strict',
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
    ])
      expect(text.split('\n')).to.include(line);
    expect(text).to.match(/^MemoryMax=\d+G$/m);
  });

  it('starts hplaced with options that it has', async () => {
    const words = /^ExecStart=\/usr\/bin\/hplaced (.*)$/m.exec(text)![1]!.replace('$HPLACED_OPTIONS', '');
    // The file of tokens is elsewhere: all else was understood.
    const { stderr } = await runApart('hplaced', ['--db', '/nonexistent/x.db', ...words.trim().split(/\s+/)]);
    expect(stderr)
      .to.match(/\/run\/hplaced\/tokens/)
      .and.not.to.match(/unrecognized/);
  });

  it('is one that systemd takes', function () {
    const { status, stderr, error } = spawnSync('systemd-analyze', ['verify', '--man=no', UNIT], {
      encoding: 'utf8',
    });
    if (error) return this.skip();
    const complaints = stderr.split('\n').filter((one) => one.includes('hplaced.service:'));
    // What is not installed here is no fault of the unit.
    expect(complaints.filter((one) => !/is not executable|No such file/.test(one))).to.deep.equal([]);
    expect(status).to.be.oneOf([0, 1]);
  });
});
