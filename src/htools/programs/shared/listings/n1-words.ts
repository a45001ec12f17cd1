/** Which N+1 is meant: the same words wherever both kinds may stand in one output. */

/** The kind that the stock programs know, which `N+1 happy` and `bad nodes` are about. */
export const RESERVED = 'reserved for DRBD secondaries';
/** The kind that counts every instance and all storage. */
export const RESTART = 'restart anywhere';

/** Below a table of verdicts on restarts. */
export const RESTART_NOTE =
  `(N+1 here: ${RESTART}, all that ran on a failed node starts on others at\n` +
  ` once. "N+1 happy": ${RESERVED}, nodes keep enough memory free\n` +
  ' for failovers.)\n';

/** Below a table that counts nodes which fail either. */
export const EITHER_NOTE =
  `(Fail_N+1: nodes that fail N+1 of either kind, ${RESERVED} or\n` +
  ` ${RESTART}. "N+1 happy": ${RESERVED} only.)\n`;
