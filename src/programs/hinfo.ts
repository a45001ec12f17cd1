/** hinfo: shows the state of a cluster and its groups. */
import type { CommandOptions } from '../cli/command-options.ts';
import { printErr, printOut } from '../cli/output.ts';
import { groupsWithNodes, splitInstances, wholeScope } from '../cluster/scope.ts';
import { ClusterState } from '../cluster/state.ts';
import { type StorageReport, storageReport } from '../cluster/storage-report.ts';
import { groupScore } from '../groups/group-scores.ts';
import { type N1Report, n1Report } from '../redundancy/n1-report.ts';
import { SharedStorageN1 } from '../redundancy/shared-storage.ts';
import { coefficientsOf } from '../report/coefficients.ts';
import { groupsOverviewText, groupsReport } from '../report/group-overview.ts';
import { groupRow } from '../report/group-table.ts';
import { tablesJson } from '../report/hbal-json.ts';
import * as T from '../report/hinfo-text.ts';
import { jsonText, SCHEMA_VERSION } from '../report/json.ts';
import { listings } from '../report/listings.ts';
import { n1Text } from '../report/n1-table.ts';
import { storageText } from '../report/storage-table.ts';
import { Scorer } from '../score/scorer.ts';
import { loadCluster, withNodeOptions } from './load-cluster.ts';

/** Pools and N+1 verdicts, where they are stated or asked for. */
function storageOf(
  options: CommandOptions,
  state: ClusterState,
): { readonly pools?: StorageReport; readonly n1?: N1Report } {
  const isShown = state.storage !== undefined || options.storage;
  if (!isShown && !options.n1) return {};
  const storage = state.anyStorage();
  return {
    ...(isShown ? { pools: storageReport(state.snapshot, storage) } : {}),
    ...(options.n1 ? { n1: n1Report(new SharedStorageN1(state, storage)) } : {}),
  };
}

/** @returns the exit status, always 0 */
export async function main(options: CommandOptions): Promise<number> {
  const { verbosity } = options;
  const say = options.json ? () => {} : printOut;
  const loaded = await loadCluster(options);
  say(T.headText(loaded, verbosity));
  const snapshot = withNodeOptions(loaded, options);
  const state = new ClusterState(snapshot, { trackPeerOrder: options.printNodes !== undefined });
  const scope = wholeScope(snapshot);
  const groups = groupsWithNodes(snapshot).map((group) => groupRow(snapshot, groupScore(state, group)));
  const scorer = new Scorer(state, scope.nodes);
  const split = T.splitText(snapshot, verbosity);
  const storage = storageOf(options, state);
  const overview = options.groups ? groupsReport(snapshot) : undefined;
  if (options.json) {
    printOut(
      jsonText({
        schemaVersion: SCHEMA_VERSION,
        program: 'hinfo',
        cluster: { nodes: scope.nodes.length, instances: scope.instances.length, tags: snapshot.tags },
        policy: snapshot.policy,
        splitInstances: splitInstances(snapshot).map((i) => snapshot.instances[i]!.name),
        groups: groups.map((row) => ({ ...row, isNPlusOneHappy: row.badNodes === 0 })),
        score: scorer.score,
        metrics: coefficientsOf(scorer),
        ...(storage.pools ? { storage: storage.pools } : {}),
        ...(storage.n1 ? { n1: storage.n1 } : {}),
        ...(overview ? { superCluster: overview } : {}),
        ...(options.printNodes || options.printInstances ? tablesJson(state, scope) : {}),
      }),
    );
    return 0;
  }
  printOut(T.countsText(snapshot, verbosity) + split.out);
  printErr(split.err);
  printOut(T.groupsText(groups, verbosity));
  if (overview) printOut(groupsOverviewText(overview));
  if (storage.pools) printOut(storageText(storage.pools));
  if (storage.n1) printOut(n1Text(storage.n1, verbosity > 1));
  printErr(listings(options, state, scope, 'Instances', 'Cluster'));
  printOut(T.scoreText(scorer));
  return 0;
}
