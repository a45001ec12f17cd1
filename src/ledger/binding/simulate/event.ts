/** What happens in a day that is played through a policy. */
import type { PodState, Request } from '../model/pod.ts';
import type { Usage } from '../model/usage.ts';

/** Milliseconds since 1970; null: not stated. */
interface Dated {
  readonly at: number | null;
}

export type DayEvent = Dated &
  (
    | ({ readonly kind: 'request'; readonly what: 'instance' | 'volume' | null } & Request)
    /** A new reading of a pod's use. */
    | { readonly kind: 'usage'; readonly pod: string; readonly usage: Usage | null }
    | { readonly kind: 'state'; readonly pod: string; readonly state: PodState }
  );
