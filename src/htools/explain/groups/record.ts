/**
 * What an explanation between groups says: plain data with names, as documents have it. Memory and disk in
 * MiB, scores in points of one group's score, where lower is better and a gain is positive.
 */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type * as D from '../../results/parts/relocations.ts';

/** What becomes of one group's score; its metrics the largest gain first. */
export type GroupChange = DocumentOf<typeof D.groupChange>;

/** What a group says that does not take an instance. */
export type GroupRefusal = DocumentOf<typeof D.groupRefusal>;

/** A plan between groups. */
export type RelocationsExplanation = DocumentOf<typeof D.relocationsExplanation>;

/** One move of a plan. */
export type RelocationStep = RelocationsExplanation['steps'][number];

/** `--try`: what moving an instance there would do. */
export type RelocationTry = DocumentOf<typeof D.relocationTry>;
