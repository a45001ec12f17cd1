/**
 * What is wrong with an instance as far as its nodes tell, and which opcodes mend it. Pure.
 * Source: harep(1); the jobs of the stock program, as the master daemon received them.
 */
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { NO_NODE, type Snapshot } from '../../../cluster/snapshot.ts';
import { hasSecondary } from '../../../cluster/templates.ts';
import {
  failOver,
  type Opcode,
  recreateDisks,
  reinstall,
  replaceDisksAnywhere,
} from '../../../plan/opcodes.ts';
import type { repaired } from '../../../results/harep.ts';
import type { RepairType } from './repair-tags.ts';

type Damage = NonNullable<DocumentOf<typeof repaired>['damage']> & { readonly opcodes: readonly Opcode[] };
type Repair = Pick<Damage, 'repair' | 'opcodes'>;

/** What may be wrong once a repair has helped: with the node that is left, or with the other one. */
const LEAVES: Readonly<Partial<Record<RepairType, RepairType>>> = {
  failover: 'fix-storage',
  'fix-storage': 'failover',
};

/** Whether a repair has helped as far as the nodes tell. @param damage what is wrong with the instance now */
export const hasHelped = (type: RepairType, damage: Pick<Damage, 'repair'> | null): boolean =>
  damage === null || damage.repair === LEAVES[type];

/** What needs no more than new disks, which are empty. */
const reinstallation = (name: string): Repair => ({
  repair: 'reinstall',
  opcodes: [recreateDisks(name), reinstall(name)],
});

/** What is wrong with an instance; null when its nodes are all there. */
export function damageOf({ instances, nodes }: Snapshot, position: number): Damage | null {
  const { name, diskTemplate, primary, secondary } = instances[position]!;
  const isGone = (node: number): boolean => node !== NO_NODE && nodes[node]!.isOffline;
  const offline = (hasSecondary(diskTemplate) ? [primary, secondary] : [primary]).filter(isGone);
  if (offline.length === 0) return null;
  const repairOf = (): Repair => {
    if (diskTemplate === 'plain') return reinstallation(name);
    if (!hasSecondary(diskTemplate)) return { repair: null, opcodes: [] };
    if (offline.length === 2) return reinstallation(name);
    return isGone(primary)
      ? { repair: 'failover', opcodes: [failOver(name)] }
      : { repair: 'fix-storage', opcodes: [replaceDisksAnywhere(name)] };
  };
  return { offlineNodes: offline.map((n) => nodes[n]!.name), ...repairOf() };
}
