/** Pods: node groups or whole clusters to which tenants are bound; what they are for, how they are chosen. */
import { isPrintable } from '../../../kit/printable.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { policy, reason } from '../../results/hbind.ts';
import type { Limits, Verdict } from './limits.ts';
import type { Metric, Usage } from './usage.ts';

/** What a pod is for, such as `resource: CAD Modeling`. Empty: for who asks for nothing in particular. */
export type Affinity = Readonly<Record<string, string>>;

/** The pairs with their keys in order, so that equal affinities are equal texts. */
export const affinityText = (affinity: Affinity): string =>
  JSON.stringify(Object.fromEntries(Object.entries(affinity).sort(([a], [b]) => (a < b ? -1 : 1))));

export const parseAffinity = (text: string): Affinity => JSON.parse(text) as Affinity;

/** Those of a flavour's or a volume type's extra specs whose keys some pod uses. */
export const affinityOf = (specs: Affinity, keys: readonly string[]): Affinity =>
  Object.fromEntries(Object.entries(specs).filter(([key]) => keys.includes(key)));

export const isEmpty = (affinity: Affinity): boolean => Object.keys(affinity).length === 0;

const LONGEST = 255;

/** Pods, tenants, zones, keys and values of affinities: 1 to 255 characters that terminals show as is. */
export const isName = (text: string): boolean => isPrintable(text, LONGEST);

export const NAME_RULE =
  'names have 1 to 255 characters, none of them a control character or a mark of direction';

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
export interface Question extends Pick<Request, 'az' | 'need'> {
  /** The specs whose keys some pod uses. */
  readonly affinity: Affinity;
}

export type Policy = DocumentOf<typeof policy>;

/** The plain queue of pods: the oldest that takes the tenant. */
export const USUAL_POLICY: Policy = {
  filters: ['all-pods', 'az', 'affinity', 'state', 'exhausted', 'amounts'],
  weighers: { age: 1 },
};
