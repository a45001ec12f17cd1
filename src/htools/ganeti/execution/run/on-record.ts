/** The jobs of an execution and how far each came: every event is in the journal before anything else. */
import { uptime } from 'node:os';
import { Fault } from '../../../../kit/faults.ts';
import { factsOf, type JobFact, type MutableFact } from '../job-facts.ts';
import type { JobState, JournalLine } from '../journal-lines.ts';
import type { Work } from '../work.ts';
import type { Ending, ExecutionMeans } from './means.ts';

/** In place of the id of a job. */
export const NO_JOB = 0;

/** An execution that was left goes no further than to its next line in the journal. */
class Left extends Error {}

const placeIn = ({ set, job }: JobFact) => ({ set: set + 1, job: job + 1 });

export const bootIdOf = ({ state }: MutableFact): string | undefined =>
  'bootId' in state ? state.bootId : undefined;

export const idOf = ({ state }: MutableFact): number =>
  (state as Extract<JobState, { state: 'submitted' }>).id;

export class OnRecord {
  readonly facts: readonly MutableFact[];
  private isLeft = false;

  /** @param states how far a former run came, by set and job */
  constructor(
    work: Work,
    states: readonly (readonly JobState[])[],
    private readonly means: ExecutionMeans,
  ) {
    this.facts = factsOf(work, states);
  }

  private write(...lines: readonly JournalLine[]): void {
    if (this.isLeft) throw new Left();
    this.means.journal.write(...lines);
  }

  note(fact: MutableFact, state: JobState): void {
    const place = placeIn(fact);
    const { onEnded } = this.means;
    if (state.state === 'submitted') {
      // Whatever becomes of the journal, the job is in the queue.
      fact.state = state;
      fact.submittedAt = uptime();
      this.write({ event: 'submitted', ...place, id: state.id });
    } else if (state.state === 'refused') this.write({ event: 'refused', ...place, why: state.why });
    else if (state.state === 'ended') {
      this.write({ event: 'ended', ...place, status: state.status });
      if (fact.submittedAt !== undefined) fact.seconds = uptime() - fact.submittedAt;
    }
    fact.state = state;
    if (state.state === 'ended' || state.state === 'refused') onEnded(fact);
  }

  noteSubmitted(fact: MutableFact, id: number): void {
    this.note(fact, { state: 'submitted', id, bootId: bootIdOf(fact) });
  }

  /**
   * Jobs are about to be sent.
   * @param bootIds what nodes that start anew call their systems before
   * @param after id of a job that was in the queue before
   */
  noteSubmitting(
    facts: readonly MutableFact[],
    bootIds: ReadonlyMap<MutableFact, string>,
    after: number,
  ): void {
    const since = uptime();
    const about = facts.map((fact) => {
      const bootId = bootIds.get(fact);
      return { fact, known: { since, after, ...(bootId !== undefined && { bootId }) } };
    });
    this.write(
      ...about.map(({ fact, known }) => ({ event: 'submitting' as const, ...placeIn(fact), ...known })),
    );
    for (const { fact, known } of about) fact.state = { state: 'submitting', ...known };
  }

  /** Jobs that were about to be sent are not in the queue. */
  noteUnsent(facts: readonly MutableFact[]): void {
    for (const fact of facts) fact.state = { state: 'planned' };
    this.write(...facts.map((fact) => ({ event: 'unsent' as const, ...placeIn(fact) })));
  }

  /** The end: nothing is noted any more. @returns why it did not come further */
  leave(ending: Ending): readonly string[] {
    const why = this.means.why?.(ending, this.facts) ?? [];
    this.write({ event: 'left', outcome: ending.outcome, ...(why.length > 0 && { why: [...why] }) });
    this.isLeft = true;
    return why;
  }

  /** The end as it stands, whatever becomes of the journal: how far it is is told all the same. */
  leaveAt(signal: NodeJS.Signals): void {
    try {
      this.write({ event: 'left', outcome: 'stopped', why: [signal] });
    } catch (error) {
      if (!(error instanceof Fault || error instanceof Left)) throw error;
    }
    this.isLeft = true;
  }
}
