/** Answers `--try` across groups: what moving an instance to these nodes would do. */
import { NO_NODE } from '../../cluster/snapshot.ts';
import { NO_INTER_GROUP_TAG } from '../../cluster/tags/tags.ts';
import { putInstance, takeOff } from '../../model/moves/apply.ts';
import { movedSnapshot } from '../../model/state/moved-snapshot.ts';
import { type ClusterState, HAS_SECONDARY } from '../../model/state/state.ts';
import { stepsFrom } from '../../plan/step.ts';
import { tryHome } from '../../planners/groups/homes/homes.ts';
import {
  fixedRule,
  forbidsInterGroup,
  groupRefusal,
  staysInGroup,
  type TargetRefusal,
} from '../../planners/groups/homes/leaving.ts';
import type { SuperCluster } from '../../planners/groups/homes/super-cluster.ts';
import { type Home, homeOf, itineraries, nodesOf } from '../../planners/groups/relocate/relocation.ts';
import type { Hold, RuleRefusal } from '../../results/parts/explanation.ts';
import type { GroupChange, RelocationTry } from '../../results/parts/relocations.ts';
import { liftsOf } from '../lifts.ts';
import { refusalOfMoves } from '../move-refusal.ts';
import { changesSince, explainedRelocation, groupRefusalFacts, scoresOf } from './explain-relocations.ts';

interface Judged {
  readonly home: Home;
  readonly ways: ReturnType<typeof itineraries>;
  readonly groupRefusals: readonly TargetRefusal[];
  readonly refusal: RuleRefusal | undefined;
  readonly changes: readonly GroupChange[];
}

/** Tries relocations; those that are allowed are made, so that the next is about the outcome. */
export class RelocationTrials {
  constructor(private readonly cluster: SuperCluster) {}

  /** What it would do; undefined where no way leads. @param secondary negative = as it comes, or the best */
  try(i: number, primary: number, secondary: number): RelocationTry | undefined {
    const { cluster } = this;
    const { state, snapshot } = cluster;
    const from = homeOf(state, i);
    const judged = this.homes(i, primary, secondary)
      .map((home) => this.judge(i, home))
      .filter(({ ways }) => ways.length > 0);
    const [best] = judged.sort((a, b) => rank(a) - rank(b) || gainOf(b) - gainOf(a));
    if (!best) return undefined;
    const { home, ways, groupRefusals, refusal, changes } = best;
    const holds = this.holdsOf(i, home);
    const lifted = refusal
      ? liftsOf(movedSnapshot(state), i, (changed) => refusalOnWays(changed, ways), refusal)
      : { refusals: [], lift: null };
    const isAllowed = holds.length + groupRefusals.length + lifted.refusals.length === 0;
    const steps = stepsFrom(ways[0]!, from.primary, from.secondary);
    const done = isAllowed ? tryHome(cluster, i, home, true).relocation : undefined;
    const relocation = done ?? { instance: i, from, to: home, steps };
    return {
      ...explainedRelocation(snapshot, relocation, changes),
      isAllowed,
      holds,
      groupRefusals: groupRefusals.map((one) => groupRefusalFacts(snapshot, one)),
      ...lifted,
    };
  }

  private homes(i: number, primary: number, secondary: number): Home[] {
    const { cluster } = this;
    const { state } = cluster;
    const from = homeOf(state, i);
    const group = state.groupOf[primary]!;
    const homeWith = (other: number): Home => ({ group, primary, secondary: other });
    if (!(state.flags[i]! & HAS_SECONDARY)) return secondary < 0 ? [homeWith(NO_NODE)] : [];
    if (secondary >= 0)
      return secondary === primary || state.groupOf[secondary] !== group ? [] : [homeWith(secondary)];
    if (group === from.group) return [homeWith(primary === from.secondary ? from.primary : from.secondary)];
    return cluster.online[group]!.filter((n) => n !== primary).map(homeWith);
  }

  private judge(i: number, home: Home): Judged {
    const { cluster } = this;
    const { state } = cluster;
    const from = homeOf(state, i);
    const isSame = home.primary === from.primary && home.secondary === from.secondary;
    const ways = isSame ? [] : itineraries(state, i, home);
    const nodes = nodesOf({ from, to: home });
    const before = scoresOf(cluster, [from.group, home.group]);
    const changes = state.journal.tentatively(() => {
      takeOff(state, i);
      putInstance(state, i, home.primary, home.secondary);
      cluster.refreshScores(nodes);
      return changesSince(cluster, before);
    });
    cluster.refreshScores(nodes);
    const refusal = refusalOnWays(state, ways);
    return { home, ways, refusal, changes, groupRefusals: this.groupRefusals(i, home, refusal) };
  }

  /** What the group as a whole says; of its N+1 only where its nodes allow the move. */
  private groupRefusals(i: number, home: Home, refusal: RuleRefusal | undefined): TargetRefusal[] {
    const { cluster } = this;
    const { group } = home;
    const failsN1 = (): boolean => refusal === undefined && this.failsN1(i, home);
    if (cluster.groupOf(i) === group) return failsN1() ? [{ group, rule: 'restart' }] : [];
    // Of a group that takes no part it is not known whether it is healthy.
    if (!cluster.groups.includes(group)) return [{ group, rule: 'left-out' }];
    const found: TargetRefusal[] = [];
    const byRules = groupRefusal(cluster, i, group);
    if (byRules) found.push(byRules);
    if (!cluster.isHealthy(group)) found.push({ group, rule: 'unhealthy' });
    else if (failsN1()) found.push({ group, rule: 'restart' });
    return found;
  }

  private failsN1(i: number, home: Home): boolean {
    return this.cluster.tentatively(() => tryHome(this.cluster, i, home, false).relocation === undefined);
  }

  private holdsOf(i: number, home: Home): Hold[] {
    const { cluster } = this;
    const instance = cluster.snapshot.instances[i]!;
    const isWithin = cluster.groupOf(i) === home.group;
    const pinned = (carrier: string, isPinned: boolean): Hold[] =>
      isPinned && !isWithin
        ? [{ rule: 'nointergroup', lift: [`tag ${carrier} -${NO_INTER_GROUP_TAG}`] }]
        : [];
    const fixed = fixedRule(cluster, i);
    return [
      ...pinned('cluster', forbidsInterGroup(cluster)),
      ...pinned(`instance ${instance.name}`, staysInGroup(instance)),
      ...(fixed ? [{ rule: fixed, lift: null }] : []),
    ];
  }
}

const gainOf = ({ changes }: Judged): number => changes.reduce((sum, { gain }) => sum + gain, 0);

/** Allowed ones first. */
const rank = ({ groupRefusals, refusal }: Judged): number =>
  Math.min(1, groupRefusals.length) + (refusal === undefined ? 0 : 1);

/** What refuses the first way, unless one of the others is open. */
function refusalOnWays(state: ClusterState, ways: Judged['ways']): RuleRefusal | undefined {
  let first: RuleRefusal | undefined;
  for (const way of ways) {
    const refusal = refusalOfMoves(state, way, false);
    if (!refusal) return undefined;
    first ??= refusal;
  }
  return first;
}
