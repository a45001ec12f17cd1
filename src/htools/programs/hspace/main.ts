/** hspace: fills a cluster with instances until no more fit, and says how many there were. */
import { ExecutionError, UsageError } from '../../../kit/faults.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { Progress } from '../../../kit/report/progress.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { nodeRows } from '../../explain/state/node-rows.ts';
import { movedSnapshot } from '../../model/state/moved-snapshot.ts';
import { poolUses } from '../../model/state/pool-room.ts';
import { wholeScope } from '../../model/state/scope.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { capacityStats } from '../../planners/allocate/fill/fill-stats.ts';
import { assertSearchLimits } from '../shared/balance/search-limits.ts';
import { loadCluster, withNodeOptions } from '../shared/cluster/load-cluster.ts';
import { saveState } from '../shared/cluster/save-states.ts';
import { documentText } from '../shared/document/document-text.ts';
import { figuresOf, listings } from '../shared/listings/listings.ts';
import { reportWhatIf } from '../shared/questions/report-what-if.ts';
import { type AllocatedPhase, allocate } from './allocations.ts';
import { explain } from './explain.ts';
import { type Explanation, explanationText } from './explanation.ts';
import { type Ground, groundOf, sizeOfSpec } from './ground.ts';
import { hspaceJson } from './json.ts';
import * as K from './keys.ts';
import { groundNotes, startNotes } from './notes.ts';
import type { Phase } from './phase.ts';
import type { Rebalanced } from './rebalance.ts';
import * as T from './text.ts';

/** Verbosity from which on new instances are mapped. */
const MAP = 2;

/** @returns the exit status: 0, also when nothing fits */
export async function main(options: ProgramOptions<'hspace'>): Promise<number> {
  const loaded = withNodeOptions(await loadCluster(options), options);
  const whatIf = await reportWhatIf(loaded, options);
  const balanced = await afterBalancing(loaded, options);
  const snapshot = balanced?.snapshot ?? loaded;
  const state = new ClusterState(snapshot, { trackPeerOrder: options.printNodes !== undefined });
  const ground = groundOf(state, options);
  const say = options.json ? () => {} : printOut;
  const stats = capacityStats(state);
  const hasExclusiveStorage = snapshot.nodes.some((node) => node.hasExclusiveStorage);

  printErr(startNotes(options, state));
  // Keys are read by shells: what is for people stands aside.
  if (balanced && !options.json) (options.machineReadable ? printErr : printOut)(T.rebalancedText(balanced));
  const pools = poolUses(state);
  if (options.machineReadable) say(K.clusterKeys(stats, snapshot.nodes.length) + K.clusterPoolKeys(pools));
  else say(T.clusterText(stats, snapshot.nodes.length, hasExclusiveStorage) + T.poolsText(pools));
  printErr(groundNotes(options, ground));

  const shown =
    options.json && options.printNodes !== undefined ? snapshot.nodes.map((_, n) => n) : undefined;
  // The cluster that is full of it is let go before the next one.
  const runTiered = () => {
    const { phase, filler } = run(options, ground, 'tiered');
    reportPhase(options, { phase, filler }, snapshot);
    return { phase, nodes: shown && nodeRows(filler.state, shown) };
  };
  const tiered = runTiered();
  say(options.machineReadable ? K.tieredKeys(tiered.phase) : T.resultText(tiered.phase));

  const standard = run(options, ground, 'standard');
  reportPhase(options, standard, snapshot);
  if (options.machineReadable) {
    assertCount(standard.phase, snapshot);
    say(K.standardKeys(standard.phase, snapshot.instances.length) + K.finalKey());
  } else say(T.resultText(standard.phase));
  const tables = shown && {
    initial: nodeRows(state, shown),
    allocations: [tiered.nodes!, nodeRows(standard.filler.state, shown)],
  };
  // The page tells what would make room, asked or not.
  const found =
    options.explain || options.html !== undefined
      ? explainWithProgress(ground, standard, options)
      : undefined;
  const explanation = options.explain ? found : undefined;
  if (explanation && !options.json) {
    const print = options.machineReadable ? printErr : printOut;
    print(explanationText(explanation, snapshot));
  }
  const phases = [tiered.phase, standard.phase];
  const facts = { snapshot, initial: stats, pools, phases, explanation, balanced };
  if (options.html !== undefined) {
    const { writePage } = await import('../shared/document/write-page.ts');
    const { hspaceSections } = await import('../shared/page/hspace-page.ts');
    const all = [...snapshot.nodes.keys()];
    const nodes = { before: nodeRows(state, all), after: nodeRows(standard.filler.state, all) };
    writePage(
      options.html,
      'hspace',
      'what still fits',
      hspaceSections(hspaceJson({ ...facts, explanation: found }), nodes),
    );
  }
  if (options.json) printOut(await documentText(options, { ...hspaceJson(facts, tables), ...whatIf }));
  return 0;
}

/** The cluster to count in, balanced if asked. @throws UsageError for words about a search not asked for */
async function afterBalancing(
  snapshot: Snapshot,
  options: ProgramOptions<'hspace'>,
): Promise<Rebalanced | undefined> {
  assertSearchLimits(options);
  if (!options.afterBalancing && options.search === 'deep')
    throw new UsageError(
      '--search=deep is a way of balancing, and nothing is balanced here',
      'add --after-balancing',
    );
  if (!options.afterBalancing) return undefined;
  return (await import('./rebalance.ts')).rebalanced(snapshot, options);
}

function run(options: ProgramOptions<'hspace'>, ground: Ground, kind: Phase['kind']): AllocatedPhase {
  const { policy } = ground.snapshot;
  const asked = kind === 'tiered' ? options.tieredAlloc : options.standardAlloc;
  const ranges = policy.ranges.map((range) => sizeOfSpec(range.max));
  const usual = kind === 'tiered' ? ranges : [sizeOfSpec(policy.standard)];
  const sizes = asked ? [{ ...asked, spindles: asked.spindleUse }] : usual;
  if (sizes.length === 0)
    throw new ExecutionError(
      'Empty list of specs received from the cluster',
      'name the size to start from with --tiered-alloc',
    );
  const progress = new Progress();
  const result = allocate(ground, {
    kind,
    sizes,
    limit: options.maxLength === -1 ? undefined : options.maxLength,
    checksCapacity: !options.noCapacityChecks,
    tracksPeers: options.printNodes !== undefined,
    onPlaced: (count) => progress.at(() => `${kind} allocation: ${count} instances`),
  });
  progress.done();
  return result;
}

function explainWithProgress(
  ground: Ground,
  standard: AllocatedPhase,
  options: ProgramOptions<'hspace'>,
): Explanation {
  const progress = new Progress();
  const explanation = explain(ground, standard, options, (count) =>
    progress.at(() => `explaining: ${count} instances tried`),
  );
  progress.done();
  return explanation;
}

/** What both allocations say in the same way. */
function reportPhase(
  options: ProgramOptions<'hspace'>,
  { phase, filler }: AllocatedPhase,
  snapshot: Snapshot,
): void {
  const { state } = filler;
  if (!options.json) {
    printOut(options.machineReadable ? K.sizeKeys(phase) : T.sizeAsked(phase));
    if (options.verbosity >= MAP) printErr(T.allocationMap(phase, snapshot));
    const title = phase.kind === 'tiered' ? 'Tiered allocation' : 'Standard allocation';
    printErr(listings({ ...options, printInstances: false }, state, wholeScope(snapshot), '', title));
  }
  saveState(options.save, phase.kind, `after ${phase.kind} allocation`, () =>
    movedSnapshot(state, figuresOf(options)),
  );
}

/** Stock's keys cannot be had for clusters whose forthcoming instances are on no node's list. */
function assertCount({ after, instances }: Phase, snapshot: Snapshot): void {
  const allocated = snapshot.instances.length + instances.length;
  if (allocated !== after.instances)
    throw new ExecutionError(
      `internal inconsistency, allocated (${allocated}) != counted (${after.instances})`,
      'forthcoming instances are not counted here; ask without --machine-readable, or with --json',
    );
}
