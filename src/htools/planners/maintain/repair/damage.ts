/**
 * What is wrong with an instance as far as its nodes tell, and which opcodes mend it. Pure.
 * Source: harep(1); the jobs of the stock program, as the master daemon received them.
 */
import { NO_NODE, type Snapshot } from '../../../cluster/snapshot.ts';
import {
  failOver,
  type Opcode,
  recreateDisks,
  reinstall,
  replaceDisksAnywhere,
} from '../../../plan/opcodes.ts';
import type { RepairType } from './repair-tags.ts';

export interface Damage {
  /** What is needed; undefined = there is no repair for instances of this disk template. */
  readonly repair: { readonly type: RepairType; readonly opcodes: readonly Opcode[] } | undefined;
  /** Positions of the instance's nodes that are offline. */
  readonly offline: readonly number[];
}

/** What needs no more than new disks, which are empty. */
const reinstallation = (name: string): Damage['repair'] => ({
  type: 'reinstall',
  opcodes: [recreateDisks(name), reinstall(name)],
});

/** What is wrong with an instance; undefined when its nodes are all there. */
export function damageOf({ instances, nodes }: Snapshot, position: number): Damage | undefined {
  const { name, diskTemplate, primary, secondary } = instances[position]!;
  const isGone = (node: number): boolean => node !== NO_NODE && nodes[node]!.isOffline;
  const offline = [primary, secondary].filter(isGone);
  if (offline.length === 0) return undefined;
  const repairOf = (): Damage['repair'] => {
    if (diskTemplate === 'plain') return reinstallation(name);
    if (diskTemplate !== 'drbd') return undefined;
    if (offline.length === 2) return reinstallation(name);
    return isGone(primary)
      ? { type: 'failover', opcodes: [failOver(name)] }
      : { type: 'fix-storage', opcodes: [replaceDisksAnywhere(name)] };
  };
  return { repair: repairOf(), offline };
}
