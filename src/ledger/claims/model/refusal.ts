/** Why a claim is not granted, as data: which provider and class lacks how much, and who holds it. */
import type { OfKinds } from '../../../kit/kinds.ts';
import type { UnitRule } from './inventory.ts';

interface OfProvider {
  /** UUID and name of the provider. */
  readonly provider: string;
  readonly providerName: string;
  readonly class: string;
}

export interface Holder {
  readonly consumer: string;
  readonly project: string | null;
  readonly used: number;
}

export type ClaimRefusal = OfKinds<{
  'unknown-provider': { provider: string };
  'no-inventory': OfProvider;
  unit: OfProvider & UnitRule & { consumer: string; amount: number };
  capacity: OfProvider & {
    /** Asked beyond what the request's consumers already have there; 1 or more. */
    asked: number;
    used: number;
    capacity: number;
    reserved: number;
    /** asked - (capacity - used). */
    lacking: number;
    /** Largest first; a few. Empty until they are asked for. */
    holders: readonly Holder[];
  };
}>;

/** Somebody else's change came in between, or the caller's picture is old. */
export type ClaimConflict = OfKinds<{
  /** `expected` null: must not exist. */
  'consumer-generation': { consumer: string; expected: number | null; found: number | null };
  'provider-generation': { provider: string; expected: number; found: number | null };
  busy: { detail: string };
}>;

/** Others changed the same rows: the change may be tried again. */
export const busy = (detail: string) => ({ kind: 'conflict', conflict: { kind: 'busy', detail } }) as const;

export type Outcome<Value, Refusal> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  | { readonly kind: 'conflict'; readonly conflict: ClaimConflict };
