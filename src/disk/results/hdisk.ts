/** hdisk's documents. Sizes are in the unit of the disks. */
import { z } from 'zod';
import { changed } from '../../htools/results/parts/explanation.ts';
import { count, flag, head, listOf, name, names } from '../../kit/results/members.ts';

const warning = z.object({ line: count.nullable(), message: z.string() });
const sized = z.number();

/** `internal/` and the container's id: on the node's own disks; a space in copies counts once. */
export const pool = z.object({ pool: z.string(), size: sized, spaces: names });

/** Names are those of the file format. */
export const volumes = z.object({
  tables: listOf({
    disk: name,
    device: name,
    label: z.literal('gpt'),
    size: sized,
    partitions: listOf({ name, space: name, size: sized }),
  }),
  /** Copies of a space, mirrored. */
  arrays: listOf({ name, level: z.literal('mirror'), partitions: names, size: sized }),
  physical_volumes: listOf({
    on: name,
    group: name,
    size: sized,
    metadata_size: sized,
    metadata_copies: count,
  }),
  volume_groups: listOf({ name, physical_volumes: names, size: sized }),
  logical_volumes: listOf({ name, group: name, size: sized }),
  attributes: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .describe('what the schema says besides'),
  warnings: z.array(z.string()),
});

const problem = z.object({
  line: count.optional(),
  column: count.optional(),
  field: z.string().optional(),
  value: z.string().optional(),
  problem: z.string(),
  remedy: z.string().optional(),
});

/** Names are those of the file format. */
export const staticDisk = z.object({
  disk_id: name,
  size: sized,
  spaces: listOf({ space_id: name, size: sized }),
});

/** fixed: given. sharing: as its class shares. least, most: at its limit. rest: what the others left. */
export const laidSpace = z.object({
  id: name,
  size: sized,
  disks: names,
  reason: z.enum(['fixed', 'sharing', 'least', 'most', 'rest']),
  /** Exactly, as nearly as possible, or not, for sizes are given; null: with none. */
  sharing: z.enum(['kept', 'relaxed', 'dropped']).nullable(),
  sharesWith: names,
});

const own = { node: name };
const layout = z.object({
  ...own,
  outcome: z.literal('layout'),
  layout: z.array(staticDisk),
  unallocated: sized,
  spaces: z.array(laidSpace),
  objective: z.number(),
  isProven: flag,
  pools: z.array(pool),
  volumes,
  warnings: z.array(warning),
});
const without = <O extends string, M extends z.ZodRawShape>(outcome: O, members: M) =>
  z.object({
    ...own,
    outcome: z.literal(outcome),
    reason: z.string(),
    ...members,
    warnings: z.array(warning),
  });
const infeasible = without('infeasible', {
  clash: z.object({
    requirements: listOf({ space: name, kind: z.string(), amount: z.number() }),
    sharing: z.array(names),
  }),
});
const unfinished = without('unfinished', {});
const faulty = without('faulty', { problems: z.array(problem) });

export const layouts = z.object({
  ...head('hdisk'),
  ...changed,
  nodes: z.array(z.discriminatedUnion('outcome', [layout, infeasible, unfinished, faulty])),
});

/** Of `--emit-pools`. */
export const pools = z.object({
  ...head('hdisk'),
  ...changed,
  nodes: listOf({ ...own, pools: z.array(pool) }),
});

/** Sizes there and by the schema, null: there is none; without a space it is about the disk as a whole. */
export const difference = z.object({
  disk: name,
  space: name.nullable(),
  is: sized.nullable(),
  wanted: sized.nullable(),
});

/** What `--check` finds of a node. */
export const checkedNode = z.object({
  node: name,
  isAsWanted: flag,
  problem: z.string().nullable(),
  differences: z.array(difference),
});

/** Of `--check`. */
export const checked = z.object({ ...head('hdisk'), ...changed, nodes: z.array(checkedNode) });

export const hdisk = z.union([layouts, pools, checked]);
