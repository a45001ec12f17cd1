/**
 * Why nodes may not become secondary of an instance, as far as that does not depend on its primary.
 *
 * Of the rules on secondaries only N+1 looks at the pair: whether what the node reserves for this primary
 * still fits. So a node's code can be found once for all primaries, but for one case: another rule that stock
 * asks behind N+1.
 */
import { ALLOWED, FAIL_MEM } from '../../../cluster/refusal.ts';
import { ANY_PRIMARY, secondaryRefusal } from '../../../model/rules/admission.ts';
import * as F from '../../../model/state/node-fields.ts';
import type { ClusterState } from '../../../model/state/state.ts';

/** The pair has to be asked about. */
export const ASK = 255;

/** Fills in `codes`: ALLOWED when only N+1 can refuse a pair, the FailCode for every pair, or ASK. */
export function findSecondaryCodes(
  state: ClusterState,
  i: number,
  nodes: readonly number[],
  codes: Uint8Array,
): void {
  const f = state.nodeFields;
  for (const s of nodes) {
    const code = secondaryRefusal(state, i, s, ANY_PRIMARY, false, false);
    // A node that breaks N+1 already may get worse: there the rule is silent.
    const isFinal = code === ALLOWED || code === FAIL_MEM || f[s * F.NODE_STRIDE + F.FAILS_N1] === 1;
    codes[s] = isFinal ? code : ASK;
  }
}
