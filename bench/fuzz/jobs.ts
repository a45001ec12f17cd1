/** Journals of executions, and what a master says about jobs, as fuzz inputs. */
import { readFileSync } from 'node:fs';
import { reachableNames } from '../../src/htools/cluster/instance-status.ts';
import { prepareSnapshot } from '../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../src/htools/cluster/snapshot.ts';
import { journalLine, planLine, readJournal } from '../../src/htools/ganeti/execution/journal-lines.ts';
import { changesAgainst, seemsDone } from '../../src/htools/ganeti/execution/recheck.ts';
import { type Work, workJob } from '../../src/htools/ganeti/execution/work.ts';
import { readLog, readStatuses } from '../../src/htools/ganeti/jobs/job-status.ts';
import { findMarked, readSubmissions } from '../../src/htools/ganeti/jobs/submission.ts';
import { decodeResult } from '../../src/htools/ganeti/luxi/message.ts';
import { FAILOVER, REPLACE_SECONDARY } from '../../src/htools/model/moves/kinds.ts';
import { parseText } from '../../src/htools/sources/text/text.ts';
import { Fault } from '../../src/kit/faults.ts';

const FILE = new URL('../../testdata/small.data', import.meta.url);
const SOURCE_NAME = 'input';
const TIME = '2026-01-01T00:00:00.000Z';

let cluster: Snapshot | undefined;
const clusterNow = (): Snapshot =>
  (cluster ??= prepareSnapshot(parseText(readFileSync(FILE), SOURCE_NAME), {}).snapshot);

/** Two job sets of a plan that the cluster allows. */
function work(): Work {
  const start = clusterNow();
  const job = (instance: number, kind: typeof FAILOVER | typeof REPLACE_SECONDARY, target: number) => {
    const { primary, secondary } = start.instances[instance]!;
    const [toPrimary, toSecondary] = kind === FAILOVER ? [secondary, primary] : [primary, target];
    const step = {
      instance,
      kind,
      target: kind === FAILOVER ? -1 : target,
      fromPrimary: primary,
      fromSecondary: secondary,
      toPrimary,
      toSecondary,
      score: 0,
    };
    return workJob(
      start,
      start,
      { steps: [step], nodes: [primary, secondary, toSecondary] },
      reachableNames(start),
    );
  };
  return {
    sets: [[job(0, FAILOVER, -1)], [job(3, REPLACE_SECONDARY, 3), job(7, FAILOVER, -1)]],
    limits: { ignoreSoftErrors: false, diskMoves: true },
    nodeOptions: { offline: ['node2.example.com'], minDiskRatio: 0 },
    promised: [{ node: 'node3.example.com', memMib: 1, diskMib: 2, cpus: 3 }],
  };
}

export const planText = (): string =>
  journalLine(planLine('run', 'hbal', 'cluster.example.com', work()), TIME);

export const journalText = (): string =>
  planText() +
  (
    [
      { event: 'submitting', set: 1, job: 1 },
      { event: 'submitted', set: 1, job: 1, id: 17 },
      { event: 'ended', set: 1, job: 1, status: 'success' },
      { event: 'submitting', set: 2, job: 1 },
      { event: 'submitting', set: 2, job: 2 },
      { event: 'refused', set: 2, job: 1, why: 'drained queue' },
      { event: 'left', outcome: 'failed' },
    ] as const
  )
    .map((line) => journalLine(line, TIME))
    .join('');

/** A journal that is taken can be gone on with: whatever it says is held against the cluster. */
export function readJournalText(bytes: Buffer): void {
  const { plan } = readJournal(bytes.toString('utf8'), SOURCE_NAME);
  const taken = plan.work as Work;
  for (const set of taken.sets) {
    changesAgainst(clusterNow(), set, taken);
    for (const job of set) seemsDone(clusterNow(), job);
  }
}

/** One of each answer about jobs, as the members of one. */
export const jobsText = (): string =>
  JSON.stringify({
    success: true,
    result: {
      submissions: [
        [true, 17],
        [false, 'The job queue is drained'],
      ],
      statuses: [['running'], [null]],
      queue: {
        data: [
          [
            [0, 17],
            [0, [{ OP_ID: 'OP_INSTANCE_MIGRATE', reason: [['evenkeel', 'run set 1 job 1', 1e18]] }]],
          ],
        ],
      },
      log: [
        [['error'], [['OpExecError', ['Disk sync failed']]], [[[1, [1795277570, 5], 'message', 'copying']]]],
      ],
    },
  });

export function readJobsText(bytes: Buffer): void {
  const answers = decodeResult('QueryJobs', bytes) as Readonly<Record<string, unknown>> | null;
  const faults: Fault[] = [];
  for (const read of [
    () => readSubmissions(answers?.submissions, 2),
    () => readStatuses(answers?.statuses, 2),
    () => findMarked(answers?.queue, new Set(['run set 1 job 1'])),
    () => readLog(answers?.log),
  ]) {
    try {
      read();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults.push(error);
    }
  }
  if (faults[0]) throw faults[0];
}
