/** hsqueeze: finds nodes that can be switched off to save power, or that must be switched on again. */
import { documentHead } from '../../../kit/report/json.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { movedSnapshot } from '../../model/state/moved-snapshot.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { type Squeeze, squeeze } from '../../planners/maintain/squeeze/squeeze.ts';
import { type SwitchedCluster, TO_THE_END } from '../../planners/maintain/squeeze/switched.ts';
import { loadCluster, withHeadRoom } from '../shared/cluster/load-cluster.ts';
import { saveState } from '../shared/cluster/save-states.ts';
import { printPlan } from '../shared/document/print-document.ts';
import { begin } from '../shared/execute/begin.ts';
import { reportWhatIf } from '../shared/questions/report-what-if.ts';
import { assertPlan } from '../shared/steps/assert-plan.ts';
import { commandsText, fileLines, printedLines } from '../shared/steps/script.ts';
import { commandLines, workOfSqueeze } from './orders.ts';
import * as R from './report.ts';

export { notBegun } from '../shared/execute/begin.ts';

/** From this verbosity on the nodes that were looked at are shown. */
const SHOWS_CANDIDATES = 2;

const SAVED_AS: Readonly<Record<Squeeze['action'], string>> = {
  online: 'after hsqueeze expansion',
  offline: 'after hsqueeze run',
  none: 'after hsqueeze doing nothing',
};

function assertBalancing(result: SwitchedCluster | undefined): void {
  for (const group of result?.groups ?? [])
    assertPlan({ start: result!.start, ...group, limits: { ...TO_THE_END, betweenGroups: false } });
}

const NOTHING_TO_DO = 'echo Nothing to do';

function commandsSaid(snapshot: Snapshot, found: Squeeze, file: string | undefined): string {
  const lines = () => commandLines(snapshot, found);
  return commandsText(
    file,
    () => printedLines(lines().length > 0 ? lines() : [NOTHING_TO_DO], 'Commands to run:'),
    // As in the stock program, what there is for nothing to do has no end of line.
    () => fileLines(lines()) || NOTHING_TO_DO,
  );
}

export const main = (options: ProgramOptions<'hsqueeze'>): Promise<number> => begin('hsqueeze', options, run);

async function run(options: ProgramOptions<'hsqueeze'>): Promise<number> {
  const loaded = await loadCluster(options);
  const snapshot = withHeadRoom(loaded, options);
  const whatIf = await reportWhatIf(snapshot, options);
  saveState(options.save, 'original', 'before hsqueeze run', () => snapshot);
  const found = squeeze(snapshot, { ...options, isExact: options.exactSqueeze, isSteady: options.exec });
  const { save, printCommands, json, exec } = options;
  if (save !== undefined || printCommands !== undefined || json || exec) assertBalancing(found.result());
  const say = options.json ? () => {} : printOut;
  const told = options.verbosity >= SHOWS_CANDIDATES ? R.squeezeFacts(snapshot, found) : undefined;
  if (told) say(R.candidatesText(told));
  if (!options.noHeaders) say(R.HEADINGS[found.action]);
  say(found.nodes.map((n) => `${snapshot.nodes[n]!.name}\n`).join(''));
  if (told) {
    if (!told.isEnough) say(R.TOO_FEW);
    printErr(R.savingsText(told));
  }
  say(commandsSaid(snapshot, found, options.printCommands));
  const executed = exec
    ? await (await import('../shared/execute/carry-out.ts')).carryOut(
        'hsqueeze',
        options,
        workOfSqueeze(loaded, snapshot, found),
        say,
      )
    : {};
  await printPlan(options, executed, () => ({
    ...documentHead('hsqueeze'),
    ...(told ?? R.squeezeFacts(snapshot, found)),
    ...R.movingFacts(snapshot, found),
    ...whatIf,
  }));
  // Behind the document: what was carried out is told also where the state finds no room.
  saveState(options.save, 'squeezed', SAVED_AS[found.action], () => {
    const result = found.result();
    return result ? movedSnapshot(result.state, options.stockFigures ? 'stock' : 'true') : snapshot;
  });
  return 0;
}
