/** A move in words: its short form, and `gnt-instance` commands; with aliases. Source: hbal(1). */
import { isRunning } from '../cluster/instance-status.ts';
import type { Instance, Snapshot } from '../cluster/snapshot.ts';
import { forbidsMigration } from '../cluster/tags/tags.ts';
import { FAILOVER, FAILOVER_TO_ANY, SINGLE_CHANGES } from '../model/moves/kinds.ts';
import type { PlanStep } from './plan.ts';
import { shellWord } from './shell-word.ts';

/** Whether a change of primary is a live migration. */
export const migratesLive = (instance: Instance): boolean =>
  isRunning(instance) && !forbidsMigration(instance);

/** Short form of a move: `f`, `fa:N`, `r:N`, `r:N f`, `f r:N f` or `f r:N`. */
export function moveNotation(start: Snapshot, { kind, target }: PlanStep): string {
  const changes = SINGLE_CHANGES[kind].map((change) => {
    if (change === FAILOVER) return 'f';
    return `${change === FAILOVER_TO_ANY ? 'fa' : 'r'}:${start.nodes[target]!.alias}`;
  });
  return changes.join(' ');
}

/** The command lines that carry out a move, in order. */
export const moveCommands = (start: Snapshot, step: PlanStep): readonly string[] =>
  commandsBy(start, step, (instance) => (migratesLive(instance) ? 'migrate -f' : 'failover -f'));

/** The same. @param verb asked for each change of primary: the subcommand with its options */
export function commandsBy(
  start: Snapshot,
  { instance: i, kind, target }: PlanStep,
  verb: (instance: Instance) => string,
): readonly string[] {
  const instance = start.instances[i]!;
  const name = shellWord(instance.alias);
  return SINGLE_CHANGES[kind].map((change) => {
    if (change === FAILOVER) return `gnt-instance ${verb(instance)} ${name}`;
    const node = shellWord(start.nodes[target]!.alias);
    return change === FAILOVER_TO_ANY
      ? `gnt-instance ${verb(instance)} -n ${node} ${name}`
      : `gnt-instance replace-disks -n ${node} ${name}`;
  });
}
