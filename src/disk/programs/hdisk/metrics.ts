/** Figures of hdisk. */
import type { Family } from '../../../kit/report/prometheus.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import { each, sample } from '../../../kit/results/samples.ts';
import type { hdisk } from '../../results/hdisk.ts';

type DiskNode = DocumentOf<typeof hdisk>['nodes'][number];

/** Sizes are in the unit of the hardware's records, which hdisk does not know. */
export function hdiskFamilies(document: DocumentOf<typeof hdisk>): readonly Family[] {
  const nodes: readonly DiskNode[] = document.nodes;
  return nodes.length === 0
    ? []
    : [
        each('hdisk_laid_out', 'Whether the node has a layout.', nodes, (one) =>
          'outcome' in one
            ? sample(one.outcome === 'layout', { node: one.node ?? '', outcome: one.outcome })
            : [],
        ),
        each('hdisk_as_wanted', 'Whether the layout is the one of the schema.', nodes, (one) =>
          'isAsWanted' in one ? sample(one.isAsWanted, { node: one.node ?? '' }) : [],
        ),
        each('hdisk_unallocated_size', 'Left on all disks, in their unit.', nodes, (one) =>
          'unallocated' in one ? sample(one.unallocated, { node: one.node ?? '' }) : [],
        ),
        each('hdisk_space_size', 'Size of the space on all disks, in their unit.', nodes, (one) =>
          'spaces' in one
            ? one.spaces.map(({ id, size }) => sample(size, { node: one.node ?? '', space: id }))
            : [],
        ),
        each('hdisk_pool_size', 'Size of the storage pool, in the unit of the disks.', nodes, (one) =>
          'pools' in one
            ? one.pools.map(({ pool, size }) => sample(size, { node: one.node ?? '', pool }))
            : [],
        ),
      ];
}
