/** What becomes of one node: its layout, or why it has none. */
import type { InputProblem } from '../../kit/faults.ts';
import { evaluateSchema } from '../model/evaluate-schema.ts';
import type { Disk, Hardware } from '../model/hardware.ts';
import { Problems, type Warning } from '../model/problems.ts';
import type { Schema } from '../model/schema.ts';
import type { Space, Spaces } from '../model/spaces.ts';
import type { Clash } from '../solve/clash.ts';
import { type Layout, type LayoutResult, type LayoutSettings, layOut } from '../solve/lay-out.ts';
import type { Solver } from '../solve/linear-program.ts';

interface OfNode {
  /** Undefined where nothing names it. */
  readonly node: string | undefined;
  readonly disks: readonly Disk[];
  /** What is odd in the schema, for this node. */
  readonly warnings: readonly Warning[];
}

export interface LaidOut extends OfNode, Spaces {
  readonly kind: 'layout';
  readonly layout: Layout;
}

export type NodeOutcome =
  | LaidOut
  | (OfNode & { readonly kind: 'infeasible'; readonly spaces: readonly Space[]; readonly clash: Clash })
  /** Time ran out with nothing found. */
  | (OfNode & { readonly kind: 'unfinished' })
  /** The schema makes no sense on this node. */
  | (OfNode & { readonly kind: 'faulty'; readonly problems: readonly InputProblem[] });

/** Lays out nodes by one schema; nodes that are alike are worked out once. */
export class Planner {
  private readonly known = new Map<string, LayoutResult>();

  /** @param source name of the schema's file, for its problems. */
  constructor(
    private readonly schema: Schema,
    private readonly source: string,
    private readonly settings: LayoutSettings,
    private readonly solver: Solver,
  ) {}

  outcomeOf(hardware: Hardware): NodeOutcome {
    const problems = new Problems(this.source);
    const spaces = evaluateSchema(this.schema, hardware, problems);
    const { warnings } = problems;
    const own: OfNode = { node: hardware.node, disks: hardware.disks, warnings };
    if (problems.found.length > 0) return { ...own, kind: 'faulty', problems: problems.found };
    const result = this.resultOf(hardware.disks, spaces.spaces);
    switch (result.kind) {
      case 'layout':
        return { ...own, ...spaces, kind: 'layout', layout: result };
      case 'infeasible':
        return { ...own, kind: 'infeasible', spaces: spaces.spaces, clash: result.clash };
      case 'unfinished':
        return { ...own, kind: 'unfinished' };
    }
  }

  private resultOf(disks: readonly Disk[], spaces: readonly Space[]): LayoutResult {
    const sizes = disks.map(({ size }) => size);
    // Names and other attributes make no difference.
    const numbers = spaces.map(({ minSize, maxSize, weight, bestDisks, copies, minDisks, maxDisks }) => [
      [minSize, maxSize, weight, bestDisks],
      [copies, minDisks, maxDisks],
    ]);
    const key = JSON.stringify([sizes, numbers]);
    const result = this.known.get(key) ?? layOut({ disks: sizes, spaces }, this.settings, this.solver);
    this.known.set(key, result);
    return result;
  }
}
