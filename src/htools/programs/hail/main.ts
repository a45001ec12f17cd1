/** hail: answers one request of Ganeti for nodes. Only the answer goes to standard output. */
import { ExecutionError } from '../../../kit/faults.ts';
import { encodeAnswer } from '../../../kit/json/ascii-json.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { warning } from '../../../kit/report/tone.ts';
import { type IallocatorRequest, instancesOf } from '../../cluster/iallocator-request.ts';
import { applyMonitoring } from '../../cluster/prepare/monitoring-load.ts';
import { DEFAULT_STATIC_KVM_NODE_MEMORY_MIB } from '../../cluster/prepare/prepare.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { wholeScope } from '../../model/state/scope.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { Answer } from '../../planners/answer/answer.ts';
import { answerOn, requestedInstances, snapshotAfter } from '../../planners/answer/answer-request.ts';
import { loadMonitoring, loadRequest } from '../../sources/load-request.ts';
import { assertSearchLimits } from '../shared/balance/search-limits.ts';
import { loadWarnings } from '../shared/cluster/warnings.ts';
import { answerDocument } from './answer-document.ts';
import { explain, traceFor } from './explain-answer.ts';

/** @throws a Fault when there is no request to be had; a request that cannot be met is an answer. */
export async function main(options: ProgramOptions<'hail'>, [file]: readonly string[]): Promise<number> {
  const staticMib = options.staticKvmNodeMemory ?? DEFAULT_STATIC_KVM_NODE_MEMORY_MIB;
  const call = await loadRequest(file!, staticMib, usesOwnCluster(options) ? options.whatIf : []);
  printErr(loadWarnings(call.warnings));
  const { type } = call.request;
  assertSearchLimits(options);
  const isDeep = options.search === 'deep' && type === 'node-evacuate';
  const deep = isDeep ? await import('./deep-search.ts') : undefined;
  const snapshot = await clusterFor(options, call.snapshot);
  if (options.verbosity > 1) {
    const { receivedText } = await import('./request-text.ts');
    printErr(receivedText(options.verbosity, call.request, snapshot));
  }
  checkPositions(call.request, snapshot);
  printErr(unknownNodes(options.restrictAllocationTo, snapshot));
  const makeState = (): ClusterState =>
    new ClusterState(snapshot, {
      toAdd: requestedInstances(snapshot, call.request),
      trackPeerOrder: options.printNodes !== undefined,
    });
  const state = makeState();
  await showState(options, state, 'Initial cluster', 'pre-ialloc', 'before iallocator run');
  const trace = await traceFor(options, state);
  const found = await answerOn(state, call.request, {
    ignoreSoftErrors: options.ignoreSoftErrors,
    capacityChecks: !options.noCapacityChecks,
    restrictTo: options.restrictAllocationTo,
    allowIntergroup: options.allowIntergroup,
    evacuate: deep?.evacuationWay(options),
    trace: trace?.allocations,
    evacuations: trace?.evacuations,
  });
  const answer = await withoutRefused(snapshot, call.request, found, options.ignoreSoftErrors);
  const document = await answerDocument(snapshot, answer);
  printOut(`${encodeAnswer(document)}\n`);
  if (trace) await explain(options, snapshot, type, answer, document, trace);
  const after = answer === found && answer.isGranted ? state : await stateAfter(makeState(), answer);
  await showState(options, after, 'Final cluster', 'post-ialloc', 'after iallocator run');
  return 0;
}

/** Moves are replayed before they are answered: what the checker refuses stays, and is a fault to be told. */
async function withoutRefused(
  snapshot: Snapshot,
  request: IallocatorRequest,
  found: Answer,
  ignoreSoftErrors: boolean,
): Promise<Answer> {
  if (found.kind !== 'relocation' && found.kind !== 'evacuation') return found;
  const { judged } = await import('../../planners/answer/judged.ts');
  const { answer, faults } = judged(snapshot, request, found, ignoreSoftErrors);
  for (const { rule, message } of faults)
    printErr(
      warning(`internal error: moves that break a rule are left out of the answer: ${rule}: ${message}`),
    );
  return answer;
}

/** The state once an answer that was cut short is carried out; as it was where nothing is granted. */
async function stateAfter(state: ClusterState, answer: Answer): Promise<ClusterState> {
  if (answer.kind !== 'evacuation') return state;
  const { carriedOut } = await import('../../planners/answer/judged.ts');
  return carriedOut(state, answer);
}

const usesOwnCluster = ({ textFile, simulate }: ProgramOptions<'hail'>): boolean =>
  textFile === undefined && simulate.length === 0;

/** The request's own cluster, unless another is named; with the head room that is to be kept. */
async function clusterFor(options: ProgramOptions<'hail'>, own: Snapshot): Promise<Snapshot> {
  const isOwn = usesOwnCluster(options);
  if (isOwn && !options.mond && options.reserve === undefined) return own;
  const { loadCluster, withHeadRoom } = await import('../shared/cluster/load-cluster.ts');
  if (!isOwn) return withHeadRoom(await loadCluster(options), options);
  return withHeadRoom(options.mond ? await monitored(options, own) : own, options);
}

async function monitored(options: ProgramOptions<'hail'>, own: Snapshot): Promise<Snapshot> {
  const { loadOptionsOf } = await import('../shared/cluster/load-cluster.ts');
  const reports = await loadMonitoring(
    loadOptionsOf(options),
    own.nodes.map((node) => node.name),
  );
  if (reports === undefined) return own;
  const { snapshot, warning } = applyMonitoring(own, reports);
  if (warning !== undefined) printErr(`${warning}\n`);
  return snapshot;
}

/** A request names what its own cluster has; another one may be too small for it. */
function checkPositions(request: IallocatorRequest, { instances, groups }: Snapshot): void {
  const targets = request.type === 'change-group' ? request.targetGroups : [];
  if (
    instancesOf(request).every((i) => i < instances.length) &&
    targets.every((group) => group < groups.length)
  )
    return;
  throw new ExecutionError(
    'the request names instances or groups that the other cluster does not have',
    'leave out -t and --simulate, or give a cluster with the same instances and groups in the same order',
  );
}

/** A warning about names that no node has: to the search, as to stock, they are nodes that are not online. */
function unknownNodes(named: readonly string[] = [], { nodes }: Snapshot): string {
  const unknown = named.filter((name) => !nodes.some((node) => node.name === name));
  if (unknown.length === 0) return '';
  return warning(`--restrict-allocation-to: no node has the whole name ${unknown.join(', ')}`);
}

async function showState(
  options: ProgramOptions<'hail'>,
  state: ClusterState,
  title: string,
  suffix: string,
  what: string,
): Promise<void> {
  if (options.printNodes !== undefined) {
    const { listings } = await import('../shared/listings/listings.ts');
    printErr(listings(options, state, wholeScope(state.snapshot), title));
  }
  if (options.save !== undefined) {
    const { saveState } = await import('../shared/cluster/save-states.ts');
    saveState(options.save, suffix, what, () =>
      snapshotAfter(state, options.stockFigures ? 'stock' : 'true'),
    );
  }
}
