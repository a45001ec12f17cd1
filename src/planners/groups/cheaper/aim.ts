/** What a search for a cheaper plan between groups has to reach, and what it may touch. */

export interface Aim {
  /** Instances that may get other homes. */
  readonly movable: readonly number[];
  /** By node: 1 where no instance may be left. */
  readonly leaves: Uint8Array;
  /** Groups in which no node may fail N+1 in the end; all others that take instances must not get worse on the way either. */
  readonly healed: ReadonlySet<number>;
  /** Whether instances may get other nodes in their own group. */
  readonly staysWithin: boolean;
  /** Other groups that may take an instance. */
  readonly targetsOf: (instance: number) => readonly number[];
  /** What counts between plans that copy the same, as a share of the start, for the state as it stands; the lower the better. */
  readonly harm?: (() => number) | undefined;
  /** Told of the groups whose instances have changed, before it is asked. */
  readonly refresh?: ((groups: readonly number[]) => void) | undefined;
}
