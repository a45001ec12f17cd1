/** A cluster in which what the ledger has promised, and is not built yet, counts as used. Pure. */
import type { Node, Snapshot } from '../../../htools/cluster/snapshot.ts';
import { withTakenOff } from '../../../htools/cluster/tags/tags.ts';
import { kept } from '../../../kit/kept.ts';
import { derivedUuid } from '../model/names.ts';
import { diskMibOf, imageOfSnapshot } from './from-snapshot.ts';
import type { ConsumerImage, LedgerImage } from './image.ts';

export interface Promised {
  readonly snapshot: Snapshot;
  /** Consumers with promises that are not built yet, by name. */
  readonly consumers: readonly string[];
}

/** What `promised` has beyond `built`, by provider and class; what has expired counts no more. */
function* beyond(
  promised: ConsumerImage,
  built: ConsumerImage | undefined,
  at: number,
): Generator<{ provider: string; class: string; amount: number }> {
  for (const [provider, classes] of promised.allocations)
    for (const [name, amount] of classes) {
      const gone = promised.ends
        .filter((end) => end.provider === provider && end.class === name && end.at <= at)
        .reduce((sum, end) => sum + end.amount, 0);
      const rest = amount - gone - (built?.allocations.get(provider)?.get(name) ?? 0);
      if (rest > 0) yield { provider, class: name, amount: rest };
    }
}

/** What is below a node is the node's: its own pools, NUMA nodes. */
function rootOf(uuid: string, ledger: LedgerImage): string {
  const parent = ledger.providers.get(uuid)?.parent ?? null;
  return parent === null ? uuid : rootOf(parent, ledger);
}

/** With less memory, cpus and disk of nodes and pools. @param at what has expired by then takes no room */
export function withPromises(snapshot: Snapshot, ledger: LedgerImage, at: number): Promised {
  const unit = [...ledger.providers.values()].some(({ inventories }) => inventories.has('CUSTOM_DISK_MB'));
  const built = imageOfSnapshot(snapshot, { diskUnit: unit ? 'mib' : 'gib', tenantTag: '' }).consumers;
  const taken = new Map<string, Map<string, number>>();
  const consumers = new Set<string>();
  for (const [name, promised] of ledger.consumers) {
    for (const { provider, class: className, amount } of beyond(promised, built.get(name), at)) {
      const uuid = rootOf(provider, ledger);
      const classes = kept(taken, uuid, () => new Map());
      classes.set(className, amount + (classes.get(className) ?? 0));
      consumers.add(name);
    }
  }
  const nodes = snapshot.nodes.map((node): Node => {
    const uuid = derivedUuid('node', node.name);
    const classes = taken.get(uuid);
    if (classes === undefined) return node;
    const memory = classes.get('MEMORY_MB') ?? 0;
    return {
      ...node,
      nodeMemMib: node.nodeMemMib + memory,
      freeMemMib: Math.max(0, node.freeMemMib - memory),
      freeDiskMib: Math.max(0, node.freeDiskMib - diskMibOf(classes)),
      nodeCpus: node.nodeCpus + (classes.get('VCPU') ?? 0),
    };
  });
  const tags = withTakenOff(snapshot.tags, (pool) => diskMibOf(taken.get(derivedUuid('pool', pool))));
  return { snapshot: { ...snapshot, nodes, tags }, consumers: [...consumers].sort() };
}
