import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { keyValue } from '../../../src/kit/report/key-value.ts';

describe('KEY=value lines', () => {
  it('quote what is not letters, digits and dots', () => {
    expect(keyValue('HTS', 'cluster_name', 'a.b1')).to.equal('HTS_CLUSTER_NAME=a.b1\n');
    expect(keyValue('HTS', 'group', 'rack-a')).to.equal("HTS_GROUP='rack-a'\n");
  });

  for (const value of ['', 'rack a', "it's", "''", '$(exit 3)', '`exit 3`', 'a"b\\c', "'; exit 3; '"]) {
    it(`give a shell the value ${JSON.stringify(value)} unchanged`, () => {
      const script = `${keyValue('X', 'value', value)}printf %s "$X_VALUE"`;
      expect(execFileSync('sh', ['-euc', script], { encoding: 'utf8' })).to.equal(value);
    });
  }
});
