/** What Ganeti asks an instance allocator for. Source: the iallocator protocol of ganeti(7). */
import type { Instance } from './snapshot.ts';

/** What an evacuation is to leave: the primary, the secondary, or both. */
export const EVACUATION_MODES = ['primary-only', 'secondary-only', 'all'] as const;
export type EvacuationMode = (typeof EVACUATION_MODES)[number];

/** An instance to be placed; it has no nodes yet and its index is -1. */
export interface NewInstance {
  readonly instance: Instance;
  readonly requiredNodes: number;
  /** Group by name or uuid; undefined = the best one. */
  readonly groupName?: string | undefined;
}

/** Instances, nodes and groups are positions in the snapshot that the request is about. */
export type IallocatorRequest =
  | {
      readonly type: 'allocate';
      readonly wanted: NewInstance;
      /** Names of the only nodes that may be used; undefined = all. */
      readonly restrictToNodes?: readonly string[] | undefined;
    }
  | { readonly type: 'allocate-secondary'; readonly instance: number }
  | {
      readonly type: 'relocate';
      readonly instance: number;
      readonly requiredNodes: number;
      readonly relocateFrom: readonly number[];
    }
  | {
      readonly type: 'node-evacuate';
      readonly instances: readonly number[];
      readonly mode: EvacuationMode;
      /** Instances that their group cannot keep may go to another one. Ours: stock passes over the key. */
      readonly allowIntergroup?: true;
    }
  | {
      readonly type: 'change-group';
      readonly instances: readonly number[];
      readonly targetGroups: readonly number[];
    }
  | { readonly type: 'multi-allocate'; readonly wanted: readonly NewInstance[] };

/** Requests of one type. */
export type RequestOf<T extends IallocatorRequest['type']> = Extract<IallocatorRequest, { type: T }>;

/** Positions of the instances that a request names, as all requests do but those for new ones. */
export const instancesOf = (request: IallocatorRequest): readonly number[] =>
  'instances' in request ? request.instances : 'instance' in request ? [request.instance] : [];
