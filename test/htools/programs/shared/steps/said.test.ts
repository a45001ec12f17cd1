import { expect } from 'chai';
import { costText } from '../../../../../src/htools/programs/shared/steps/said.ts';

describe('what moves cost', () => {
  const none = { copiedMib: 0, migrations: 0, migratedMemMib: 0, failovers: 0 };

  it('is said without what they have none of', () => {
    expect(costText({ ...none, copiedMib: 1536 })).to.equal('1.5 GiB copied');
    expect(costText({ ...none, migrations: 2, migratedMemMib: 4096 })).to.equal(
      '2 migrations (4.0 GiB of memory)',
    );
    expect(costText({ ...none, copiedMib: 1024, failovers: 1 })).to.equal('1.0 GiB copied, 1 failover');
    expect(costText(none)).to.equal('nothing');
  });
});
