/** `--journals`: the executions whose records are kept. */
import { printOut } from '../../../../kit/report/output.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { type KeptJournal, keptJournals, stateFolder } from '../../../ganeti/execution/state-folder.ts';

const COLUMNS = ['State', 'Began', 'Program', 'Cluster', 'Jobs', 'Journal'].map((heading) => ({
  heading,
  isNumeric: heading === 'Jobs',
}));

function row({ file, journal, isRunning }: KeptJournal): readonly string[] {
  if (journal === undefined) return ['unreadable', '', '', '', '', file];
  const { plan, jobs, outcome, began } = journal;
  const all = jobs.flat();
  const done = all.filter((job) => job.state === 'ended' && job.status === 'success').length;
  const state = isRunning ? 'running' : (outcome ?? 'broken off');
  return [
    state,
    began.slice(0, 'yyyy-mm-ddThh:mm'.length),
    plan.program,
    plan.cluster,
    `${done}/${all.length}`,
    file,
  ];
}

/** @returns the exit status */
export function listJournals(): number {
  const kept = keptJournals(stateFolder());
  printOut(kept.length === 0 ? `No journals in ${stateFolder()}\n` : reportTable('', COLUMNS, kept.map(row)));
  return 0;
}
