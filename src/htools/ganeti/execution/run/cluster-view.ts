/** The cluster as an execution sees it: read anew once anything may have happened. */
import { uptime } from 'node:os';
import { type Fault, InputError } from '../../../../kit/faults.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { newestJob, OTHERS_FIELDS } from '../../jobs/others-jobs.ts';
import { pause } from '../../wire/limits.ts';
import type { Change } from '../recheck.ts';
import type { ExecutionMeans } from './means.ts';

/** What of the cluster cannot be read; of the master, that is not there, others tell. */
export const unreadable = (fault: Fault): readonly Change[] =>
  (fault instanceof InputError ? fault.problems : []).map(({ problem, remedy }) => ({
    what: 'unreadable',
    why: remedy === undefined ? problem : `${problem} (maybe ${remedy})`,
  }));

/** A read costs the master much: behind a long wait it is looked less often, but still soon enough. */
const SHARE_OF_WAIT = 0.25;
const MOST_REST_SECONDS = 10;

export class ClusterView {
  /** As it was read after the last jobs had ended. */
  private fresh: Snapshot | undefined;
  /** Id of the newest job in the queue when that was asked last. */
  newest = 0;

  constructor(
    private readonly means: Pick<
      ExecutionMeans,
      'master' | 'readState' | 'silenceSeconds' | 'pollSeconds' | 'isStopRequested'
    >,
  ) {}

  /** Anything may happen from now on. */
  forget(): void {
    this.fresh = undefined;
  }

  /** Pauses between two looks, unless it is to stop. @param waited seconds that it has waited so far */
  async rest(waited: number): Promise<void> {
    const { pollSeconds, isStopRequested } = this.means;
    this.forget();
    const end = uptime() + Math.min(MOST_REST_SECONDS, SHARE_OF_WAIT * waited);
    do await pause(pollSeconds);
    while (uptime() < end && !isStopRequested());
  }

  /**
   * Holds the cluster as it is now against something.
   * @param asksQueue about all its jobs ahead of the cluster: what has ended by then is seen there
   */
  async against(
    find: (fresh: Snapshot, queue: unknown) => readonly Change[],
    asksQueue = false,
  ): Promise<readonly Change[]> {
    const { master, readState, silenceSeconds, isStopRequested } = this.means;
    const ask = async (): Promise<unknown> => {
      if (!asksQueue) return undefined;
      const queue = await master.ask('QueryJobs', [null, OTHERS_FIELDS]);
      this.newest = newestJob(queue);
      return queue;
    };
    const start = uptime();
    let queue = await ask();
    while (this.fresh === undefined) {
      try {
        this.fresh = await readState();
      } catch (error) {
        // A cluster that answers, but not with what makes a cluster, has changed, if it stays so.
        if (!(error instanceof InputError)) throw error;
        const waited = uptime() - start;
        if (waited >= silenceSeconds || isStopRequested()) return unreadable(error);
        await this.rest(waited);
        queue = await ask();
      }
    }
    return find(this.fresh, queue);
  }
}
