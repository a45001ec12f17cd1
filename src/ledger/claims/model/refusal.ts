/** Why a claim is not granted, as data: which provider and class lacks how much, and who holds it. */

interface OfProvider {
  /** UUID and name of the provider. */
  readonly provider: string;
  readonly providerName: string;
  readonly class: string;
}

/** Who holds the most of a class on a provider. */
export interface Holder {
  readonly consumer: string;
  readonly project: string | null;
  readonly used: number;
}

export type ClaimRefusal =
  | { readonly kind: 'unknown-provider'; readonly provider: string }
  | { readonly kind: 'unknown-class'; readonly class: string }
  | ({ readonly kind: 'no-inventory' } & OfProvider)
  | ({
      readonly kind: 'unit';
      readonly consumer: string;
      readonly rule: 'min_unit' | 'max_unit' | 'step_size';
      readonly amount: number;
      /** The rule's figure: least, most or step. */
      readonly limit: number;
    } & OfProvider)
  | ({
      readonly kind: 'capacity';
      /** Asked beyond what the request's consumers already have there; 1 or more. */
      readonly asked: number;
      readonly used: number;
      readonly capacity: number;
      readonly reserved: number;
      /** asked - (capacity - used). */
      readonly lacking: number;
      /** Largest first; a few. Empty until they are asked for. */
      readonly holders: readonly Holder[];
    } & OfProvider);

/** Somebody else's change came in between, or the caller's picture is old. */
export type ClaimConflict =
  | {
      readonly kind: 'consumer-generation';
      readonly consumer: string;
      /** null: must not exist. */
      readonly expected: number | null;
      readonly found: number | null;
    }
  | {
      readonly kind: 'provider-generation';
      readonly provider: string;
      readonly expected: number;
      readonly found: number | null;
    }
  | { readonly kind: 'busy'; readonly detail: string };

/** What became of a change. */
export type Outcome<Value, Refusal> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  | { readonly kind: 'conflict'; readonly conflict: ClaimConflict };
