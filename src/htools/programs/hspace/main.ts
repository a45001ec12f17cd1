/** hspace: fills a cluster with instances until no more fit, and says how many there were. */
import { ExecutionError, UsageError } from '../../../kit/faults.ts';
import { documentHead } from '../../../kit/report/json.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { Progress } from '../../../kit/report/progress.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { nodeRows } from '../../explain/state/state-facts.ts';
import { movedSnapshot } from '../../model/state/moved-snapshot.ts';
import { wholeScope } from '../../model/state/scope.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { ProgramDocument } from '../../results/all.ts';
import { assertSearchLimits } from '../shared/balance/search-limits.ts';
import { loadCluster, withNodeOptions } from '../shared/cluster/load-cluster.ts';
import { saveState } from '../shared/cluster/save-states.ts';
import { printDocument } from '../shared/document/print-document.ts';
import { figuresOf, listings } from '../shared/listings/listings.ts';
import { reportWhatIf } from '../shared/questions/report-what-if.ts';
import { type Allocated, type Allocation, allocate, nodesOf, poolsOf, resourcesOf } from './allocations.ts';
import { type Explanation, explain } from './explain.ts';
import { explanationText } from './explanation.ts';
import { groundOf } from './ground.ts';
import * as K from './keys.ts';
import * as T from './text.ts';

type Options = ProgramOptions<'hspace'>;

/** Verbosity from which on new instances are mapped. */
const MAP = 2;

/** @returns the exit status: 0, also when nothing fits */
export async function main(options: Options): Promise<number> {
  // Ahead of the cluster: what is asked for wrongly need not wait for it.
  checkSearch(options);
  const loaded = withNodeOptions(await loadCluster(options), options);
  const whatIf = await reportWhatIf(loaded, options);
  const balanced = options.afterBalancing
    ? await (await import('./rebalance.ts')).rebalanced(loaded, options)
    : undefined;
  const snapshot = balanced?.snapshot ?? loaded;
  const state = new ClusterState(snapshot, { trackPeerOrder: options.printNodes !== undefined });
  const ground = groundOf(state, options);
  const { json, machineReadable, html } = options;
  const say = json ? () => {} : printOut;
  const resources = resourcesOf(state);
  const withSpindles = snapshot.nodes.some((node) => node.hasExclusiveStorage);

  printErr(T.startNotes(options, state));
  // Keys are read by shells: what is for people stands aside.
  const sayAside = machineReadable ? printErr : printOut;
  if (balanced && !json) sayAside(T.rebalancedText(balanced.groups));
  const { pools = [] } = poolsOf(state);
  if (machineReadable) say(K.clusterKeys(resources, snapshot.nodes.length) + K.clusterPoolKeys(pools));
  else say(T.clusterText(resources, snapshot.nodes.length, withSpindles) + T.poolsText(pools));
  printErr(T.groundNotes(options, ground));

  const run = (kind: Allocation['kind']): Allocated =>
    watched(
      (count) => `${kind} allocation: ${count} instances`,
      (onPlaced) => allocate(ground, options, kind, onPlaced),
    );
  // The cluster that is full of it is let go before the next one.
  const runTiered = (): Allocation => {
    const tiered = run('tiered');
    reportAllocation(options, tiered, withSpindles);
    say(machineReadable ? K.tieredKeys(tiered.allocation) : T.resultText(tiered, withSpindles));
    return tiered.allocation;
  };
  const tiered = runTiered();
  const standard = run('standard');
  reportAllocation(options, standard, withSpindles);
  if (machineReadable) {
    assertCount(standard.allocation, snapshot);
    say(K.standardKeys(standard.allocation, snapshot.instances.length) + K.lastKey());
  } else say(T.resultText(standard, withSpindles));
  // The page tells what would make room, asked or not.
  const found =
    options.explain || html !== undefined
      ? watched(
          (count) => `explaining: ${count} instances tried`,
          (onPlaced) => explain(ground, standard, options, onPlaced),
        )
      : undefined;
  const explanation = options.explain ? found : undefined;
  if (explanation && !json) sayAside(explanationText(explanation, snapshot));
  const document = (why: Explanation | undefined): ProgramDocument<'hspace'> => ({
    ...documentHead('hspace'),
    ...(balanced && { afterBalancing: balanced.groups }),
    cluster: {
      nodes: snapshot.nodes.length,
      instances: snapshot.instances.length,
      resources,
      ...poolsOf(state),
    },
    ...nodesOf(state, options),
    allocations: [tiered, standard.allocation],
    ...(why && { explanation: why }),
  });
  if (html !== undefined) {
    const all = [...snapshot.nodes.keys()];
    const nodes = { before: nodeRows(state, all), after: nodeRows(standard.filler.state, all) };
    (await import('./page.ts')).writeSpacePage(html, document(found), nodes);
  }
  if (json) await printDocument(options, { ...document(explanation), ...whatIf });
  return 0;
}

/** @throws UsageError for words about a search that is not asked for */
function checkSearch(options: Options): void {
  assertSearchLimits(options);
  if (!options.afterBalancing && options.search === 'deep')
    throw new UsageError(
      '--search=deep is a way of balancing, and nothing is balanced here',
      'add --after-balancing',
    );
}

function watched<T>(words: (count: number) => string, work: (onPlaced: (count: number) => void) => T): T {
  const progress = new Progress();
  const result = work((count) => progress.at(() => words(count)));
  progress.done();
  return result;
}

function reportAllocation(options: Options, { allocation, filler }: Allocated, withSpindles: boolean): void {
  const { state } = filler;
  const { kind } = allocation;
  if (!options.json) {
    printOut(options.machineReadable ? K.sizeKeys(allocation) : T.sizeAsked(allocation, withSpindles));
    if (options.verbosity >= MAP) printErr(T.allocationMap(allocation, withSpindles));
    const title = kind === 'tiered' ? 'Tiered allocation' : 'Standard allocation';
    printErr(listings(options, state, wholeScope(state.snapshot), title));
  }
  saveState(options.save, kind, `after ${kind} allocation`, () => movedSnapshot(state, figuresOf(options)));
}

/** Stock's keys cannot be had for clusters whose forthcoming instances are on no node's list. */
function assertCount({ resources, instanceCount }: Allocation, { instances }: Snapshot): void {
  const allocated = instances.length + instanceCount;
  if (allocated !== resources.instances)
    throw new ExecutionError(
      `internal inconsistency, allocated (${allocated}) != counted (${resources.instances})`,
      'forthcoming instances are not counted here; ask without --machine-readable, or with --json',
    );
}
