import { expect } from 'chai';
import fc from 'fast-check';
import {
  policyFor,
  REPAIR_RESULTS,
  REPAIR_TYPES,
  readRepairTag,
  withTag,
} from '../../../../../src/htools/planners/maintain/repair/repair-tags.ts';

const P = 'ganeti:watcher:autorepair:';
const NOW = 1_800_000_000;
const policy = (instance: string[], group: string[] = [], cluster: string[] = []) =>
  policyFor({ instance, group, cluster }, NOW);

describe('a tag about a repair', () => {
  it('tells of one that is pending', () => {
    expect(readRepairTag(`${P}pending:failover:u-1:17:9+10`)).to.deep.equal({
      type: 'failover',
      id: 'u-1',
      time: 17,
      jobs: [9, 10],
      result: null,
      tag: `${P}pending:failover:u-1:17:9+10`,
    });
  });

  it('tells of one that ended, with or without jobs', () => {
    expect(readRepairTag(`${P}result:reinstall:u:17:failure:42`)).to.include({ result: 'failure', time: 17 });
    expect(readRepairTag(`${P}result:migrate:u:17:enoperm:`)!.jobs).to.deep.equal([]);
  });

  it('is none when anything in it is not what it should be', () => {
    for (const tag of [
      'pending:failover:u:17:9',
      `${P}failover`,
      `${P}pending`,
      `${P}pending:failover:u:17`,
      `${P}pending:failover:u:17:9:10`,
      `${P}pending:restart:u:17:9`,
      `${P}pending:failover:u:soon:9`,
      `${P}pending:failover:u:17:9+`,
      `${P}pending:failover:u:17:-9`,
      `${P}pending:failover:u:17:99999999999999999999`,
      `${P}pending:failover:u:17 :9`,
      `${P}pending:failover:u:17:9 `,
      `${P}result:failover:u:17:perhaps:9`,
      `${P}result:failover:u:17:success`,
    ])
      expect(readRepairTag(tag), tag).to.equal(undefined);
  });

  it('has its numbers in any form that the stock program reads', () => {
    expect(readRepairTag(`${P}pending:failover:u:(17):0x9+ 10`))
      .to.include({ time: 17 })
      .and.deep.include({ jobs: [9, 10] });
    expect(readRepairTag(`${P}pending:failover:u:- 17:9`)).to.include({ time: -17 });
  });

  it('is read as it was written', () => {
    const records = fc.record({
      type: fc.constantFrom(...REPAIR_TYPES),
      id: fc.uuid(),
      time: fc.nat(),
      jobs: fc.array(fc.nat()),
      result: fc.constantFrom(null, ...REPAIR_RESULTS),
    });
    fc.assert(
      fc.property(records, (record) => {
        const written = withTag(record);
        expect(readRepairTag(written.tag)).to.deep.equal(written);
      }),
    );
  });
});

describe('what may be repaired', () => {
  it('is nothing unless a tag says so', () => {
    expect(policy([], [], [`${P}everything`, 'autorepair:failover'])).to.deep.equal({ kind: 'not-enabled' });
  });

  it('is what the nearest object says', () => {
    const [cluster, group, instance] = [`${P}reinstall`, `${P}failover`, `${P}migrate`].map((tag) => [tag]);
    expect(policy(instance!, group, cluster)).to.deep.equal({ kind: 'enabled', upTo: 'migrate' });
    expect(policy([], group, cluster)).to.deep.equal({ kind: 'enabled', upTo: 'failover' });
    expect(policy([], [], cluster)).to.deep.equal({ kind: 'enabled', upTo: 'reinstall' });
  });

  it('is the least of what one object says', () => {
    expect(policy([`${P}reinstall`, `${P}fix-storage`, `${P}failover`])).to.deep.equal({
      kind: 'enabled',
      upTo: 'fix-storage',
    });
  });

  it('is nothing while it is suspended, and a suspension without an end outweighs all', () => {
    const until = (time: number): string => `${P}suspend:${time}`;
    const allowed = `${P}failover`;
    expect(policy([allowed, until(NOW + 1), until(NOW + 9), until(5)])).to.deep.equal({
      kind: 'suspended',
      until: NOW + 9,
    });
    for (const forever of [`${P}suspend`, `${P}suspend:`])
      expect(policy([allowed, until(NOW + 9), forever])).to.deep.equal({ kind: 'suspended', until: null });
    expect(policy([until(NOW + 1)], [], [allowed])).to.include({ kind: 'suspended' });
  });

  it('is nothing for ages where the end is beyond every calendar', () => {
    expect(policy([`${P}failover`, `${P}suspend:99999999999999999999`])).to.deep.equal({
      kind: 'suspended',
      until: 1e20,
    });
  });

  it('is as before once the suspension is over', () => {
    expect(policy([`${P}failover`, `${P}suspend:${NOW}`])).to.deep.equal({
      kind: 'enabled',
      upTo: 'failover',
    });
    expect(policy([`${P}suspend:soon`], [`${P}failover`])).to.deep.equal({
      kind: 'enabled',
      upTo: 'failover',
    });
  });
});
