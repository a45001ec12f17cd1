/** The N+1 check as data, for `hinfo --n1`: what is short, or restarts; see docs/why/storage.md. */
import type { Shortage } from '../packing/packing-proof.ts';
import type { Verdict } from './restart-demand.ts';
import type { SharedStorageN1 } from './shared-storage.ts';

export interface N1Restart {
  readonly instance: string;
  readonly node: string;
  /** Possible, but against an exclusion tag or the vcpu ratio. */
  readonly isDegraded: boolean;
}

export interface N1NodeReport {
  readonly node: string;
  readonly group: string;
  readonly isOffline: boolean;
  readonly verdict: Verdict;
  /** Instances that would have to start again. */
  readonly instances: number;
  /** What finds no place; only where the verdict is no. */
  readonly shortfall?: { readonly resource: Shortage; readonly missing: number; readonly unit: string };
  /** The witness; only where the verdict is yes. */
  readonly restarts?: readonly N1Restart[];
  /** Names of the instances whose restart is degraded. */
  readonly degraded: readonly string[];
}

export interface N1Report {
  readonly nodes: readonly N1NodeReport[];
  readonly counts: { readonly yes: number; readonly no: number; readonly unproven: number };
  /** No node fails. */
  readonly isHealthy: boolean;
}

const UNITS: Record<Shortage, string> = {
  access: 'instances',
  memory: 'MiB',
  disk: 'MiB',
  spindles: 'spindles',
  room: 'instances',
};

/** Reports the nodes that the check looks at, in order. */
export function n1Report(n1: SharedStorageN1): N1Report {
  const { nodes, groups } = n1.state.snapshot;
  const reports = nodes.flatMap((record, n): N1NodeReport[] => {
    const verdict = n1.verdictOf(n);
    if (verdict === undefined) return [];
    const restarts = n1
      .restartsOf(n)
      ?.map(({ instance, node, isDegraded }) => ({
        instance: n1.state.instanceRecord(instance).name,
        node: nodes[node]!.name,
        isDegraded,
      }));
    const shortfall = n1.shortfallOf(n);
    return [
      {
        node: record.name,
        group: groups[record.group]!.name,
        isOffline: record.isOffline,
        verdict,
        instances: n1.state.primaries[n]!.length,
        ...(shortfall && { shortfall: { ...shortfall, unit: UNITS[shortfall.resource] } }),
        ...(restarts && { restarts }),
        degraded: (restarts ?? []).filter(({ isDegraded }) => isDegraded).map(({ instance }) => instance),
      },
    ];
  });
  const count = (verdict: Verdict): number => reports.filter((report) => report.verdict === verdict).length;
  const counts = { yes: count('yes'), no: count('no'), unproven: count('unproven') };
  return { nodes: reports, counts, isHealthy: counts.no + counts.unproven === 0 };
}
