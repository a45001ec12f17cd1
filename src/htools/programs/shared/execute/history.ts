/** `--history`: what the journals that are kept say of executions. */

import { documentHead } from '../../../../kit/report/json.ts';
import { printOut } from '../../../../kit/report/output.ts';
import { type Family, figuresOf } from '../../../../kit/report/prometheus.ts';
import { duration, gib } from '../../../../kit/report/sentences.ts';
import { numbers, texts, textTable } from '../../../../kit/report/text-table.ts';
import { documentIn } from '../../../../kit/results/document-text.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { MS_PER_S } from '../../../../kit/units.ts';
import { isSuccess } from '../../../ganeti/execution/job-facts.ts';
import {
  type JobState,
  type JournalState,
  jobsOf,
  type PlanState,
  plansOf,
} from '../../../ganeti/execution/journal-lines.ts';
import { type KeptJournal, keptJournals, stateFolder } from '../../../ganeti/execution/state-folder.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import type { history } from '../../../results/history.ts';

type History = DocumentOf<typeof history>;
type Run = History['runs'][number];

function amountOf(plans: readonly PlanState[], counts: (state: JobState) => boolean) {
  const works = plans.flatMap(jobsOf).filter(({ state }) => counts(state));
  return { jobs: works.length, copyMib: works.reduce((all, { job }) => all + job.copyMib, 0) };
}

/** By the sets that are done; of another plan than the first nobody knows the scores. */
function scoreOf({ plan, jobs }: JournalState): Run['score'] {
  const { scores } = plan;
  if (scores === undefined) return null;
  const unfinished = jobs.findIndex((set) => !set.every(isSuccess));
  return { before: scores[0]!, wanted: scores.at(-1)!, reached: scores.at(unfinished)! };
}

function runOf({ file, isRunning }: KeptJournal, journal: JournalState): Run {
  const { plan, outcome, began, ended, why } = journal;
  const all = plansOf(journal);
  const turned = all.findIndex(({ work }) => work.isHomeward);
  const plans = all.slice(Math.max(0, turned));
  return {
    journal: file,
    state: isRunning ? 'running' : (outcome ?? 'broken off'),
    program: plan.program,
    cluster: plan.cluster,
    isHomeward: turned >= 0,
    began,
    ended,
    seconds: Math.max(0, (Date.parse(ended) - Date.parse(began)) / MS_PER_S),
    wanted: amountOf(plans.slice(0, 1), () => true),
    done: amountOf(plans, isSuccess),
    score: scoreOf(journal),
    // What stands there already is for an end that has not come.
    why: isRunning ? [] : why,
  };
}

function historyIn(folder: string): History {
  const kept = keptJournals(folder);
  return {
    ...documentHead('hbal'),
    runs: kept.flatMap((one) => (one.journal === undefined ? [] : [runOf(one, one.journal)])),
    unreadable: kept.flatMap(({ file, journal }) => (journal === undefined ? [file] : [])),
  };
}

const COLUMNS = [
  ...texts('State', 'Began (UTC)', 'Program', 'Cluster'),
  ...numbers('Jobs', 'GiB', 'Took'),
  ...texts('Score'),
];

function scoreText(score: Run['score']): string {
  if (score === null) return '';
  const [before, wanted, reached] = [score.before, score.wanted, score.reached].map((one) => one.toFixed(3));
  return `${before} => ${reached}${reached === wanted ? '' : `, wanted ${wanted}`}`;
}

const row = (run: Run): readonly string[] => [
  run.state,
  run.began.slice(0, 'yyyy-mm-ddThh:mm'.length),
  run.program,
  run.cluster,
  `${run.done.jobs}/${run.wanted.jobs}`,
  `${gib(run.done.copyMib)}/${gib(run.wanted.copyMib)}`,
  duration(run.seconds),
  scoreText(run.score),
];

/** What is long has lines of its own below a row, so that a row fits a terminal. */
function tableOf({ runs, unreadable }: History): string {
  const entries = [
    ...runs.map((run) => ({
      cells: row(run),
      notes: [run.journal, ...(run.isHomeward ? ['the way home'] : []), ...run.why],
    })),
    ...unreadable.map((file) => ({
      cells: ['unreadable', ...COLUMNS.slice(1).map(() => '')],
      notes: [file],
    })),
  ];
  if (entries.length === 0) return `No journals in ${stateFolder()}\n`;
  const table = textTable(
    '',
    COLUMNS,
    entries.map(({ cells }) => cells),
  );
  const [heading, ...lines] = table.trimEnd().split('\n');
  const below = (at: number): readonly string[] => entries[at]!.notes.map((note) => `   ${note}`);
  return [heading!, ...lines.flatMap((line, at) => [line, ...below(at)])]
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

const lastOfEach = (runs: readonly Run[]): readonly Run[] => [
  ...new Map(runs.toReversed().map((run) => [`${run.program} ${run.cluster}`, run])).values(),
];

/** Nobody knows what it would have done: the cluster could not be read, or something was asked in vain. */
const hasNoPlan = ({ state, cluster, wanted }: Run): boolean =>
  cluster === '' || (state === 'held' && wanted.jobs === 0);

/** Of the last execution of each program on each cluster; who came to no plan leaves the last to grow old. */
// biome-ignore format: a table
const historyFamilies = ({ runs }: History): readonly Family[] => figuresOf('execution',
  lastOfEach(runs.filter((run) => !hasNoPlan(run))),
  ({ program, cluster }) => ({ program, cluster }),
  ['ended_seconds', 'When it ended, in seconds since 1970.', ({ ended }) => Date.parse(ended) / MS_PER_S],
  ['duration_seconds', 'How long it took.', ({ seconds }) => seconds],
  ['state', 'How it stands.', ({ state }) => ({ state: { [state]: 1 } })],
  ['jobs', 'Jobs that were wanted, and that are done.',
    ({ wanted, done }) => ({ what: { wanted: wanted.jobs, done: done.jobs } })],
  ['copied_bytes', 'Disk to be copied, and copied.',
    ({ wanted, done }) => ({ what: { wanted: wanted.copyMib, done: done.copyMib } })],
  ['score', "The cluster's score.", ({ score }) => score === null ? undefined : { when: { ...score } }],
);

/** @returns the exit status */
export async function showHistory(options: SomeOptions<'format' | 'json'>): Promise<number> {
  const document = historyIn(stateFolder());
  printOut(
    options.json
      ? await documentIn(options.format, document, async () => historyFamilies)
      : tableOf(document),
  );
  return 0;
}
