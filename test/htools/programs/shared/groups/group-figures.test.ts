import { expect } from 'chai';
import {
  inGib,
  relocationsCostText,
} from '../../../../../src/htools/programs/shared/groups/group-figures.ts';

describe('figures in words', () => {
  it('gives sizes in GiB from one on', () => {
    expect([0, 1023, 1024, 1536, 1048576].map(inGib)).to.deep.equal([
      '0 MiB',
      '1023 MiB',
      '1.0 GiB',
      '1.5 GiB',
      '1024.0 GiB',
    ]);
  });

  it('tells what moving costs, and leaves out what there is none of', () => {
    const cost = {
      instances: 1,
      copiedMib: 0,
      migrations: 1,
      migratedMemMib: 512,
      failovers: 0,
      seconds: 5.12,
      bandwidthMibPerSecond: 100,
    };
    expect(relocationsCostText(cost)).to.equal(
      '1 instance moves: 1 migration (0.5 GiB of memory); about 6 s at 100 MiB/s',
    );
  });
});
