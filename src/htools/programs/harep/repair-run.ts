/**
 * One run over the instances: what became of pending repairs is noted, and what is broken gets a repair. The
 * tags of the instances are the memory between two runs: a repair is noted before the next begins.
 */
import { ExecutionError, Fault } from '../../../kit/faults.ts';
import { reachableNames } from '../../cluster/instance-status.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { leftAlone } from '../../cluster/tags/hands-off.ts';
import { isFinal } from '../../ganeti/jobs/job-status.ts';
import { jobAbout, type OpenJob } from '../../ganeti/jobs/others-jobs.ts';
import { addTags, delay, type Opcode, removeTags } from '../../plan/opcodes.ts';
import { damageOf, hasHelped } from '../../planners/maintain/repair/damage.ts';
import {
  type RepairState,
  taggedState,
  withCurrentTag,
} from '../../planners/maintain/repair/repair-state.ts';
import {
  policyFor,
  type RepairRecord,
  type RepairType,
  severityOf,
  withTag,
} from '../../planners/maintain/repair/repair-tags.ts';
import type { JobQueue } from './job-queue.ts';
import type { InstanceRepair, LeftAlone, RepairChange } from './repair-facts.ts';
import * as T from './text.ts';

/** The cluster, and the jobs that had not ended when it was read, or a moment before. */
export interface Look {
  readonly snapshot: Snapshot;
  readonly openJobs: readonly OpenJob[];
}

interface RepairMeans {
  readonly look: Look;
  readonly lookAgain: () => Promise<Look>;
  readonly chosen: readonly number[];
  /** undefined when the cluster is a snapshot, of whose jobs nobody knows. */
  readonly queue: JobQueue | undefined;
  /** Nothing is changed; always so without a queue. */
  readonly isDryRun: boolean;
  /** Wait ahead of each repair in its job; 0 or less = none. */
  readonly jobDelaySeconds: number;
  /** Why nothing new is to be begun; undefined while it may. */
  readonly end: () => 'out-of-time' | 'stopped' | undefined;
  readonly say: (text: string) => void;
  readonly nowSeconds: () => number;
  readonly newId: () => string;
}

type Subject = InstanceRepair;

/** The instance before anything is done. @throws ExecutionError when its tags contradict each other */
function subjectOf({ snapshot }: Look, { nowSeconds }: RepairMeans, instance: number): Subject {
  const { name, tags, primary, diskTemplate } = snapshot.instances[instance]!;
  const found = taggedState(tags);
  if ('conflict' in found)
    throw new ExecutionError(
      T.conflictText(name, found.conflict),
      'find out which of the two repairs is still under way, and remove the other tag with gnt-instance remove-tags',
    );
  const group = snapshot.groups[snapshot.nodes[primary]!.group]!;
  return {
    ...found,
    instance: name,
    diskTemplate,
    allowed: policyFor({ instance: tags, group: group.tags, cluster: snapshot.tags }, nowSeconds()),
    damage: damageOf(snapshot, instance),
    changes: [],
    leftAlone: null,
  };
}

/** What of a look all instances are held against. */
const seenIn = ({ snapshot, openJobs }: Look) => ({
  openJobs,
  handsOff: leftAlone(snapshot),
  /** Nodes whose disks are whole: some are drained, which counts as offline in stock. */
  reachable: reachableNames(snapshot),
});

class RepairRun {
  private seen: ReturnType<typeof seenIn>;
  fault: Fault | undefined;

  constructor(private readonly means: RepairMeans) {
    this.seen = seenIn(means.look);
  }

  /** Does one step for an instance; behind a fault nothing new is begun. */
  async step(what: 'settle' | 'repair', subject: Subject): Promise<Subject> {
    try {
      return await this[what](subject);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.fault = error;
      return { ...subject, leftAlone: 'stopped' };
    }
  }

  private end(): LeftAlone | undefined {
    return this.fault ? 'stopped' : this.means.end();
  }

  private async runJob(opcodes: readonly Opcode[]): Promise<void> {
    if (!this.means.isDryRun) await this.means.queue!.run(opcodes);
  }

  private async commit(subject: Subject, what: RepairChange['what'], current: RepairState): Promise<Subject> {
    const { say } = this.means;
    const { instance: name } = subject;
    const { tag } = current.record!;
    const removed = withCurrentTag(subject);
    say(T.addingText(name, tag));
    await this.runJob([addTags('instance', name, [tag])]);
    if (removed.length > 0) {
      say(T.removingText(name, removed));
      await this.runJob([removeTags('instance', name, removed)]);
    }
    const change: RepairChange = { what, addedTag: tag, removedTags: removed };
    return { ...subject, current, outdated: [], changes: [...subject.changes, change] };
  }

  private async settle(subject: Subject): Promise<Subject> {
    const { current, instance: name, damage } = subject;
    if (current.state !== 'pending') return subject;
    const over = this.end();
    if (over) return { ...subject, leftAlone: over };
    if (!this.means.queue) return { ...subject, leftAlone: 'pending' };
    const statuses = await this.means.queue.statuses(current.record.jobs);
    const goesOn = statuses.some((status) => status !== 'gone' && !isFinal(status));
    if (goesOn) return { ...subject, leftAlone: 'pending' };
    // Ended so long ago that the queue has forgotten it: the instance shows whether it helped.
    const isMended = statuses.every(
      (status) => status === 'success' || (status === 'gone' && hasHelped(current.record.type, damage)),
    );
    const record = withTag({
      ...current.record,
      result: isMended ? 'success' : 'failure',
      time: this.means.nowSeconds(),
    });
    const next: RepairState = isMended ? { state: 'healthy', record } : { state: 'failed', record };
    this.means.say(T.movingText(name, current.state, next.state));
    return this.commit(subject, 'settled', next);
  }

  private async lookedAtAgain(subject: Subject): Promise<Subject> {
    const look = await this.means.lookAgain();
    this.seen = seenIn(look);
    const at = look.snapshot.instances.findIndex(({ name }) => name === subject.instance);
    if (at < 0) return { ...subject, damage: null };
    return { ...subjectOf(look, this.means, at), changes: subject.changes };
  }

  private async repair(subject: Subject, isSeenNow = this.means.isDryRun): Promise<Subject> {
    const { current, damage, allowed: policy, instance: name } = subject;
    if (current.state === 'failed') return { ...subject, leftAlone: 'failed-before' };
    if (subject.leftAlone !== null || damage === null) return subject;
    if (current.state === 'pending') return { ...subject, leftAlone: 'pending' };
    if (damage.repair === null) return { ...subject, leftAlone: 'no-repair' };
    if (this.seen.handsOff.has(name)) return { ...subject, leftAlone: 'hands-off' };
    const over = this.end();
    if (over) return { ...subject, leftAlone: over };
    // It may be a repair, of a run that ended before it was noted, or an evacuation of its node.
    const job = jobAbout([name, ...damage.offlineNodes], this.seen.openJobs);
    if (job) return { ...subject, leftAlone: 'busy', job };
    const { repair: type, opcodes } = damage;
    if (policy.kind !== 'enabled') {
      this.means.say(T.notRepairingText(name, policy));
      return { ...subject, leftAlone: policy.kind };
    }
    if (severityOf(type) > severityOf(policy.upTo)) {
      this.means.say(T.notPermittedText(name, type, policy.upTo));
      const record = this.record(type, [], 'enoperm');
      const committed = await this.commit(subject, 'not-permitted', { state: 'needs-repair', record });
      return { ...committed, leftAlone: 'not-permitted' };
    }
    if (type !== 'reinstall') return this.begin(subject, type, opcodes);
    if (damage.offlineNodes.some((node) => this.seen.reachable.has(node)))
      return { ...subject, leftAlone: 'drained' };
    // Somebody may have brought a node back since the run began.
    if (!isSeenNow) return this.repair(await this.lookedAtAgain(subject), true);
    return this.begin(subject, type, opcodes);
  }

  private record(
    type: RepairType,
    jobs: readonly number[],
    result: RepairRecord['result'] = null,
  ): RepairRecord {
    const { newId, nowSeconds } = this.means;
    return withTag({ type, id: newId(), time: nowSeconds(), jobs, result });
  }

  private async begin(subject: Subject, type: RepairType, opcodes: readonly Opcode[]): Promise<Subject> {
    const { say, queue, isDryRun, jobDelaySeconds } = this.means;
    const { instance: name } = subject;
    say(T.executingText(name, type));
    // The tags' job gets the instance while the repair waits; else it would stand behind the repair.
    const job = jobDelaySeconds > 0 ? [delay(jobDelaySeconds), ...opcodes] : opcodes;
    if (isDryRun) say(T.jobsText([job]));
    const jobs = isDryRun ? [] : [await queue!.submit(job)];
    const record = this.record(type, jobs);
    const current = { state: 'pending', record } as const;
    try {
      return await this.commit(subject, 'repair', current);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.fault = new ExecutionError(
        `job ${jobs.join()} repairs ${name}, but its tags do not say so: ${error.message}`,
        `add the tag by hand, so that the next run does not repair it again: gnt-instance add-tags ${name} ${record.tag}`,
      );
      return { ...subject, current };
    }
  }
}

/**
 * Goes over the chosen instances: pending repairs first, then new ones, in their order.
 * @returns how they are then, and what ended the run ahead of its end
 * @throws ExecutionError when tags contradict each other; nothing is done then
 */
export async function repairInstances(
  means: RepairMeans,
): Promise<{ readonly repairs: readonly InstanceRepair[]; readonly fault: Fault | undefined }> {
  const run = new RepairRun(means);
  const repairs = means.chosen.map((instance) => subjectOf(means.look, means, instance));
  for (const what of ['settle', 'repair'] as const)
    for (const [at, subject] of repairs.entries()) repairs[at] = await run.step(what, subject);
  return { repairs, fault: run.fault };
}
