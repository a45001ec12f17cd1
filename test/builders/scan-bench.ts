/** The scan of the step search with what it needs, put together without the search. */
import type { Random } from '../../bench/generate/random.ts';
import { ALLOWED } from '../../src/htools/cluster/refusal.ts';
import { applyMove } from '../../src/htools/model/moves/apply.ts';
import { Scorer } from '../../src/htools/model/score/scorer.ts';
import type { ClusterState } from '../../src/htools/model/state/state.ts';
import type { BalanceOptions } from '../../src/htools/planners/balance/options.ts';
import { isCandidate } from '../../src/htools/planners/balance/possible-moves.ts';
import { Candidates } from '../../src/htools/planners/balance/scan/candidates.ts';
import { coverage, findColumns } from '../../src/htools/planners/balance/scan/columns.ts';
import { Hoists } from '../../src/htools/planners/balance/scan/hoists.ts';
import { Scan } from '../../src/htools/planners/balance/scan/scan.ts';
import { makeScanData } from '../../src/htools/planners/balance/scan/scan-data.ts';
import { NodeTables } from '../../src/htools/planners/balance/scan/tables.ts';
import { touchedNodes } from '../../src/htools/planners/balance/steps/trial.ts';
import { randomMove } from './random-moves.ts';

const ALL_KINDS = [0, 1, 2, 3, 4, 5] as const;

/** Scores all moves of an instance that the rules allow. */
export function scanAll(scan: Scan, i: number): void {
  for (const kind of ALL_KINDS) {
    scan.rules.open(i, kind);
    const open = scan.data.targets.filter((t) => scan.rules.allows(t) && scan.rules.leavesPivot(t));
    scan.kind(i, kind, open, open.length);
  }
}

export class ScanBench {
  readonly scorer: Scorer;
  readonly tables: NodeTables;
  readonly hoists: Hoists;
  readonly found = new Candidates();
  readonly scan: Scan;
  private readonly state: ClusterState;
  private readonly nodes: readonly number[];

  constructor(state: ClusterState, nodes: readonly number[], options: BalanceOptions) {
    this.state = state;
    this.nodes = nodes;
    this.scorer = new Scorer(state, nodes);
    this.tables = new NodeTables(state, this.scorer, findColumns(state, nodes));
    this.hoists = new Hoists(this.tables, options);
    this.scan = new Scan(makeScanData(state, this.tables, this.hoists), this.found);
  }

  /** Instances that the scan covers; the others are always tried one by one. */
  covered(options: BalanceOptions): number[] {
    const { state, nodes } = this;
    const isCovered = coverage(state, nodes, !options.ignoreSoftErrors);
    return [...state.primary.keys()].filter(
      (i) => isCovered(i) && nodes.includes(state.primary[i]!) && isCandidate(state, i, options),
    );
  }

  /** Scores by `kind target` of all that the scan holds possible. */
  scanned(i: number): Map<string, number> {
    const { found } = this;
    this.hoists.refresh(i);
    found.reset(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    scanAll(this.scan, i);
    return new Map(found.closest().map(({ kind, target, score }) => [`${kind} ${target}`, score]));
  }

  /**
   * Makes a random legal move, as a run would.
   * @returns the nodes that it touched; none where nothing was moved
   */
  moveSomething(random: Random): readonly number[] {
    const { state, scorer, tables } = this;
    const move = randomMove(state, random);
    if (!move || !this.nodes.includes(state.primary[move.instance]!)) return [];
    if (move.target >= 0 && !tables.targets.includes(move.target)) return [];
    const touched = touchedNodes(state, move.instance, move.target);
    if (applyMove(state, move.instance, move.kind, move.target, random.chance(0.5)) !== ALLOWED) return [];
    state.journal.commit();
    scorer.refresh(touched);
    tables.refresh(touched);
    return touched;
  }
}
