/**
 * Full scans of many instances shared out over threads.
 *
 * All threads read the same tables and hoists. A round is opened by the searching thread; every thread, the
 * searching one included, takes instances from one counter until none is left, keeps its candidates to itself
 * and writes each instance's best score. Rounds meet through Atomics and not through messages, which cost
 * eight times as much. What is found does not depend on who scanned what: the candidates within tolerance of
 * the best are the same.
 */
import { InternalError } from '../../../../kit/faults.ts';
import { float64, int32 } from '../../../../kit/shared-arrays.ts';
import { Candidates } from '../scan/candidates.ts';
import { Scan } from '../scan/scan.ts';
import type { ScanData } from '../scan/scan-data.ts';

/** Places in the control words. */
const ROUND = 0;
const NEXT = 1;
const COUNT = 2;
/** Threads that are through with the round. */
const DONE = 3;
/** Instances scanned in the round; shows that somebody is alive. */
const PROGRESS = 4;
const STOP = 5;
const FAILED = 6;
const READY = 7;
const CONTROL_WORDS = 8;

/** Candidates that a helping thread hands over at most; beyond, the searching thread scans again. */
const MOST_CANDIDATES = 1 << 15;
const CANDIDATE_WORDS = 3;
/** A round in which nobody gets anything done for so long has lost a thread. */
const LOST_AFTER_MS = 10_000;
const LOOK_EVERY_MS = 250;
/** Instances taken at a time. */
const BATCH = 4;

/** What the threads share beside the scan's own data. */
export interface ParallelRound {
  readonly control: Int32Array;
  /** Score that candidates must stay below, and the scan's tolerance. */
  readonly limits: Float64Array;
  /** Instances to scan, and the best score of each. */
  readonly instances: Int32Array;
  readonly lowest: Float64Array;
  /** Per helping thread: number of candidates (-1: too many), instance, kind, target; and scores. */
  readonly found: readonly Int32Array[];
  readonly scores: readonly Float64Array[];
}

/** @param helpers threads beside the searching one */
export function makeParallelRound(instanceCount: number, helpers: number): ParallelRound {
  const each = Array.from({ length: helpers });
  return {
    control: int32(CONTROL_WORDS),
    limits: float64(2),
    instances: int32(instanceCount),
    lowest: float64(instanceCount),
    found: each.map(() => int32(1 + MOST_CANDIDATES * CANDIDATE_WORDS)),
    scores: each.map(() => float64(MOST_CANDIDATES)),
  };
}

/** Scans instances of the round until none is left. */
function takeShare(scan: Scan, targets: Int32Array, round: ParallelRound): void {
  const { control, instances, lowest } = round;
  const count = control[COUNT]!;
  for (;;) {
    const from = Atomics.add(control, NEXT, BATCH);
    if (from >= count) return;
    for (let k = from; k < Math.min(from + BATCH, count); k++) {
      const i = instances[k]!;
      scan.instance(i, targets, true);
      lowest[i] = scan.lowest;
    }
    Atomics.add(control, PROGRESS, 1);
  }
}

function handOver(found: Candidates, ints32: Int32Array, scores: Float64Array): void {
  const places = found.closest();
  ints32[0] = places.length > MOST_CANDIDATES ? -1 : places.length;
  if (ints32[0] < 0) return;
  places.forEach((place, k) => {
    ints32[1 + k * CANDIDATE_WORDS] = found.instances[place]!;
    ints32[2 + k * CANDIDATE_WORDS] = found.kinds[place]!;
    ints32[3 + k * CANDIDATE_WORDS] = found.targets[place]!;
    scores[k] = found.scores[place]!;
  });
}

/** The life of a helping thread: waits for rounds and takes its share, until it is told to stop. */
export function helpScanning(data: ScanData, round: ParallelRound, helper: number): void {
  const { control } = round;
  const found = new Candidates();
  const scan = new Scan(data, found);
  try {
    Atomics.add(control, READY, 1);
    Atomics.notify(control, READY);
    for (let seen = 0; ; seen++) {
      Atomics.wait(control, ROUND, seen);
      if (Atomics.load(control, STOP) === 1) return;
      found.reset(round.limits[0]!, round.limits[1]!);
      takeShare(scan, data.targets, round);
      handOver(found, round.found[helper]!, round.scores[helper]!);
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
  private readonly round: ParallelRound;
  private readonly helpers: number;
  private readonly lostAfterMs: number;

  /** @param lostAfterMs how long nobody may get anything done before a thread counts as lost */
  constructor(round: ParallelRound, lostAfterMs = LOST_AFTER_MS) {
    this.round = round;
    this.helpers = round.found.length;
    this.lostAfterMs = lostAfterMs;
  }

  /** Best score of an instance in the last round; Infinity where it has no possible move. */
  lowestOf(i: number): number {
    return this.round.lowest[i]!;
  }

  /** Scans all moves of instances, into `scan.found`. @throws InternalError when a helping thread failed */
  scanAll(scan: Scan, list: readonly number[], tolerance: number): void {
    const { round, helpers } = this;
    const { control } = round;
    round.instances.set(list);
    round.limits[0] = scan.found.best;
    round.limits[1] = tolerance;
    control[NEXT] = 0;
    control[COUNT] = list.length;
    control[DONE] = 0;
    Atomics.add(control, ROUND, 1);
    Atomics.notify(control, ROUND);
    takeShare(scan, scan.data.targets, round);
    this.waitForHelpers();
    for (let h = 0; h < helpers; h++) this.takeOver(scan, list, round.found[h]!, round.scores[h]!);
  }

  /** Lets the helping threads end. */
  stop(): void {
    const { control } = this.round;
    Atomics.store(control, STOP, 1);
    Atomics.add(control, ROUND, 1);
    Atomics.notify(control, ROUND);
  }

  private waitForHelpers(): void {
    const { control } = this.round;
    let progress = -1;
    let waitedMs = 0;
    for (;;) {
      const done = Atomics.load(control, DONE);
      if (Atomics.load(control, FAILED) === 1) throw new InternalError('a scanning thread failed');
      if (done === this.helpers) return;
      if (Atomics.wait(control, DONE, done, LOOK_EVERY_MS) !== 'timed-out') continue;
      const now = Atomics.load(control, PROGRESS);
      waitedMs = now === progress ? waitedMs + LOOK_EVERY_MS : 0;
      progress = now;
      if (waitedMs >= this.lostAfterMs) throw new InternalError('a scanning thread is gone');
    }
  }

  private takeOver(scan: Scan, list: readonly number[], found: Int32Array, scores: Float64Array): void {
    const count = found[0]!;
    if (count < 0) {
      // More ties than there is room for: scanning again is dear, but it is the same answer.
      for (const i of list) scan.instance(i, scan.data.targets, true);
      return;
    }
    for (let k = 0; k < count; k++) {
      if (scores[k]! > scan.found.limit) continue;
      const at = 1 + k * CANDIDATE_WORDS;
      scan.found.add(found[at]!, found[at + 1]!, found[at + 2]!, scores[k]!);
    }
  }
}

/** Whether all helping threads are waiting for their first round. */
export const helpersReady = (round: ParallelRound): boolean =>
  Atomics.load(round.control, READY) === round.found.length;
