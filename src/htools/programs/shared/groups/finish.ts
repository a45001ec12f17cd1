/** How programs between groups end: plan told, script and states, page, carried out, document or keys. */
import type { Content } from '../../../../kit/report/html/markup.ts';
import { finalKey } from '../../../../kit/report/key-value.ts';
import { printOut } from '../../../../kit/report/output.ts';
import { wrapped } from '../../../../kit/report/sentences.ts';
import { nodeRows } from '../../../explain/state/state-facts.ts';
import { ClusterState } from '../../../model/state/state.ts';
import { shellWord } from '../../../plan/shell-word.ts';
import type { PlanFacts } from '../../../planners/groups/relocate/plan-facts.ts';
import { nodesOf } from '../../../planners/groups/relocate/relocation.ts';
import { snapshotAfter } from '../../../planners/groups/relocate/relocation-plan.ts';
import type { RelocationsExplanation } from '../../../results/parts/relocations.ts';
import { saveState } from '../cluster/save-states.ts';
import { type AnyDocument, type Executed, printPlan } from '../document/print-document.ts';
import { jobSetsText, STDOUT } from '../steps/script.ts';
import type { GroupWork, GroupWorkOptions } from './group-work.ts';

type Why = { readonly explanation?: RelocationsExplanation };

export interface GroupResult {
  /** The plan; undefined where none was asked for. */
  readonly plan: PlanFacts | undefined;
  readonly emptied?: readonly number[];
  readonly diskMoves: boolean;
  /** Of the file with the state after the plan. */
  readonly suffix: string;
  readonly text: string;
  readonly hint?: string | undefined;
  readonly document: AnyDocument;
  /** Lines `KEY=value`, but for the last, which says that all went well. */
  readonly keys: () => string;
  /** The page of `--html`: what it is, and its sections. */
  readonly page: string;
  readonly sections: (why: Why, tables: ReturnType<typeof nodesAround>) => Promise<readonly Content[]>;
}

/** Tells the result, carries the plan out where that is asked for, and throws what went wrong then. */
export async function finishGroupWork(work: GroupWork, result: GroupResult): Promise<void> {
  const { options, say, whatIf } = work;
  const { plan, hint } = result;
  const { text: whyText, ...why } = await explained(work, result);
  const isExplained = options.explainSteps;
  say(result.text);
  if (isExplained) say(whyText);
  if (hint !== undefined) say(hint);
  if (plan) {
    // Also where nothing moves: what an earlier run has left in these files must not be taken for this plan.
    deliver(work, plan, result.suffix);
    if (plan.moves.length > 0) say(nextSteps(options));
  }
  if (options.html !== undefined) {
    const { writePage } = await import('../document/write-page.ts');
    const sections = await result.sections(why, nodesAround(work, plan));
    writePage(options.html, work.program, result.page, sections);
  }
  const executed = await executeMoves(work, result);
  if (options.machineReadable) {
    const isWell = executed.fault === undefined;
    printOut(result.keys() + (isWell ? finalKey(work.program.toUpperCase()) : ''));
  }
  const document = { ...result.document, ...(isExplained && why), ...whatIf } as AnyDocument;
  await printPlan(options, executed, () => document);
}

/** What each move does, for `--explain` and for the page, asked or not; the code is loaded only then. */
async function explained(
  { options, snapshot, selection, progress }: GroupWork,
  { plan, emptied = [] }: GroupResult,
): Promise<Why & { readonly text: string }> {
  const { explainSteps, html } = options;
  if (!plan || (!explainSteps && html === undefined)) return { text: '' };
  const [{ explainRelocations }, { relocationsText }] = await Promise.all([
    import('../../../explain/groups/explain-relocations.ts'),
    import('./relocation-text.ts'),
  ]);
  const { moves } = plan;
  const explanation = explainRelocations(
    { start: snapshot, moves, leftOut: selection.leftOut, emptied: new Set(emptied) },
    (step) => progress.at(() => `explaining move ${step}`),
  );
  progress.done();
  return { text: moves.length > 0 ? relocationsText(explanation) : '', explanation };
}

/** Writes the script, or says the commands; saves the states where that is asked for. */
function deliver({ options, snapshot, say }: GroupWork, plan: PlanFacts, suffix: string): void {
  const { printCommands, save } = options;
  if (printCommands !== STDOUT || plan.moves.length > 0)
    say(jobSetsText(options, () => plan.jobSets.map((set) => set.map(({ commands }) => commands))));
  const relocations = plan.moves.map(({ relocation }) => relocation);
  saveState(save, 'original', 'before the moves', () => snapshot);
  saveState(save, suffix, 'after the moves', () => snapshotAfter(snapshot, relocations));
}

function nextSteps({ exec, printCommands, verbosity }: GroupWorkOptions): string {
  if (exec || verbosity < 1) return '';
  // The same words whatever the source is: a cluster reads the same over every way.
  if (printCommands === undefined)
    return wrapped(
      '',
      'Nothing has been changed. To carry this out, run again with -C for the commands, with -CFILE for a script, or on the master node with -L -X.',
    );
  return printCommands === STDOUT
    ? wrapped(
        '',
        'Nothing has been changed. Run the commands set by set; jobs of one set may run in parallel.',
      )
    : `Nothing has been changed. Read the script, then run it: sh ${shellWord(printCommands)}\n`;
}

/** Carries the moves out where asked for. @throws ExecutionError without a master to carry them out */
async function executeMoves(
  { program, options, loaded, snapshot, say }: GroupWork,
  { plan, diskMoves }: GroupResult,
): Promise<Executed> {
  if (!options.exec || plan === undefined) return {};
  const { carryOut } = await import('../execute/carry-out.ts');
  const sets = plan.jobSets
    .slice(0, options.firstJobGroup ? 1 : undefined)
    .map((set) => set.map(({ relocation }) => ({ steps: relocation.steps, nodes: nodesOf(relocation) })));
  const limits = { ignoreSoftErrors: false, diskMoves };
  return carryOut(program, options, { loaded, start: snapshot, sets, limits }, say);
}

/** Nodes before the moves and after them, and how fast these go, for `--html`. */
function nodesAround({ snapshot, cluster }: GroupWork, plan: PlanFacts | undefined) {
  const all = [...snapshot.nodes.keys()];
  const relocations = (plan?.moves ?? []).map(({ relocation }) => relocation);
  return {
    // Not the planners' state: they leave it as their moves have made it.
    before: nodeRows(new ClusterState(snapshot), all),
    after: nodeRows(new ClusterState(snapshotAfter(snapshot, relocations)), all),
    rates: cluster.rates,
  };
}
