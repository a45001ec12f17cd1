/** What is said about an execution: while it goes on, when it ends, and when it does not end well. */
import { duration, gib } from '../../../../kit/report/sentences.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { count, someOf } from '../../../../kit/text/words.ts';
import { STANDBY_TAG } from '../../../cluster/tags/tags.ts';
import {
  type ExecutionReport,
  hasCommand,
  isFailure,
  isSuccess,
  type JobFact,
} from '../../../ganeti/execution/job-facts.ts';
import type { JobState } from '../../../ganeti/execution/journal-lines.ts';
import type { Change } from '../../../ganeti/execution/recheck.ts';
import type { Delay, Ending } from '../../../ganeti/execution/run/means.ts';
import {
  homesOf,
  homeText,
  isNodeJob,
  type NodeJob,
  subjectOf,
  type WorkJob,
} from '../../../ganeti/execution/work.ts';
import type { OtherJob } from '../../../ganeti/jobs/others-jobs.ts';
import type { execution } from '../../../results/parts/execution.ts';

/** What a job costs beside its copies of disks, in MiB that could be copied in the time. */
const JOB_WEIGHT_MIB = 512;

/** Told for each submission (contract with the stock program). */
export const jobIdsText = (ids: readonly number[]): string => `Got job IDs ${ids.join(',')}\n`;

function stateText(state: JobState): string {
  if (state.state === 'refused') return `refused: ${state.why}`;
  return state.state === 'ended' ? state.status : state.state;
}

/** A reboot by a program has no job in the queue. */
const idText = (state: JobState): string => ('id' in state && state.id ? `job ${state.id}` : 'no job');

const ACTIONS: Readonly<Record<NodeJob['action'], string>> = {
  tag: 'tags of',
  'power-off': 'power off',
  'power-on': 'power on',
  reboot: 'reboot of',
};

/** `inst1`, or `power on node1`: several jobs may be about a node. */
export const whatText = ({ work }: JobFact): string =>
  isNodeJob(work) ? `${ACTIONS[work.action]} ${subjectOf(work)}` : work.instance;

/** `inst1 node1:node2 => node3:node2`. */
function moveText(fact: JobFact): string {
  const { work } = fact;
  if (isNodeJob(work)) return whatText(fact);
  const { from, to } = homesOf(work);
  return `${work.instance} ${homeText(from)} => ${homeText(to)}`;
}

export function jobLine(fact: JobFact): string {
  const time = fact.seconds === undefined ? '' : ` (${Math.round(fact.seconds)} s)`;
  return `${idText(fact.state)}: ${moveText(fact)}: ${stateText(fact.state)}${time}\n`;
}

/** How far it is, in a line for terminals. @param seconds since it began @param before jobs done by then */
export function progressText(facts: readonly JobFact[], seconds: number, before: number): string {
  const done = facts.filter(({ state }) => isSuccess(state));
  const submitted = facts.filter(({ state }) => state.state === 'submitted');
  // A queue that is full refuses nothing: jobs stay in it.
  const waiting = submitted.filter(({ status }) => status === 'queued' || status === 'waiting').length;
  const running = submitted.length - waiting;
  const failed = facts.filter(({ state }) => isFailure(state)).length;
  const copied = (some: readonly JobFact[]): number => some.reduce((sum, { work }) => sum + work.copyMib, 0);
  const weight = (some: readonly JobFact[]): number => copied(some) + JOB_WEIGHT_MIB * some.length;
  const ownWeight = weight(done.slice(before));
  const left =
    ownWeight === 0 ? '' : `, about ${duration((seconds / ownWeight) * (weight(facts) - weight(done)))} left`;
  return (
    `${facts.length} jobs: ${waiting > 0 ? `${waiting} waiting, ` : ''}${running} running, ${done.length} done, ${failed} failed; ` +
    `${gib(copied(done))} of ${gib(copied(facts))} GiB copied${left}`
  );
}

/** Of a job that was about to be sent when a run ended. */
const NOT_KNOWN = 'not known whether submitted';

const setLine = (facts: readonly JobFact[], set: number): string => {
  const own = facts.filter((fact) => fact.set === set);
  const names = own.map(({ work }) => subjectOf(work)).join(',');
  const what = own.some(({ work }) => isNodeJob(work)) ? 'nodes' : 'instances';
  const states = own.flatMap(({ state }) => {
    if (state.state === 'planned') return [];
    return state.state === 'submitting' ? NOT_KNOWN : `${idText(state)} ${stateText(state)}`;
  });
  return `  set ${set + 1}, ${what} ${names}${states.length > 0 ? `: ${states.join(', ')}` : ''}\n`;
};

export function stoppedText({ jobs, setsLeft }: ExecutionReport): string {
  const sets = [...new Set(jobs.map(({ set }) => set))];
  const submitted = sets.filter((set) => !setsLeft.includes(set));
  return [
    'Exiting early due to user request, \n',
    `${submitted.length} jobset(s) submitted: \n`,
    ...submitted.map((set) => setLine(jobs, set)),
    `${setsLeft.length} jobset(s) not submitted:\n`,
    ...setsLeft.map((set) => setLine(jobs, set)),
  ].join('');
}

const SHOWN_NAMES = 10;

const namesText = (facts: readonly JobFact[]): string =>
  someOf([...new Set(facts.map(whatText))], SHOWN_NAMES);

/** `Done: 2 of 5 jobs (a, b). Running: job 103 (c). Not done: d, e.` */
export function balanceText(jobs: readonly JobFact[]): string {
  const done = jobs.filter(({ state }) => isSuccess(state));
  const running = jobs.filter(({ state }) => state.state === 'submitted');
  const open = jobs.filter(({ state }) => state.state === 'submitting');
  const rest = jobs.filter((fact) => ![...done, ...running, ...open].includes(fact));
  const names = done.length > 0 ? ` (${namesText(done)})` : '';
  const runs = running.map((fact) => `${idText(fact.state)} (${whatText(fact)})`).join(', ');
  return [
    `Done: ${done.length} of ${jobs.length} jobs${names}.`,
    ...(running.length > 0 ? [`Running: ${runs}.`] : []),
    ...(open.length > 0 ? [`N${NOT_KNOWN.slice(1)}: ${namesText(open)}.`] : []),
    ...(rest.length > 0 ? [`Not done: ${namesText(rest)}.`] : []),
  ].join(' ');
}

/** Messages of a log that an error quotes: the last ones tell why. */
const SHOWN_MESSAGES = 10;

const haskellStatus: Readonly<Record<string, string>> = {
  error: 'JOB_STATUS_ERROR',
  canceled: 'JOB_STATUS_CANCELED',
};

/** A node that a power job has left offline, and how it comes back into use. */
function offlineText(node: string, action: NodeJob['action']): string {
  const online = `gnt-node modify --offline=no ${node}`;
  return action === 'power-off'
    ? `  ${node} is offline, with the tag ${STANDBY_TAG}, and may have power; to use it again: ${online} && gnt-node remove-tags ${node} ${STANDBY_TAG}`
    : `  ${node} is still offline; to use it again: gnt-node power on ${node} && ${online}`;
}

function nowText({ work, now, astray, offline = [] }: JobFact): readonly string[] {
  if (isNodeJob(work)) return offline.map((node) => offlineText(node, work.action));
  if (astray) return [`  ${changeText(astray)}`];
  if (now === undefined) return [];
  const place = homeText(now);
  const { from, to } = homesOf(work);
  if (place === homeText(from)) return [`  ${work.instance} is still on ${place}`];
  return [`  ${work.instance} is now on ${place}${place === homeText(to) ? '' : ', half done'}`];
}

const failedJob = (fact: JobFact): string => {
  const { state, log } = fact;
  const why = state.state === 'refused' ? state.why : (log?.error ?? stateText(state));
  return `${idText(state)}, ${moveText(fact)}: ${why}`;
};

/** Why an execution ended as it did, for the journal. @param stop what asked it to stop */
export function whyText(
  { outcome, changes, fault }: Ending,
  jobs: readonly JobFact[],
  stop: string,
): string[] {
  if (outcome === 'failed') return jobs.filter(({ state }) => isFailure(state)).map(failedJob);
  return [
    ...changes.map(changeText),
    ...(fault ? [fault.message] : []),
    ...(outcome === 'stopped' ? [stop] : []),
  ];
}

/** The message about jobs that failed; its first two lines are the stock program's. */
export function failureText(program: string, { jobs, changes }: ExecutionReport): string {
  const failed = jobs.filter(({ state }) => isFailure(state));
  // A reboot by a program is none of the master's.
  const jobsFailed = failed.filter((fact) => !hasCommand(fact));
  const list = jobsFailed.flatMap(({ state }) =>
    state.state === 'ended' ? [`(JobId {fromJobId = ${state.id ?? 0}},${haskellStatus[state.status]})`] : [],
  );
  const head =
    list.length > 0
      ? `${program}: Not all jobs completed successfully: [${list.join(',')}]`
      : jobsFailed.length > 0
        ? `${program}: the master refused ${count(jobsFailed.length, 'job')}`
        : `${program}: ${count(failed.length, 'node was', 'nodes were')} not started anew`;
  const details = failed.flatMap((fact) => {
    const { log } = fact;
    const messages = log?.messages ?? [];
    const hidden = messages.length - SHOWN_MESSAGES;
    return [
      failedJob(fact),
      ...nowText(fact),
      ...(hidden > 0 ? [`  (${hidden} messages before these)`] : []),
      ...messages.slice(-SHOWN_MESSAGES).map((message) => `  ${message}`),
    ];
  });
  return [head, 'Aborting.', ...details, ...changes.map(changeText), balanceText(jobs)].join('\n');
}

const otherText = ({ id, does, on }: OtherJob): string => `job ${id} (${does}) is not done, about ${on}`;

const downText = (instance: string): string =>
  `instance ${instance} was shut down by its user, and the job would start it until the watcher has noted that`;

export function delayText(why: Delay): string {
  if ('lost' in why) return `Looking in the queue for ${count(why.lost, 'job')} that may be on the way\n`;
  if ('others' in why) return `Waiting: ${why.others.map(otherText).join('; ')}\n`;
  if ('down' in why) return `Waiting: ${why.down.map(downText).join('; ')}\n`;
  return `Waiting for ${why.starting}, which has power, to answer: ${duration(why.seconds)} at most; SIGINT ends this\n`;
}

const CHANGES: {
  readonly [What in Change['what']]: (change: Extract<Change, { readonly what: What }>) => string;
} = {
  'instance-gone': ({ instance }) => `instance ${instance} is gone`,
  'instance-remade': ({ instance }) => `instance ${instance} is gone, and another one has its name`,
  'instance-moved': ({ instance, found, expected }) =>
    `instance ${instance} is on ${found}, the plan expects ${expected}`,
  'template-changed': ({ instance, found, expected }) =>
    `instance ${instance} has the disk template ${found}, the plan expects ${expected}`,
  'auto-balance-off': ({ instance }) => `instance ${instance} is no longer to be balanced`,
  'node-gone': ({ node }) => `node ${node} is gone`,
  'node-offline': ({ node }) => `node ${node} is now offline or drained`,
  'node-online': ({ node }) => `node ${node} is no longer offline or drained`,
  'node-is-master': ({ node }) =>
    `node ${node} is the master now; make another node the master first (gnt-cluster master-failover)`,
  'node-occupied': ({ node, instances }) => `node ${node} has instances: ${instances.join(', ')}`,
  'not-allowed': ({ why, rule }) => `${why} (${rule})`,
  'hands-off': ({ on }) => `${on} is to be left alone (tag htools:hands-off)`,
  'others-job': otherText,
  'would-start': ({ instance }) => downText(instance),
  unreadable: ({ why }) => why,
};

export const changeText = (change: Change): string =>
  (CHANGES[change.what] as (change: Change) => string)(change);

export const refusedText = (program: string, refusals: readonly Change[]): string =>
  [
    `${program}: the plan has steps that the cluster does not allow, and nothing was submitted:`,
    ...refusals.map((refusal) => `  ${changeText(refusal)}`),
  ].join('\n');
export const REFUSED_REMEDY = 'mend that, or try a plain search, without the options for plans';

export const ENDED_WHILE_PLANNING = 'it was ended while it planned, by a signal or a crash';

export const heldText = (why: readonly string[]): string => `Nothing is carried out: ${why.join('; ')}\n`;

export const skippedText = (what: readonly string[]): string =>
  what.length === 0 ? '' : `Left out: ${someOf(what, SHOWN_NAMES)}\n`;

/** Instances that no way home leads back, or of which nobody asks any more where they are. */
export const goneText = (names: readonly string[]): string =>
  names.length === 0 ? '' : `Passed over, as they are gone, renamed or made anew: ${names.join(', ')}\n`;

/** Nodes that a plan which is gone on with was made without. */
export const unplannedNodesText = (nodes: readonly string[]): string =>
  `Left out by the plan: ${nodes.join(', ')} (tag htools:hands-off)\n`;

export const troubleText = (wrong: readonly string[]): string =>
  ['the cluster is in trouble, and nothing was submitted:', ...wrong.map((one) => `  ${one}`)].join('\n');

export function changedText({ jobs, changes }: ExecutionReport): string {
  const next = jobs.find(({ state }) => state.state === 'planned');
  return [
    next === undefined
      ? 'all jobs have succeeded, but the cluster is not as the plan promised:'
      : `the cluster has changed, and job set ${next.set + 1} was not submitted:`,
    ...changes.map((change) => `  ${changeText(change)}`),
    balanceText(jobs),
  ].join('\n');
}

const workJson = (work: WorkJob) =>
  isNodeJob(work)
    ? { action: work.action, nodes: work.nodes.map(({ name }) => name) }
    : { instance: work.instance, from: homeText(homesOf(work).from), to: homeText(homesOf(work).to) };

/** An execution for a JSON document. Sets and jobs count from 1. */
export const executionJson = ({
  outcome,
  why,
  jobs,
  changes,
}: Pick<ExecutionReport, 'why' | 'jobs' | 'changes'> & {
  readonly outcome: ExecutionReport['outcome'] | 'held';
}): DocumentOf<typeof execution> => ({
  outcome,
  why: [...why],
  jobs: jobs.map(({ set, job, work, state, seconds, log, now, offline }) => ({
    set: set + 1,
    job: job + 1,
    ...workJson(work),
    id: ('id' in state && state.id) || null,
    status: state.state === 'ended' ? state.status : state.state,
    ...(state.state === 'refused' ? { why: state.why } : {}),
    ...(seconds === undefined ? {} : { seconds }),
    ...(log === undefined ? {} : { error: log.error, log: log.messages }),
    ...(now === undefined ? {} : { now: homeText(now) }),
    ...(offline && { offline: [...offline] }),
  })),
  changes,
});
