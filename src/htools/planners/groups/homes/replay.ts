/** Doing relocations again that were found from the same state. */
import { isRefused, nodesOf, type Relocation, relocate } from '../relocate/relocation.ts';
import type { SuperCluster } from './super-cluster.ts';

/** Does relocations again; undefined when one is refused, with those before it done. */
export function replay(
  cluster: SuperCluster,
  relocations: readonly Relocation[],
): readonly Relocation[] | undefined {
  const done: Relocation[] = [];
  for (const { instance, to } of relocations) {
    const moved = relocate(cluster.state, instance, to);
    if (isRefused(moved)) return undefined;
    cluster.refresh(nodesOf(moved));
    done.push(moved);
  }
  return done;
}
