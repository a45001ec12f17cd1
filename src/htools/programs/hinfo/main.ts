/** hinfo: shows the state of a cluster and its groups. */
import { documentHead } from '../../../kit/report/json.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { fitTables } from '../../../kit/report/report-table.ts';
import { type StorageReport, storageReport } from '../../cluster/storage/storage-report.ts';
import { coefficientsOf, nodeRows } from '../../explain/state/state-facts.ts';
import { type N1Report, n1Report } from '../../model/redundancy/shared/n1-report.ts';
import { SharedStorageN1 } from '../../model/redundancy/shared/shared-storage.ts';
import { Scorer } from '../../model/score/scorer.ts';
import { groupsWithNodes, splitInstances, wholeScope } from '../../model/state/scope.ts';
import { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { groupRow } from '../../planners/balance/steps/group-scores.ts';
import { groupsReport } from '../../planners/groups/homes/overview.ts';
import type { ProgramDocument } from '../../results/all.ts';
import { loadCluster, withNodeOptions } from '../shared/cluster/load-cluster.ts';
import { printDocument } from '../shared/document/print-document.ts';
import { policyJson, tablesJson } from '../shared/listings/json.ts';
import { listings } from '../shared/listings/listings.ts';
import { reportWhatIf } from '../shared/questions/report-what-if.ts';
import { indentedNames } from '../shared/steps/said.ts';
import * as T from './text.ts';

function storageAnswers(
  options: ProgramOptions<'hinfo'>,
  state: ClusterState,
): { readonly storage?: StorageReport; readonly n1?: N1Report } {
  const isShown = state.storage !== undefined || options.storage;
  if (!isShown && !options.n1) return {};
  const storage = state.anyStorage();
  return {
    ...(isShown && { storage: storageReport(state.snapshot, storage) }),
    ...(options.n1 && { n1: n1Report(new SharedStorageN1(state, storage)) }),
  };
}

export async function main(options: ProgramOptions<'hinfo'>): Promise<number> {
  const { verbosity } = options;
  const say = options.json ? () => {} : printOut;
  await fitTables();
  const loaded = await loadCluster(options);
  say(T.headText(loaded, verbosity));
  const snapshot = withNodeOptions(loaded, options);
  const whatIf = await reportWhatIf(snapshot, options);
  const state = new ClusterState(snapshot, { trackPeerOrder: options.printNodes !== undefined });
  const scope = wholeScope(snapshot);
  const groups = groupsWithNodes(snapshot).map((group) => groupRow(state, group));
  const scorer = new Scorer(state, scope.nodes);
  const split = splitInstances(snapshot).map((i) => snapshot.instances[i]!.name);
  const answers = storageAnswers(options, state);
  const overview = options.groups ? groupsReport(snapshot) : undefined;
  const document = (): ProgramDocument<'hinfo'> => ({
    ...documentHead('hinfo'),
    cluster: { nodes: scope.nodes.length, instances: scope.instances.length, tags: snapshot.tags },
    policy: policyJson(snapshot.policy),
    splitInstances: split,
    groups,
    score: scorer.score,
    metrics: coefficientsOf(scorer),
    ...answers,
    ...(overview && { superCluster: overview }),
    ...whatIf,
    ...(options.printNodes || options.printInstances ? tablesJson(state, scope) : {}),
  });
  if (options.html !== undefined)
    (await import('./page.ts')).writeClusterPage(options.html, document(), nodeRows(state, scope.nodes));
  if (options.json) {
    await printDocument(options, document());
    return 0;
  }
  printOut(T.countsText(snapshot, verbosity) + T.splitText(split, verbosity));
  printErr(indentedNames(split));
  printOut(T.groupsText(groups, verbosity));
  if (overview) printOut(T.groupsOverviewText(overview));
  const { storage, n1 } = answers;
  if (storage) printOut(T.storageText(storage));
  if (n1) printOut(T.n1Text(n1, verbosity > 1) + T.fullestText(nodeRows(state, scope.nodes)));
  printErr(listings(options, state, scope, 'Cluster', 'Instances'));
  printOut(T.scoreText(scorer));
  return 0;
}
