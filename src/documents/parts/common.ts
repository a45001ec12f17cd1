/**
 * The documents of `--json` as schemas: the one place where their members are named. Makers take their types from here, `npm run docs` writes
 * schemas/ from here, and tests hold every document against them. Programs import types only, so that none loads zod for this.
 *
 * Names are the same everywhere: memory is `mem`, sizes end in `Mib`, times in `Seconds` or are ISO 8601 texts, shares are from 0 to 1, booleans
 * begin with `is`. Nodes, instances and groups are named in full.
 */
import { z } from 'zod';

/** Plain data that a maker builds: lists and records may be shared with the facts that they come from. */
export type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** Type of a document or of a part of one. */
export type DocumentOf<S extends z.ZodType> = DeepReadonly<z.infer<S>>;

export const name = z.string();
export const names = z.array(name);
/** A number of things. */
export const count = z.int().min(0);
/** Any number; null where arithmetic has none to give, as for the share of nothing. */
export const figure = z.number().nullable();
export const mib = z.number();
export const seconds = z.number().min(0);
export const flag = z.boolean();
/** A moment, as 2026-01-31T12:00:00.000Z. */
export const moment = z.string();

/** Raised when a member goes or changes its meaning; new members do not raise it. As in report/json.ts. */
export const SCHEMA_VERSION = 2;

/** First members of a document. */
export const head = <P extends string>(program: P) => ({
  schemaVersion: z.literal(SCHEMA_VERSION).describe('raised when a member goes or changes its meaning'),
  program: z.literal(program),
});

export const placement = z
  .object({ primary: name.nullable(), secondary: name.nullable() })
  .meta({ id: 'placement' });

/** What copying and restarting moves take. */
export const cost = z
  .object({
    copiedMib: mib.describe('disk data copied to other nodes'),
    migrations: count.describe('live migrations'),
    migratedMemMib: mib.describe('memory that live migrations transfer'),
    failovers: count.describe('restarts of instances that do not run or cannot migrate'),
  })
  .meta({ id: 'cost' });

/** One job: commands that belong together. */
export const job = z.object({ instance: name, commands: z.array(z.string()) });
/** Sets one after another; jobs of one set may run in parallel. */
export const jobSets = z.array(z.array(job));

export const clusterCounts = z.object({ nodes: count, instances: count });

/** How a group stands: whether nodes are dead, or not all N+1. */
export const groupState = z.enum(['healthy', 'weak', 'unhealthy']);
export const allocPolicy = z.enum(['preferred', 'last_resort', 'unallocable']);
export const diskTemplate = z.string();
/** One of the stock programs' codes, such as FailMem. */
export const failCode = z.string();

/** Amounts of a group; memory and disk in MiB, virtual cpus that its policy allows. */
export const amounts = z.object({ memMib: figure, diskMib: figure, vcpus: figure }).meta({ id: 'amounts' });

/** Members that are there only when they are asked for. */
export const partial = <S extends z.ZodRawShape>(shape: S) => z.object(shape).partial().shape;
