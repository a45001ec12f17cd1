/** Executions on a fake master in this process, with times that suit tests. */
import { fileURLToPath } from 'node:url';
import { reachableNames } from '../../../../src/htools/cluster/instance-status.ts';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import type { ExecutionReport, JobFact } from '../../../../src/htools/ganeti/execution/job-facts.ts';
import type { Journal } from '../../../../src/htools/ganeti/execution/journal-file.ts';
import {
  type JobState,
  journalLine,
  planLine,
  readJournal,
} from '../../../../src/htools/ganeti/execution/journal-lines.ts';
import { type MasterLine, masterLine } from '../../../../src/htools/ganeti/execution/master-line.ts';
import { execute } from '../../../../src/htools/ganeti/execution/run/execute.ts';
import type { Delay, ExecutionMeans } from '../../../../src/htools/ganeti/execution/run/means.ts';
import { type InstanceJob, type Work, workJob } from '../../../../src/htools/ganeti/execution/work.ts';
import { USUAL_LIMITS } from '../../../../src/htools/ganeti/wire/limits.ts';
import { FAILOVER, type MoveKind, placementAfter } from '../../../../src/htools/model/moves/kinds.ts';
import { readLuxi } from '../../../../src/htools/sources/luxi/read-luxi.ts';
import { type FakeManners, FakeMaster } from '../fake-master.ts';

export const SMALL = fileURLToPath(new URL('../../../../testdata/small.data', import.meta.url));

/** A move: instance, kind, and the node that it has. */
export type MoveWords = readonly [instance: string, kind: MoveKind, node?: string];

const positionOf = (list: readonly { readonly name: string }[], name: string | undefined): number =>
  list.findIndex((one) => one.name === `${name}.example.com`);

/** Sets of moves as work, each instance from where the moves before have left it. */
export function workOf(start: Snapshot, ...sets: readonly (readonly MoveWords[])[]): Work {
  const homes = new Map(
    start.instances.map(({ primary, secondary }, i) => [i, [primary, secondary] as const]),
  );
  const jobOf = ([name, kind, node]: MoveWords): InstanceJob => {
    const instance = positionOf(start.instances, name);
    const target = kind === FAILOVER ? -1 : positionOf(start.nodes, node);
    const [fromPrimary, fromSecondary] = homes.get(instance)!;
    const [toPrimary, toSecondary] = placementAfter(kind, fromPrimary, fromSecondary, target);
    homes.set(instance, [toPrimary, toSecondary]);
    const step = { instance, kind, target, fromPrimary, fromSecondary, toPrimary, toSecondary, score: 0 };
    const nodes = [...new Set([fromPrimary, fromSecondary, toPrimary, toSecondary])].filter((n) => n >= 0);
    return workJob(start, start, { steps: [step], nodes }, reachableNames(start));
  };
  return {
    sets: sets.map((set) => set.map(jobOf)),
    limits: { ignoreSoftErrors: true, diskMoves: true },
    nodeOptions: { offline: [], minDiskRatio: 0 },
  };
}

const wordsOf = (why: Exclude<Delay, { others: unknown }>): string => {
  if ('lost' in why) return `lost ${why.lost}`;
  return 'down' in why ? `down ${why.down}` : `starting ${why.starting}`;
};

/** One cluster, and executions on it one after another, with one journal. */
export class Stage {
  readonly master: FakeMaster;
  /** What the journal holds. */
  journal = '';
  /** What was told, in order. */
  readonly ended: JobFact[] = [];
  readonly delays: string[] = [];
  readonly path: string;

  constructor(master: FakeMaster, path: string) {
    this.master = master;
    this.path = path;
  }

  line(): MasterLine {
    return masterLine(this.path, USUAL_LIMITS);
  }

  async readState(): Promise<Snapshot> {
    return prepareSnapshot(await readLuxi(this.path, USUAL_LIMITS), {}).snapshot;
  }

  /** Carries work out from its beginning. */
  begin(work: Work, means: Partial<ExecutionMeans> = {}): Promise<ExecutionReport> {
    this.journal = journalLine(
      planLine('run-1', 'hbal', 'fake.example.com', work),
      '2026-01-31T12:00:00.000Z',
    );
    return this.execute(work, [], means);
  }

  /** Goes on by the journal. */
  resume(means: Partial<ExecutionMeans> = {}): Promise<ExecutionReport> {
    const { plan, jobs } = readJournal(this.journal, 'journal');
    return this.execute(plan.work as Work, jobs, means);
  }

  private execute(
    work: Work,
    states: readonly (readonly JobState[])[],
    means: Partial<ExecutionMeans>,
  ): Promise<ExecutionReport> {
    const journal: Journal = {
      write: (...lines) => {
        this.journal += lines.map((line) => journalLine(line, '2026-01-31T12:00:00.000Z')).join('');
      },
      close: () => {},
    };
    return execute(work, states, {
      master: this.line(),
      journal,
      signature: { program: 'hbal', version: 'hbal 0', startedMs: 1 },
      run: 'run-1',
      readState: () => this.readState(),
      isStopRequested: () => false,
      isRoundStopRequested: () => false,
      rebootSeconds: 5,
      waitSeconds: 0.2,
      queueSeconds: 0.5,
      silenceSeconds: 0.2,
      pollSeconds: 0.02,
      parallel: Number.POSITIVE_INFINITY,
      onSubmitted: () => {},
      onEnded: (fact) => this.ended.push(fact),
      onWaiting: () => {},
      onDelay: (why) =>
        this.delays.push('others' in why ? why.others.map((job) => job.id).join() : wordsOf(why)),
      ...means,
    });
  }

  /** The journal as it would be had the run died before its last so many lines. */
  forget(lines: number): void {
    this.journal = `${this.journal.trimEnd().split('\n').slice(0, -lines).join('\n')}\n`;
  }

  place(instance: string): string {
    const all = this.master.placements();
    return all
      .find((one) => one.startsWith(`${instance}.`))!
      .split(' ')[1]!
      .replaceAll('.example.com', '');
  }
}

export const onStage = <T>(manners: FakeManners, play: (stage: Stage) => Promise<T>): Promise<T> => {
  const master = new FakeMaster(SMALL, manners);
  return master.serve((path) => play(new Stage(master, path)));
};
