/** Instances that have to leave their nodes, for a search that places these and nothing else. */
export interface Evacuees {
  readonly instances: readonly number[];
  /** 1 where it may go as primary, as secondary: `[instance * nodes + node]`; not where it is to leave. */
  readonly primaries: Uint8Array;
  readonly secondaries: Uint8Array;
  /** By instance: where it is to leave. */
  readonly homePrimary: Int32Array;
  readonly homeSecondary: Int32Array;
  /** By instance: 1 where the moves that lead away leave out the soft rules. */
  readonly isForced: Uint8Array;
}
