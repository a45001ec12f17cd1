/**
 * A move in words: the short form of the step lines and the `gnt-instance` commands. Pure.
 * Source: hbal(1), "the moves" and `--print-commands`; names are aliases in both, as in the stock programs.
 */
import { isRunning } from '../cluster/instance-status.ts';
import type { Instance, Snapshot } from '../cluster/snapshot.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../model/moves/kinds.ts';
import type { PlanStep } from './plan.ts';
import { shellWord } from './shell-word.ts';

/**
 * Instance tag: it cannot be migrated live (by its hypervisor, or by its owner's wish) and is failed over.
 */
const NO_MIGRATION_TAG = 'htools:nomigrate';

/** Whether a change of primary is a live migration. */
export const migratesLive = (instance: Instance): boolean =>
  isRunning(instance) && !instance.tags.includes(NO_MIGRATION_TAG);

/** Short form of a move: `f`, `fa:N`, `r:N`, `r:N f`, `f r:N f` or `f r:N`. */
export function moveNotation(start: Snapshot, step: PlanStep): string {
  const primary = start.nodes[step.toPrimary]!.alias;
  const secondary = start.nodes[step.toSecondary]?.alias;
  switch (step.kind) {
    case FAILOVER:
      return 'f';
    case FAILOVER_TO_ANY:
      return `fa:${primary}`;
    case REPLACE_SECONDARY:
      return `r:${secondary}`;
    case REPLACE_AND_FAILOVER:
      return `r:${primary} f`;
    case REPLACE_PRIMARY:
      return `f r:${primary} f`;
    case FAILOVER_AND_REPLACE:
      return `f r:${secondary}`;
  }
}

/** The command lines that carry out a move, in order. */
export function moveCommands(start: Snapshot, step: PlanStep): readonly string[] {
  const instance = start.instances[step.instance]!;
  const name = shellWord(instance.alias);
  const nodeName = (node: number): string => shellWord(start.nodes[node]!.alias);
  const verb = migratesLive(instance) ? 'migrate' : 'failover';
  const change = `gnt-instance ${verb} -f ${name}`;
  const replace = (node: number): string => `gnt-instance replace-disks -n ${nodeName(node)} ${name}`;
  switch (step.kind) {
    case FAILOVER:
      return [change];
    case FAILOVER_TO_ANY:
      return [`gnt-instance ${verb} -f -n ${nodeName(step.toPrimary)} ${name}`];
    case REPLACE_SECONDARY:
      return [replace(step.toSecondary)];
    case REPLACE_AND_FAILOVER:
      return [replace(step.toPrimary), change];
    case REPLACE_PRIMARY:
      return [change, replace(step.toPrimary), change];
    case FAILOVER_AND_REPLACE:
      return [change, replace(step.toSecondary)];
  }
}
