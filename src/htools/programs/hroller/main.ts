/** hroller: plans in which rounds the nodes of a cluster can be rebooted. */
import { ExecutionError } from '../../../kit/faults.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { warning } from '../../../kit/report/tone.ts';
import { someOf } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { withHandsOff } from '../../cluster/tags/hands-off.ts';
import { groupsCalled } from '../../model/state/scope.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { nodesToMaintain } from '../../planners/maintain/reboot/nodes-to-maintain.ts';
import {
  type RebootFailure,
  type RebootRounds,
  rebootRounds,
} from '../../planners/maintain/reboot/reboot-rounds.ts';
import { loadCluster, withNodeOptions } from '../shared/cluster/load-cluster.ts';
import { saveState } from '../shared/cluster/save-states.ts';
import { printDocument } from '../shared/document/print-document.ts';
import { begin } from '../shared/execute/begin.ts';
import { reportWhatIf } from '../shared/questions/report-what-if.ts';
import { rebootJson } from './json.ts';
import { assertPlanWords, planMaintenance } from './maintenance.ts';
import * as T from './text.ts';

export { notBegun } from '../shared/execute/begin.ts';

const FAILURES: Readonly<Record<RebootFailure, string>> = {
  'non-redundant': 'Not enough capacity to move non-redundant instances',
  failover: 'Failed to migrate instances off nodes',
  secondaries: 'Not enough capacity to move secondaries',
};

/** From this verbosity on: how the colourings compare, and the graph itself. */
const SHOWS_COLOURINGS = 2;
const SHOWS_GRAPH = 3;

/** The master node goes last, so there must be just one. */
function checkMaster({ nodes }: Snapshot, isForced: boolean): void {
  const names = nodes.filter(({ isMaster }) => isMaster).map(({ name }) => name);
  if (names.length > 1) throw new ExecutionError(`Found more than one master node: ${JSON.stringify(names)}`);
  if (names.length === 1) return;
  const message = 'No master node found (maybe not supported by backend).';
  if (!isForced) throw new ExecutionError(message);
  printErr(warning(message));
}

/** Position of the group that `-G` names, by name or UUID. */
function groupNamed(snapshot: Snapshot, wanted: string | undefined): number | undefined {
  if (wanted === undefined) return undefined;
  const [group] = groupsCalled(snapshot, wanted);
  if (group === undefined)
    throw new ExecutionError(
      'Cannot find target group.',
      `give one of ${snapshot.groups.map(({ name }) => name).join(', ')}`,
    );
  return group;
}

const MOST_TAGS = 8;

const tagsOf = ({ nodes }: Snapshot): ReadonlySet<string> => new Set(nodes.flatMap((node) => node.tags));

/** Why no node is meant, which stock's words for it do not say. */
function noNodeRemedy(snapshot: Snapshot, { nodeTags }: ProgramOptions<'hroller'>): string {
  const tags = tagsOf(snapshot);
  if (nodeTags === undefined || nodeTags.some((tag) => tags.has(tag)))
    return 'choose other nodes: all that are meant are offline, or left out by another option';
  const named = nodeTags.filter((tag) => tag !== '');
  if (named.length === 0) return 'name tags with --node-tags, or leave it out';
  const asked = `no node has the tag ${named.join(' or ')}`;
  return tags.size === 0
    ? `leave out --node-tags: ${asked}, nor any other`
    : `give one of their tags with --node-tags: ${someOf([...tags].sort(), MOST_TAGS)}; ${asked}`;
}

/** A misspelt tag would leave its nodes out in silence. */
function warnOfTags(snapshot: Snapshot, { nodeTags = [] }: ProgramOptions<'hroller'>): void {
  const tags = tagsOf(snapshot);
  const unknown = nodeTags.filter((tag) => !tags.has(tag));
  if (unknown.length > 0) printErr(warning(`--node-tags: no node has the tag '${unknown.join("', '")}'`));
}

export const main = (options: ProgramOptions<'hroller'>): Promise<number> =>
  begin('hroller', options, run, assertPlanWords);

async function run(options: ProgramOptions<'hroller'>): Promise<number> {
  const loaded = await loadCluster(options);
  checkMaster(loaded, options.force);
  const asRead = withNodeOptions(loaded, options);
  // Rounds alone are told as in stock, which knows no such tag.
  const snapshot = options.plan ? withHandsOff(asRead) : asRead;
  const whatIf = await reportWhatIf(snapshot, options);
  saveState(options.save, 'original', 'before hroller run', () => loaded);
  const state = new ClusterState(snapshot);
  const wanted = nodesToMaintain(state, {
    group: groupNamed(snapshot, options.group),
    tags: options.nodeTags,
    skipNonRedundant: options.skipNonRedundant,
    isEmptying: options.plan && !options.offlineMaintenance,
  });
  if (wanted.length === 0)
    throw new ExecutionError('Cannot create node graph', noNodeRemedy(snapshot, options));
  warnOfTags(snapshot, options);
  if (options.plan) return planMaintenance(options, { loaded, snapshot, whatIf }, state, wanted);
  const found = rebootRounds(state, wanted, options);
  // Said ahead of a failure, too, as in stock.
  if (options.verbosity >= SHOWS_GRAPH && !options.json) printOut(T.graphText(found.graph, wanted[0]!));
  if ('failure' in found) throw new ExecutionError(FAILURES[found.failure]);
  const rounds = found.rounds.map(({ nodes }) => nodes);
  if (options.whyNode.length + options.tryRound.length > 0) {
    await (await import('./questions.ts')).askRounds(state, rounds, options, whatIf);
    return 0;
  }
  const explained = options.explainRounds
    ? (await import('./questions.ts')).explainRounds(state, rounds, options)
    : undefined;
  if (found.proof) printErr(T.proofText(found.proof));
  if (options.json)
    await printDocument(options, {
      ...rebootJson(snapshot, found),
      ...(explained && { explanation: explained.explanation }),
      ...whatIf,
    });
  else printOut(report(snapshot, found, options) + (explained?.text ?? ''));
  return 0;
}

const report = (
  snapshot: Snapshot,
  found: RebootRounds,
  { verbosity, noHeaders, printMoves, oneStepOnly }: ProgramOptions<'hroller'>,
): string =>
  [
    verbosity >= SHOWS_COLOURINGS ? T.colouringsText(found.colourings) : '',
    noHeaders ? '' : T.heading(oneStepOnly),
    T.roundsText(snapshot, found.rounds, { printMoves, oneStepOnly }),
  ].join('');
