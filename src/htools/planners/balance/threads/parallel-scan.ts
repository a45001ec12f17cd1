/**
 * Looks at many instances, and scans of them, shared out over threads.
 *
 * All threads read the same tables, hoists and bounds. A round is opened by the searching thread; every
 * thread, the searching one included, takes batches of instances until none is left, writes their
 * bounds and keeps its candidates to itself. Rounds meet through Atomics and not through messages, which cost
 * eight times as much. What is found does not depend on who scanned what: the candidates within tolerance of
 * the best are the same.
 */
import { InternalError } from '../../../../kit/faults.ts';
import { float64, int32 } from '../../../../kit/shared-arrays.ts';
import { type BoundArrays, ScoreBounds } from '../bounds/score-bounds.ts';
import { Candidates } from '../scan/candidates.ts';
import { Scan } from '../scan/scan.ts';
import type { ScanData } from '../scan/scan-data.ts';

/** Places in the control words. */
const ROUND = 0;
const STOP = 1;
const COUNT = 2;
/** Threads that are through with the round. */
const DONE = 3;
/** Instances done in the round; shows that somebody is alive. */
const PROGRESS = 4;
const READY = 5;
const FAILED = 6;
/** 1 where instances are scanned, 0 where they are only looked at. */
const SCANS = 7;
const CONTROL_WORDS = 8;

/** Candidates that a helping thread hands over at most. */
const MOST_CANDIDATES = 1 << 14;
/** A round in which nobody gets anything done for so long has lost a thread. */
const LOST_AFTER_MS = 10_000;
const LOOK_EVERY_MS = 250;
/** Instances taken at a time. */
const AT_ONCE = 64;
/** Looks at a word before a thread goes to sleep: about a tenth of a millisecond. */
const SPINS = 20_000;

/** What the threads share beside the scan's own data. */
export interface ParallelRound {
  readonly control: Int32Array;
  /** Score that candidates must stay below, and the scan's tolerance. */
  readonly limits: Float64Array;
  /** By batch of instances, the round in which a thread took it last. */
  readonly taken: Int32Array;
  /** What each helping thread has found; see `Candidates.handOver`. */
  readonly found: readonly Float64Array[];
}

/** @param helpers threads beside the searching one */
export function makeParallelRound(instanceCount: number, helpers: number): ParallelRound {
  return {
    control: int32(CONTROL_WORDS),
    limits: float64(2),
    taken: int32(Math.ceil(instanceCount / AT_ONCE)),
    found: Array.from({ length: helpers }, () => float64(1 + 2 * MOST_CANDIDATES)),
  };
}

/**
 * Looks at or scans instances of the round until none is left. Each thread begins with its own share, which
 * is in its core's cache since the last round, and goes on with what others have not begun.
 * @param thread 0 for the searching one
 */
function takeShare(bounds: ScoreBounds, round: ParallelRound, thread: number): void {
  const { control, limits, taken, found } = round;
  const count = control[COUNT]!;
  const batches = Math.ceil(count / AT_ONCE);
  const first = Math.floor((thread * batches) / (1 + found.length));
  for (let k = 0; k < batches; k++) {
    const batch = (first + k) % batches;
    if (Atomics.exchange(taken, batch, control[ROUND]!) === control[ROUND]) continue;
    const from = batch * AT_ONCE;
    const to = Math.min(from + AT_ONCE, count);
    if (control[SCANS] === 1) bounds.scanReaching(from, to, limits[1]!);
    else bounds.look(from, to);
    Atomics.add(control, PROGRESS, 1);
  }
}

/** Waits a moment for a word to change, awake: a sleeping thread takes longer to wake than most rounds. */
function spin(control: Int32Array, word: number, from: number): boolean {
  for (let k = 0; k < SPINS; k++) if (Atomics.load(control, word) !== from) return true;
  return false;
}

/** The life of a helping thread: waits for rounds and takes its share, until it is told to stop. */
export function helpScanning(
  data: ScanData,
  arrays: BoundArrays,
  round: ParallelRound,
  helper: number,
): void {
  const { control } = round;
  const found = new Candidates();
  const bounds = new ScoreBounds(new Scan(data, found), arrays);
  try {
    Atomics.add(control, READY, 1);
    Atomics.notify(control, READY);
    for (let seen = 0; ; seen++) {
      spin(control, ROUND, seen);
      // Who was quick may be asleep again when the call to the round that it has done arrives.
      while (Atomics.load(control, ROUND) === seen) Atomics.wait(control, ROUND, seen);
      if (Atomics.load(control, STOP) === 1) return;
      found.reset(round.limits[0]!, round.limits[1]!);
      takeShare(bounds, round, 1 + helper);
      found.handOver(round.found[helper]!);
      Atomics.add(control, DONE, 1);
      Atomics.notify(control, DONE);
    }
  } catch (error) {
    Atomics.store(control, FAILED, 1);
    Atomics.notify(control, DONE);
    throw error;
  }
}

/** The searching thread's end. */
export class ParallelScan {
  /** @param lostAfterMs how long nobody may get anything done before a thread counts as lost */
  constructor(
    private readonly round: ParallelRound,
    private readonly lostAfterMs = LOST_AFTER_MS,
  ) {}

  /** Looks at all instances. @throws InternalError when a helping thread failed or is gone */
  look(bounds: ScoreBounds, count: number): void {
    this.share(bounds, count, false);
  }

  /**
   * Scans the best moves of all instances; candidates go to `found`.
   * @param margin of rounding, the scan's tolerance
   * @throws InternalError when a helping thread failed or is gone
   */
  scan(bounds: ScoreBounds, found: Candidates, count: number, margin: number): void {
    const { round } = this;
    round.limits[0] = found.best;
    round.limits[1] = margin;
    this.share(bounds, count, true);
    for (const theirs of round.found) found.takeOver(theirs);
    if (!round.found.some((theirs) => found.lacksSomeOf(theirs))) return;
    // Scanning again is dear, but it is the same answer.
    found.clear();
    bounds.scanReaching(0, count, margin);
  }

  private share(bounds: ScoreBounds, count: number, scans: boolean): void {
    const { round } = this;
    const { control } = round;
    control[COUNT] = count;
    control[SCANS] = scans ? 1 : 0;
    control[DONE] = 0;
    Atomics.add(control, ROUND, 1);
    Atomics.notify(control, ROUND);
    takeShare(bounds, round, 0);
    this.waitForHelpers();
  }

  stop(): void {
    const { control } = this.round;
    Atomics.store(control, STOP, 1);
    Atomics.add(control, ROUND, 1);
    Atomics.notify(control, ROUND);
  }

  private waitForHelpers(): void {
    const { control, found } = this.round;
    let progress = -1;
    let waitedMs = 0;
    for (;;) {
      const done = Atomics.load(control, DONE);
      if (Atomics.load(control, FAILED) === 1) throw new InternalError('a scanning thread failed');
      if (done === found.length) return;
      if (spin(control, DONE, done)) continue;
      if (Atomics.wait(control, DONE, done, LOOK_EVERY_MS) !== 'timed-out') continue;
      const now = Atomics.load(control, PROGRESS);
      waitedMs = now === progress ? waitedMs + LOOK_EVERY_MS : 0;
      progress = now;
      if (waitedMs >= this.lostAfterMs) throw new InternalError('a scanning thread is gone');
    }
  }
}

/** Whether all helping threads are waiting for their first round. */
export const helpersReady = (round: ParallelRound): boolean =>
  Atomics.load(round.control, READY) === round.found.length;
