import { expect } from 'chai';
import {
  type MasterLine,
  masterLine,
  Patience,
} from '../../../../src/htools/ganeti/execution/master-line.ts';
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

  /** On a master that waits for that ahead of each answer. */
  const hung = <T>(
    wait: () => Promise<unknown>,
    work: (line: MasterLine, patience: Patience) => Promise<T>,
  ) => {
    const patience = new Patience(3600, 0.2);
    const limits = { ...USUAL_LIMITS, answerSeconds: 3600 };
    return withLuxi(
      async () => {
        await wait();
        return '{"success":true,"result":1}';
      },
      (path) => work(masterLine(path, limits, patience), patience),
    );
  };
  const why = (error: Error): string => error.message;

  it('waits no longer for a master that hangs than for one that is busy, once it is given up', () =>
    hung(
      () => new Promise(() => {}),
      async (line, patience) => {
        const asked = line.ask('QueryClusterInfo', []).catch(why);
        patience.giveUp();
        expect(await asked).to.equal('the master does not answer');
        // What is asked next has no more time.
        expect(await line.ask('QueryClusterInfo', []).catch(why)).to.equal('the master does not answer');
      },
    ));

  it('hears a master that is busy while somebody gives it up, and is patient again', () =>
    hung(
      () => pause(0.1),
      async (line, patience) => {
        const asked = line.ask('QueryClusterInfo', []);
        patience.giveUp();
        expect(await asked).to.equal(1);
        expect(await line.ask('QueryClusterInfo', [])).to.equal(1);
      },
    ));
});
