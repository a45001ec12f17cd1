/** A pod: a node group or a whole cluster, to which tenants are bound. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { reason } from '../../results/hbind.ts';
import type { Affinity } from './affinity.ts';
import type { Limits, Verdict } from './limits.ts';
import type { Metric, Usage } from './usage.ts';

export const POD_STATES = ['open', 'maintenance', 'closed'] as const;
export type PodState = (typeof POD_STATES)[number];

export interface Pod {
  readonly id: number;
  readonly name: string;
  /** Availability zone; empty: none. */
  readonly az: string;
  readonly affinity: Affinity;
  /** Milliseconds since 1970, as are the other times. */
  readonly createdAt: number;
  /** null: not stated. */
  readonly weight: number | null;
  readonly cost: number | null;
  readonly state: PodState;
  readonly stateAt: number;
  readonly limits: Limits;
  readonly usage: Usage | null;
  readonly usageAt: number | null;
  readonly verdict: Verdict | null;
  readonly isExhausted: boolean;
  /** What `usage` says, taken apart. */
  readonly metrics: readonly Metric[];
}

export type BindingReason = DocumentOf<typeof reason>;

export interface Binding {
  readonly id: number;
  readonly tenant: string;
  readonly podId: number;
  /** The zone that was asked for; empty: any. */
  readonly az: string;
  readonly affinity: Affinity;
  readonly startAt: number;
  /** null: current. */
  readonly endAt: number | null;
  /** From when on it is not kept any more; null: for good. */
  readonly expiresAt: number | null;
  readonly reason: BindingReason;
  /** Why it ended; null: it has not. */
  readonly endReason: BindingReason | null;
  readonly actor: string;
  /** Generation of the pods from which it was chosen. */
  readonly generation: number;
}

/** A tenant asks for a pod for an instance or a volume, no matter which: both are to land together. */
export interface Request {
  readonly tenant: string;
  /** Empty: any zone. */
  readonly az: string;
  /** Extra specs of the flavour or the volume type. */
  readonly specs: Affinity;
  /** Amounts by metric; empty: not stated. */
  readonly need: Readonly<Record<string, number>>;
}

/** What filters see of a request. */
export interface Question {
  readonly az: string;
  /** The specs whose keys some pod uses. */
  readonly affinity: Affinity;
  readonly need: Readonly<Record<string, number>>;
}
