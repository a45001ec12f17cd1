/** What a job tells of the disks. */
import { expect } from 'chai';
import { degradedIn } from '../../../../src/htools/ganeti/jobs/degraded.ts';

const side = (isDegraded: boolean): unknown[] => ['/dev/drbd0', 147, 0, 12.5, 60, isDegraded, 2];
const told = (...disks: [pstatus: unknown, sstatus: unknown][]): object => ({
  name: 'x',
  disks: disks.map(([pstatus, sstatus]) => ({ iv_name: 'disk/0', pstatus, sstatus, children: [] })),
});

describe('degraded disks', () => {
  it('are those with a side that says so', () => {
    const instances = {
      whole: told([side(false), side(false)]),
      primary: told([side(true), side(false)]),
      second: told([side(false), side(false)], [side(false), side(true)]),
      down: told([null, null]),
      alone: told([side(false), null]),
      diskless: told(),
    };
    expect(degradedIn([[[instances]]])).to.deep.equal(['primary', 'second']);
  });

  it('are not known where the job did not tell', () => {
    for (const result of [null, [], [[['OpPrereqError', ['no']]]], [[[{ x: { disks: 'many' } }]]]])
      expect(degradedIn(result), JSON.stringify(result)).to.equal(undefined);
  });
});
