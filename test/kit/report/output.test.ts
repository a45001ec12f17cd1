import { closeSync, openSync } from 'node:fs';
import { expect } from 'chai';
import { isTerminal } from '../../../src/kit/report/output.ts';

describe('a stream', () => {
  const isTerminalAt = (path: string): boolean => {
    const descriptor = openSync(path, 'r');
    try {
      return isTerminal(descriptor);
    } finally {
      closeSync(descriptor);
    }
  };

  it('is a terminal where somebody looks at it', () => {
    expect(isTerminalAt('/dev/ptmx')).to.equal(true);
    expect(isTerminalAt('/dev/null')).to.equal(false);
    expect(isTerminalAt('/dev/zero')).to.equal(false);
    expect(isTerminalAt('/etc/passwd')).to.equal(false);
  });

  it('is none where nothing is open', () => {
    expect(isTerminal(9999)).to.equal(false);
  });
});
