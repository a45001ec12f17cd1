/** What becomes of one node: its layout, or why it has none. */
import type { InputProblem } from '../../kit/faults.ts';
import { kept } from '../../kit/kept.ts';
import { evaluateSchema } from '../model/evaluate-schema.ts';
import type { Disk, Hardware } from '../model/hardware.ts';
import { Problems, type Warning } from '../model/problems.ts';
import type { Schema } from '../model/schema.ts';
import type { Space, Spaces } from '../model/spaces.ts';
import { type Clash, type Layout, type LayoutResult, type LayoutSettings, layOut } from '../solve/lay-out.ts';
import type { Solver } from '../solve/linear-program.ts';

interface OfNode {
  readonly node: string;
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
export function planner(
  schema: Schema,
  settings: LayoutSettings,
  solver: Solver,
): (hardware: Hardware) => NodeOutcome {
  const known = new Map<string, LayoutResult>();
  const resultOf = (disks: readonly Disk[], spaces: readonly Space[]): LayoutResult => {
    const sizes = disks.map(({ size }) => size);
    // Names and other attributes make no difference.
    const numbers = spaces.map(({ minSize, maxSize, weight, bestDisks, copies, minDisks, maxDisks }) => [
      [minSize, maxSize, weight, bestDisks],
      [copies, minDisks, maxDisks],
    ]);
    const key = JSON.stringify([sizes, numbers]);
    return kept(known, key, () => layOut({ disks: sizes, spaces }, settings, solver));
  };
  return (hardware) => {
    const problems = new Problems();
    const spaces = evaluateSchema(schema, hardware, problems);
    const { warnings } = problems;
    const own: OfNode = { node: hardware.node, disks: hardware.disks, warnings };
    if (problems.found.length > 0) return { ...own, kind: 'faulty', problems: problems.found };
    const result = resultOf(hardware.disks, spaces.spaces);
    switch (result.kind) {
      case 'layout':
        return { ...own, ...spaces, kind: 'layout', layout: result };
      case 'infeasible':
        return { ...own, kind: 'infeasible', spaces: spaces.spaces, clash: result.clash };
      case 'unfinished':
        return { ...own, kind: 'unfinished' };
    }
  };
}
