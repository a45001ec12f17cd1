/**
 * What documents of `--json` are made of. Each product's `results/` alone names its members: makers take
 * types from there, `npm run docs` writes schemas/, tests hold documents against them. Programs import types
 * only, so none loads zod. Memory is `mem`, sizes end in `Mib`, times in `Seconds` or are ISO 8601, shares
 * are from 0 to 1, booleans begin with `is`.
 */
import { z } from 'zod';
import { SCHEMA_VERSION } from '../report/json.ts';

/** Plain data that a maker builds: lists and records may be shared with the facts that they come from. */
export type DeepReadonly<T> = T extends readonly [infer A, infer B]
  ? readonly [DeepReadonly<A>, DeepReadonly<B>]
  : T extends readonly (infer E)[]
    ? readonly DeepReadonly<E>[]
    : T extends object
      ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
      : T;

/** Type of a document or of a part of one. */
export type DocumentOf<S extends z.ZodType> = DeepReadonly<z.infer<S>>;

/** Documents by the names of their files in schemas/. */
export type NamedDocuments = Readonly<Record<string, { readonly title: string; readonly schema: z.ZodType }>>;

export const name = z.string();
export const names = z.array(name);
export const count = z.int().min(0);
/** A number, or null where there is none. */
export const maybe = z.number().nullable();
/** Any number; what is not a number, as the share of nothing, is null in the document. */
export const figure = maybe as z.ZodType<number>;
export const mib = z.number();
export const seconds = z.number().min(0);
export const flag = z.boolean();
/** A moment, as 2026-01-31T12:00:00.000Z. */
export const moment = z.string();

export const head = <P extends string>(program: P) => ({
  schemaVersion: z.literal(SCHEMA_VERSION).describe('raised when a member goes or changes its meaning'),
  program: z.literal(program),
});

/** Members that are there only when they are asked for. */
export const partial = <S extends z.ZodRawShape>(shape: S) => z.object(shape).partial().shape;

/** A member of a union by kinds. */
export const kind = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.object({ kind: z.literal(kind), ...shape });

/** A list of parts with these members. */
export const listOf = <S extends z.ZodRawShape>(shape: S) => z.array(z.object(shape));

/** A part that schemas have once, under a name of its own. */
export const named = <S extends z.ZodRawShape>(id: string, shape: S) => z.object(shape).meta({ id });
