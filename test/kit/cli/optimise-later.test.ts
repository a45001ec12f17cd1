import { expect } from 'chai';
import { optimiseLater } from '../../../src/kit/cli/optimise-later.ts';

/** The flags that are set on a V8 of that version. */
function flagsOn(version: string): readonly string[] {
  const node = process as { binding?: unknown };
  const { binding } = node;
  const { versions } = process;
  const flags: string[] = [];
  node.binding = () => ({ setFlagsFromString: (text: string) => flags.push(text) });
  Object.defineProperty(process, 'versions', { value: { ...versions, v8: version }, configurable: true });
  try {
    optimiseLater();
  } finally {
    node.binding = binding;
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
