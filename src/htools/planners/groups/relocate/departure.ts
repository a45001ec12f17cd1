/**
 * Whether an instance can leave its nodes as they are now, and what of them is in the way. The rules of a
 * move ask for room on the node that keeps it, or its copy, for a while: the primary from which a disk is
 * replaced, or the secondary that takes over. These get room when others leave: it holds for the moment.
 */
import { ALLOWED, FAIL_TAGS, type FailCode } from '../../../cluster/refusal.ts';
import { RULES, type RulesWith } from '../../../cluster/rules.ts';
import { takeOff } from '../../../model/moves/apply.ts';
import {
  migrationRefusal,
  primaryRefusal,
  primaryRoomRefusal,
  secondaryRefusal,
} from '../../../model/rules/admission.ts';
import { barOf } from '../../../model/rules/refusals.ts';
import { setRefusal } from '../../../model/rules/sets.ts';
import { type ClusterState, HAS_SECONDARY } from '../../../model/state/state.ts';
import { inTurns } from './relocation.ts';

/** What of a node that is left is in the way. offline: it cannot be reached. */
type DepartureRule = 'offline' | RulesWith<'inTheWay'>;

/** Why an instance cannot leave by way of one of its nodes. */
export interface DepartureRefusal {
  readonly node: number;
  readonly role: 'primary' | 'secondary';
  readonly rule: DepartureRule;
}

/** The rules by their codes: the first of several that have one. */
const BY_CODE = new Map<FailCode | null, DepartureRule>(
  Object.entries(RULES)
    .filter(([, row]) => 'inTheWay' in row)
    .map(([rule, { code }]) => [code, rule as DepartureRule] as const)
    .reverse(),
);

const ruleOf = (state: ClusterState, i: number, n: number, code: FailCode): DepartureRule =>
  code === FAIL_TAGS && !state.tags.conflicts(i, n)
    ? (barOf(state, i, n)?.rule ?? setRefusal(state, i, n)!)
    : BY_CODE.get(code)!;

/** Why it cannot leave while its primary keeps it, or becomes secondary for its next one. */
function byPrimary(state: ClusterState, i: number, p: number, s: number): DepartureRule | undefined {
  if (!state.isReachable[state.primary[i]!]) return 'offline';
  const asPrimary = primaryRoomRefusal(state, i, p, true);
  if (asPrimary === ALLOWED) return undefined;
  // Its memory's reservation has no target yet; a node that reserves nothing for itself stands for it.
  const asSecondary = secondaryRefusal(state, i, p, p, false, state.isOffline[s] === 1);
  return asSecondary === ALLOWED ? undefined : ruleOf(state, i, p, asPrimary);
}

/** Why it cannot leave by way of its secondary. */
function bySecondary(state: ClusterState, i: number, p: number, s: number): DepartureRule | undefined {
  if (state.isOffline[s]) return 'offline';
  const code = migrationRefusal(state, p, s) || primaryRefusal(state, i, s, state.isOffline[p] === 1);
  return code === ALLOWED ? undefined : ruleOf(state, i, s, code);
}

/** What keeps an instance on its nodes; empty when it can leave. Only DRBD has anything in its way. */
export function departureRefusals(state: ClusterState, i: number): readonly DepartureRefusal[] {
  if (!(state.flags[i]! & HAS_SECONDARY)) return [];
  const p = state.primary[i]!;
  const s = state.secondary[i]!;
  const [primary, secondary] = state.journal.tentatively(() => {
    takeOff(state, i);
    const there = byPrimary(state, i, p, s);
    return [there, there && bySecondary(state, i, p, s)];
  });
  if (primary === undefined || secondary === undefined) return [];
  return [
    { node: p, role: 'primary', rule: primary },
    { node: s, role: 'secondary', rule: secondary },
  ];
}

/** Which can never leave, whichever others leave first: departures only make room. State as before. */
export const neverLeaving = (state: ClusterState, instances: readonly number[]): readonly number[] =>
  state.journal.tentatively(() =>
    inTurns(instances, (i) => {
      if (departureRefusals(state, i).length > 0) return false;
      takeOff(state, i);
      return true;
    }),
  );
