import { expect } from 'chai';
import { masterLine } from '../../../../src/htools/ganeti/execution/master-line.ts';
import { pause, USUAL_LIMITS } from '../../../../src/htools/ganeti/wire/limits.ts';
import { withLuxi } from '../play.ts';

describe('the line to the master', () => {
  it('asks again while the master is away, whatever is done to the clock', async () => {
    const { now } = Date;
    let [hours, asked] = [0, 0];
    Date.now = () => now() + 3_600_000 * hours++;
    try {
      const answer = (): string => (asked++ === 0 ? 'nonsense' : '{"success":true,"result":1}');
      await withLuxi(answer, async (path) => {
        expect(await masterLine(path, USUAL_LIMITS).ask('QueryClusterInfo', [])).to.equal(1);
      });
    } finally {
      Date.now = now;
    }
  });

  it('allows the more time for an order, the more jobs are in it', () =>
    withLuxi(
      async () => {
        await pause(0.6);
        return '{"success":true,"result":[]}';
      },
      async (path) => {
        const line = masterLine(path, { ...USUAL_LIMITS, answerSeconds: 0.2 });
        const order = (jobs: number) => line.tell('SubmitManyJobs', [Array.from({ length: jobs }, () => [])]);
        expect(await order(91)).to.deep.equal([]);
        const late = await order(10).catch((error: Error) => error.message);
        expect(late).to.include('no answer to SubmitManyJobs within 0.2 s');
      },
    ));
});
