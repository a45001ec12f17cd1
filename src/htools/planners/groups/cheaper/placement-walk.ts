/**
 * A walk over placements by simulated annealing: what is copied, and a high price for what is still wrong.
 *
 * Instances are taken off their nodes and put elsewhere, one or two at once; what any rule of nodes forbids
 * is not tried. The rules of the moves themselves (who carries what in between) are left to the order that is
 * sought for the outcome.
 */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { putInstance, takeOff } from '../../../model/moves/apply.ts';
import * as F from '../../../model/state/node-fields.ts';
import type { PriceRates } from '../../../plan/price.ts';
import { allowance, anneal } from '../../anneal/anneal.ts';
import type { Budget } from '../../anneal/budget.ts';
import type { RandomStream } from '../../anneal/random.ts';
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import { type Home, homeOf } from '../relocate/home.ts';
import { type Aim, leftOn } from './aim.ts';
import type { Wanted } from './legal-order.ts';
import { PlacementPrice } from './price.ts';
import { Proposals } from './proposals.ts';
import { Residents } from './residents.ts';

/** Temperatures in disks of middling size; a walk cools down to the second. */
const COLDEST = 0.0005;
/** How often two instances are tried together, and how often the second leaves where the first goes. */
const PAIR_SHARE = 0.4;
const CHAIN_SHARE = 0.6;
/** Accepted steps after which the journal, which remembers them all, is begun anew. */
const STEPS_REMEMBERED = 20_000;

/** Where a walk got to. */
interface Reached {
  readonly wanted: readonly Wanted[];
  /** In MiB of disk; what else counts adds a little. */
  readonly price: number;
}

interface Sums {
  homes: number;
  nodes: number;
  unrestartable: number;
  harm: number;
}

const nodesIn = (homes: readonly Home[]): number[] => [
  ...new Set(
    homes.flatMap(({ primary, secondary }) => (secondary === NO_NODE ? [primary] : [primary, secondary])),
  ),
];

export class PlacementWalk {
  private readonly homes: readonly Home[];
  private readonly price: PlacementPrice;
  private readonly proposals: Proposals;
  private readonly residents: Residents;
  private sums: Sums = { homes: 0, nodes: 0, unrestartable: 0, harm: 0 };
  private staying = 0;
  private steps = 0;
  private best: Reached | undefined;

  /** @param start where every instance is where it was before anything was done; the state is there */
  constructor(
    private readonly cluster: SuperCluster,
    private readonly aim: Aim,
    private readonly random: RandomStream,
    private readonly start: TrialMark,
    rates: PriceRates,
  ) {
    const { state } = cluster;
    this.homes = Array.from({ length: state.instanceCount }, (_, i) => homeOf(state, i));
    this.price = new PlacementPrice(cluster, aim, this.homes, rates);
    this.proposals = new Proposals(cluster, aim, random, this.homes);
    this.residents = new Residents(cluster, aim.movable, random);
  }

  /** Puts instances where they are wanted, the others where they were, and forgets the best placement. */
  begin(wanted: readonly Wanted[]): void {
    const { cluster, residents } = this;
    cluster.rollback(this.start);
    for (const i of [...residents.moved.all]) residents.moved.set(i, false);
    for (const { instance, home } of wanted) {
      const before = homeOf(cluster.state, instance);
      takeOff(cluster.state, instance);
      putInstance(cluster.state, instance, home.primary, home.secondary);
      cluster.refresh(nodesIn([before, home]));
      residents.moved.set(instance, true);
    }
    this.steps = 0;
    this.best = undefined;
    this.takeStock();
    this.keepBest();
  }

  /** Walks up to a share of the budget; the best placement since its beginning with all that is wanted. */
  run(budget: Budget, until: number, hottest: number): Reached | undefined {
    const { unit } = this.price;
    if (this.aim.movable.length === 0) return this.best;
    anneal({ budget, until, hottest: hottest * unit, coldest: COLDEST * unit, atOnce: 1 }, (temperature) => {
      if (this.step(allowance(this.random, temperature))) this.keepBest();
      if (this.steps > STEPS_REMEMBERED) this.rebase();
    });
    return this.best;
  }

  /** Where all instances that have moved are now. */
  now(): Wanted[] {
    return [...this.residents.moved.all]
      .sort((a, b) => a - b)
      .map((instance) => ({ instance, home: homeOf(this.cluster.state, instance) }));
  }

  private rebase(): void {
    const { best } = this;
    this.begin(this.now());
    this.best = best;
  }

  private get total(): number {
    const { homes, nodes, unrestartable, harm } = this.sums;
    return homes + nodes + unrestartable + harm;
  }

  private keepBest(): void {
    const { nodes, unrestartable } = this.sums;
    if (this.staying > 0 || nodes > 0 || unrestartable > 0) return;
    if (this.best !== undefined && this.total >= this.best.price) return;
    this.best = { wanted: this.now(), price: this.total };
  }

  /** All sums anew, so that they do not drift. */
  private takeStock(): void {
    const { cluster, aim, price, residents } = this;
    const { state } = cluster;
    this.staying = 0;
    let homes = 0;
    for (const i of aim.movable) {
      const home = homeOf(state, i);
      homes += price.ofHome(i, home);
      this.staying += leftOn(aim.leaves, home);
    }
    let nodes = 0;
    for (let n = 0; n < state.nodeCount; n++) {
      nodes += price.ofNode(n);
      this.noteWrong(n);
    }
    this.sums = { homes, nodes, ...this.wholes() };
    for (const n of cluster.n1.failing()) if (this.isHealed(n)) residents.wrong.set(n, true);
  }

  private isHealed(node: number): boolean {
    return this.aim.healed.has(this.cluster.state.groupOf[node]!);
  }

  /** What only the whole state tells. */
  private wholes(): Pick<Sums, 'unrestartable' | 'harm'> {
    const { cluster, aim, price } = this;
    const failing =
      aim.healed.size === 0 || cluster.n1.isHealthy
        ? 0
        : cluster.n1.failing().filter((n) => this.isHealed(n)).length;
    return {
      unrestartable: price.ofUnrestartable(failing),
      harm: aim.harm ? price.ofHarm(aim.harm()) : 0,
    };
  }

  private noteWrong(node: number): void {
    const { state } = this.cluster;
    const isLeft =
      this.aim.leaves[node] === 1 && state.primaries[node]!.length + state.secondaries[node]!.length > 0;
    this.residents.wrong.set(node, isLeft || this.price.isShort(node));
  }

  /** Draws instances and homes for them; undefined where a draw leads nowhere. */
  private drawChanges(): Map<number, Home> | undefined {
    const { random, residents, proposals, cluster } = this;
    const first = residents.draw();
    const home = proposals.draw(first, residents.moved.has(first));
    if (home === undefined) return undefined;
    const changes = new Map([[first, home]]);
    if (random.unit() >= PAIR_SHARE) return changes;
    const via = home.secondary === NO_NODE || random.unit() < 0.5 ? home.primary : home.secondary;
    const second = random.unit() < CHAIN_SHARE ? residents.on(via) : residents.draw();
    if (second === undefined || second === first || cluster.state.isOffline[via]) return changes;
    const other = proposals.draw(second, residents.moved.has(second));
    if (other) changes.set(second, other);
    return changes;
  }

  /** Tries one change. @param allowed by how much the price may grow @returns whether it was made */
  private step(allowed: number): boolean {
    const { cluster, price, aim } = this;
    const { state } = cluster;
    const changes = this.drawChanges();
    if (changes === undefined) return false;
    const before = [...changes.keys()].map((i) => homeOf(state, i));
    const after = [...changes.values()];
    if (
      before.every((home, k) => home.primary === after[k]!.primary && home.secondary === after[k]!.secondary)
    )
      return false;
    const touched = nodesIn([...before, ...after]);
    let change = 0;
    let k = 0;
    for (const [i, home] of changes) change += price.ofHome(i, home) - price.ofHome(i, before[k++]!);
    const known = this.sums.unrestartable + this.sums.nodes;
    // Whatever else it brings, it cannot mend more than is wrong.
    if (change - known > allowed && aim.harm === undefined) return false;
    for (const n of touched) change -= price.ofNode(n);
    const mark = cluster.mark();
    if (!this.put(changes)) {
      state.journal.rollback(mark.journal);
      return false;
    }
    for (const n of touched) change += price.ofNode(n);
    const hopeless = aim.harm === undefined && change - this.sums.unrestartable > allowed;
    if (hopeless || !this.isHarmless(nodesIn(after))) {
      state.journal.rollback(mark.journal);
      return false;
    }
    cluster.refresh(touched);
    const { unrestartable, harm } = this.sums;
    const wholes = this.wholes();
    const whole = change + wholes.unrestartable - unrestartable + wholes.harm - harm;
    if (whole > allowed) {
      cluster.rollback(mark);
      return false;
    }
    this.note(changes, before, touched, wholes);
    return true;
  }

  /** Puts instances on new nodes as far as the nodes' rules go; false, half-way, where they refuse. */
  private put(changes: ReadonlyMap<number, Home>): boolean {
    const { cluster, proposals } = this;
    const { state } = cluster;
    for (const i of changes.keys()) takeOff(state, i);
    for (const [i, home] of changes) {
      if (!proposals.admitsPrimary(i, home) || !proposals.admitsSecondary(i, home)) return false;
      putInstance(state, i, home.primary, home.secondary);
    }
    return true;
  }

  /** Whether the groups that need no healing stay as they are. */
  private isHarmless(arrived: readonly number[]): boolean {
    const { state, n1 } = this.cluster;
    const others = arrived.filter((n) => !this.isHealed(n) && !state.isOffline[n]);
    if (others.length === 0) return true;
    if (others.some((n) => state.nodeFields[n * F.NODE_STRIDE + F.FAILS_N1] === 1)) return false;
    return n1.newlyFailing(others) === undefined;
  }

  private note(
    changes: ReadonlyMap<number, Home>,
    before: readonly Home[],
    touched: readonly number[],
    wholes: ReturnType<PlacementWalk['wholes']>,
  ): void {
    const { aim, price, residents } = this;
    let k = 0;
    for (const [i, home] of changes) {
      const last = before[k++]!;
      this.sums.homes += price.ofHome(i, home) - price.ofHome(i, last);
      this.staying += leftOn(aim.leaves, home) - leftOn(aim.leaves, last);
      const origin = this.homes[i]!;
      residents.moved.set(i, home.primary !== origin.primary || home.secondary !== origin.secondary);
    }
    Object.assign(this.sums, wholes);
    this.sums.nodes = 0;
    for (const n of touched) this.noteWrong(n);
    for (const n of residents.wrong.all) this.sums.nodes += price.ofNode(n);
    if (wholes.unrestartable > 0)
      for (const n of this.cluster.n1.failing()) if (this.isHealed(n)) residents.wrong.set(n, true);
    this.steps++;
  }
}
