import v8 from 'node:v8';
import { expect } from 'chai';
import { optimiseLater } from '../../../src/kit/cli/optimise-later.ts';

/** The flags that are set on a V8 of that version. */
function flagsOn(version: string): readonly string[] {
  const { setFlagsFromString } = v8;
  const { versions } = process;
  const flags: string[] = [];
  v8.setFlagsFromString = (text) => flags.push(text);
  Object.defineProperty(process, 'versions', { value: { ...versions, v8: version }, configurable: true });
  try {
    optimiseLater();
  } finally {
    v8.setFlagsFromString = setFlagsFromString;
    Object.defineProperty(process, 'versions', { value: versions, configurable: true });
  }
  return flags;
}

describe('optimising later', () => {
  it('is asked of Node 20 only: newer ones complain of flags that they do not know', () => {
    expect(flagsOn('11.3.244.8-node.33')).to.deep.equal([
      '--interrupt-budget=400000 --wasm-tiering-budget=30000000',
    ]);
    for (const version of ['12.4.254.21-node.33', '13.6.233.17-node.26'])
      expect(flagsOn(version)).to.deep.equal([]);
  });
});
