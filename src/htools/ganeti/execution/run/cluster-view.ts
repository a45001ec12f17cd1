/** The cluster as an execution sees it: read anew once anything may have happened. */
import { uptime } from 'node:os';
import { type Fault, InputError } from '../../../../kit/faults.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { type OpenJob, OTHERS_FIELDS, readQueue } from '../../jobs/others-jobs.ts';
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
    find: (fresh: Snapshot, open: readonly OpenJob[]) => readonly Change[],
    asksQueue = false,
  ): Promise<readonly Change[]> {
    const { master, readState } = this.means;
    let open: readonly OpenJob[] = [];
    const look = async (): Promise<Snapshot> => {
      if (asksQueue) {
        ({ newest: this.newest, open } = readQueue(await master.ask('QueryJobs', [null, OTHERS_FIELDS])));
      }
      return this.fresh ?? readState();
    };
    let fresh: Snapshot;
    try {
      fresh = await this.patiently(look);
    } catch (error) {
      // A cluster that answers, but not with what makes a cluster, has changed, if it stays so.
      if (!(error instanceof InputError)) throw error;
      return unreadable(error);
    }
    this.fresh = fresh;
    return find(fresh, open);
  }

  /** The cluster as it is now. @throws InputError when it stays unreadable */
  read(): Promise<Snapshot> {
    return this.patiently(this.means.readState);
  }

  private async patiently(look: () => Promise<Snapshot>): Promise<Snapshot> {
    const { silenceSeconds, isStopRequested } = this.means;
    const start = uptime();
    for (;;) {
      try {
        return await look();
      } catch (error) {
        const waited = uptime() - start;
        if (!(error instanceof InputError) || waited >= silenceSeconds || isStopRequested()) throw error;
        await this.rest(waited);
      }
    }
  }
}
