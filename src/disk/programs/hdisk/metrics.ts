/** Figures of hdisk. */
import { type Family, figuresOf } from '../../../kit/report/prometheus.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { hdisk } from '../../results/hdisk.ts';

type DiskNode = DocumentOf<typeof hdisk>['nodes'][number];

/** Sizes are in the unit of the hardware's records, which hdisk does not know. */
// biome-ignore format: a table
export const hdiskFamilies = ({ nodes }: DocumentOf<typeof hdisk>): readonly Family[] =>
  nodes.length === 0 ? [] : figuresOf('hdisk', nodes as readonly DiskNode[], ({ node }) => ({ node }),
    ['laid_out', 'Whether the node has a layout.',
      (one) => 'outcome' in one ? { outcome: { [one.outcome]: one.outcome === 'layout' } } : undefined],
    ['as_wanted', 'Whether the layout is the one of the schema.',
      (one) => 'isAsWanted' in one ? one.isAsWanted : undefined],
    ['unallocated_size', 'Left on all disks, in their unit.',
      (one) => 'unallocated' in one ? one.unallocated : undefined],
    ['space_size', 'Size of the space on all disks, in their unit.', (one) =>
      'spaces' in one ? { space: Object.fromEntries(one.spaces.map(({ id, size }) => [id, size])) } : undefined],
    ['pool_size', 'Size of the storage pool, in the unit of the disks.', (one) =>
      'pools' in one ? { pool: Object.fromEntries(one.pools.map(({ pool, size }) => [pool, size])) } : undefined],
  );
