/** The steps of a plan as the opcodes of a job. Source: the stock programs' jobs; gnt-instance(8). */
import { reachableNodes } from '../../cluster/instance-status.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../model/moves/kinds.ts';
import { failOver, migrate, type Opcode, replaceDisks } from '../../plan/opcodes.ts';
import type { PlanStep } from '../../plan/plan.ts';

/** The opcodes of one step, in order. @param isReachable of each node, by position */
function stepOpcodes(start: Snapshot, isReachable: readonly boolean[], step: PlanStep): readonly Opcode[] {
  const { name, isForthcoming } = start.instances[step.instance]!;
  const nodeName = (node: number): string => start.nodes[node]!.name;
  // Only a failover leaves a dead node; an instance that is only reserved does not run.
  const isEscape = !isReachable[step.fromPrimary] || isForthcoming;
  const change = isEscape ? failOver : migrate;
  switch (step.kind) {
    case FAILOVER:
      return [change(name)];
    case FAILOVER_TO_ANY:
      return [change(name, nodeName(step.toPrimary))];
    case REPLACE_SECONDARY:
      return [replaceDisks(name, nodeName(step.toSecondary))];
    case REPLACE_AND_FAILOVER:
      return [replaceDisks(name, nodeName(step.toPrimary)), change(name)];
    case REPLACE_PRIMARY:
      return [change(name), replaceDisks(name, nodeName(step.toPrimary)), migrate(name)];
    case FAILOVER_AND_REPLACE:
      return [change(name), replaceDisks(name, nodeName(step.toSecondary))];
  }
}

/** The opcodes of the job that takes the steps one after another. */
export function jobOpcodes(start: Snapshot, steps: readonly PlanStep[]): readonly Opcode[] {
  const isReachable = reachableNodes(start);
  return steps.flatMap((step) => stepOpcodes(start, isReachable, step));
}
