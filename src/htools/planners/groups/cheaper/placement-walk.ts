/**
 * A walk over placements by simulated annealing: what is copied, and a high price for what is still wrong.
 * What a rule of nodes forbids is not tried; those of the moves (who carries what in between) are left to the
 * order that is sought for the outcome.
 */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { putInstance, takeOff } from '../../../model/moves/apply.ts';
import { allowance, anneal } from '../../anneal/anneal.ts';
import type { Budget } from '../../anneal/budget.ts';
import type { RandomStream } from '../../anneal/random.ts';
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import { type Home, homeOf, nodesIn, type Relocation } from '../relocate/relocation.ts';
import { type Aim, leftOn } from './aim.ts';
import type { Wanted } from './legal-order.ts';
import { PlacementPrice } from './price.ts';
import { Proposals, Residents } from './proposals.ts';

/** Temperatures in disks of middling size; a walk cools down to the second. */
const COLDEST = 0.0005;
/** How often two instances are tried together, and how often the second leaves where the first goes. */
const PAIR_SHARE = 0.4;
const CHAIN_SHARE = 0.6;
/** Accepted steps after which the journal, which remembers them all, is begun anew. */
const STEPS_REMEMBERED = 20_000;

/** One instance of a candidate. */
type Shift = Omit<Relocation, 'steps'>;

const isSame = (a: Home, b: Home): boolean => a.primary === b.primary && a.secondary === b.secondary;

export class PlacementWalk {
  private readonly homes: readonly Home[];
  private readonly price: PlacementPrice;
  private readonly proposals: Proposals;
  private readonly residents: Residents;
  /** Prices, in MiB of disk: of the homes, of what is wrong with nodes, and of what the whole state tells. */
  private sums = { homes: 0, nodes: 0, unrestartable: 0, harm: 0 };
  private staying = 0;
  private steps = 0;
  private best: readonly Wanted[] | undefined;
  /** What was done since the best placement, where that is not told yet: most are soon beaten. */
  private since: Shift[] | undefined;
  private bestPrice = Number.POSITIVE_INFINITY;

  /** @param start where every instance is where it was before anything was done; the state is there */
  constructor(
    private readonly cluster: SuperCluster,
    private readonly aim: Aim,
    private readonly random: RandomStream,
    private readonly start: TrialMark,
  ) {
    const { state } = cluster;
    this.homes = Array.from({ length: state.instanceCount }, (_, i) => homeOf(state, i));
    this.price = new PlacementPrice(cluster, aim, this.homes);
    this.proposals = new Proposals(cluster, aim, random, this.homes);
    this.residents = new Residents(cluster, aim.movable, random);
  }

  /** Puts instances where they are wanted, the others where they were, and forgets the best placement. */
  begin(wanted: readonly Wanted[]): void {
    this.best = undefined;
    this.since = undefined;
    this.bestPrice = Number.POSITIVE_INFINITY;
    this.place(wanted);
    this.keepBest();
  }

  private place(wanted: readonly Wanted[]): void {
    const { cluster, residents } = this;
    cluster.rollback(this.start);
    for (const i of [...residents.moved.all]) residents.moved.set(i, false);
    const touched = new Set<number>();
    for (const { instance, to } of wanted) {
      for (const n of nodesIn([homeOf(cluster.state, instance), to])) touched.add(n);
      takeOff(cluster.state, instance);
      putInstance(cluster.state, instance, to.primary, to.secondary);
      residents.moved.set(instance, true);
    }
    cluster.refresh([...touched]);
    this.steps = 0;
    this.takeStock();
  }

  /** Walks up to a share of the budget; the best placement since its beginning with all that is wanted. */
  run(budget: Budget, until: number, hottest: number): readonly Wanted[] | undefined {
    const { unit } = this.price;
    if (this.aim.movable.length === 0) return this.tellBest();
    anneal({ budget, until, hottest: hottest * unit, coldest: COLDEST * unit }, (temperature) => {
      budget.spend();
      if (this.step(allowance(this.random, temperature))) this.keepBest();
      if (this.steps > STEPS_REMEMBERED) {
        this.tellBest();
        this.place(this.now());
      }
    });
    return this.tellBest();
  }

  /** Nodes of instances, counted for each, where none may be left. */
  get left(): number {
    return this.staying;
  }

  /** Where all instances that have moved are now. */
  private now(): Wanted[] {
    return [...this.residents.moved.all]
      .sort((a, b) => a - b)
      .map((instance) => ({ instance, to: homeOf(this.cluster.state, instance) }));
  }

  private keepBest(): void {
    const { homes, nodes, unrestartable, harm } = this.sums;
    if (this.staying > 0 || nodes > 0 || unrestartable > 0) return;
    const price = homes + harm;
    if (price >= this.bestPrice) return;
    this.since = [];
    this.bestPrice = price;
  }

  private tellBest(): readonly Wanted[] | undefined {
    if (this.since === undefined) return this.best;
    const homes = new Map(this.now().map(({ instance, to }) => [instance, to]));
    for (const { instance, from } of this.since.toReversed()) homes.set(instance, from);
    this.best = [...homes]
      .filter(([i, to]) => !isSame(to, this.homes[i]!))
      .sort(([a], [b]) => a - b)
      .map(([instance, to]) => ({ instance, to }));
    this.since = undefined;
    return this.best;
  }

  /** All sums anew, so that they do not drift. */
  private takeStock(): void {
    const { cluster, aim, price } = this;
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
    this.sums = { homes, nodes, unrestartable: this.unrestartable(), harm: this.harm() };
    this.noteUnrestartable();
  }

  private isHealed(node: number): boolean {
    return this.aim.healed.has(this.cluster.state.groupOf[node]!);
  }

  private unrestartable(): number {
    const { n1 } = this.cluster;
    if (this.aim.healed.size === 0 || n1.isHealthy) return 0;
    return this.price.ofUnrestartable(n1.failing().filter((n) => this.isHealed(n)).length);
  }

  private harm(): number {
    return this.price.unit * (this.aim.harm?.() ?? 0);
  }

  private noteWrong(node: number): void {
    const { primaries, secondaries } = this.cluster.state;
    const isLeft = this.aim.leaves[node] === 1 && primaries[node]!.length + secondaries[node]!.length > 0;
    this.residents.wrong.set(node, isLeft || this.price.ofNode(node) > 0);
  }

  private noteUnrestartable(): void {
    for (const n of this.cluster.n1.failing()) if (this.isHealed(n)) this.residents.wrong.set(n, true);
  }

  private draw(instance: number): Shift | undefined {
    const to = this.proposals.draw(instance, this.residents.moved.has(instance));
    return to && { instance, from: homeOf(this.cluster.state, instance), to };
  }

  /** One or two instances and homes for them; none where a draw leads nowhere. */
  private drawShifts(): readonly Shift[] {
    const { random, residents, cluster } = this;
    const first = this.draw(residents.draw());
    if (first === undefined) return [];
    if (random.unit() >= PAIR_SHARE) return [first];
    const { primary, secondary } = first.to;
    const via = secondary === NO_NODE || random.unit() < 0.5 ? primary : secondary;
    const second = random.unit() < CHAIN_SHARE ? residents.on(via) : residents.draw();
    if (second === undefined || second === first.instance || cluster.state.isOffline[via]) return [first];
    const other = this.draw(second);
    return other ? [first, other] : [first];
  }

  /** Tries one change. @param allowed by how much the price may grow @returns whether it was made */
  private step(allowed: number): boolean {
    const { cluster, price, aim } = this;
    const { journal } = cluster.state;
    const shifts = this.drawShifts();
    if (shifts.every(({ from, to }) => isSame(from, to))) return false;
    const arrived = shifts.map(({ to }) => to);
    const touched = nodesIn([...shifts.map(({ from }) => from), ...arrived]);
    let change = 0;
    for (const { instance: i, from, to } of shifts) change += price.ofHome(i, to) - price.ofHome(i, from);
    const known = this.sums.unrestartable + this.sums.nodes;
    // Whatever else it brings, it cannot mend more than is wrong.
    if (change - known > allowed && aim.harm === undefined) return false;
    for (const n of touched) change -= price.ofNode(n);
    const mark = cluster.mark();
    if (!this.put(shifts)) {
      journal.rollback(mark.journal);
      return false;
    }
    for (const n of touched) change += price.ofNode(n);
    cluster.refreshScores(touched);
    const harm = this.harm();
    change = change + harm - this.sums.harm;
    if (change - this.sums.unrestartable > allowed || !this.takeOver(touched, nodesIn(arrived))) {
      journal.rollback(mark.journal);
      cluster.refreshScores(touched);
      return false;
    }
    const unrestartable = this.unrestartable();
    if (change + unrestartable - this.sums.unrestartable > allowed) {
      cluster.rollback(mark);
      return false;
    }
    Object.assign(this.sums, { unrestartable, harm });
    this.note(shifts, touched);
    return true;
  }

  /** Puts instances on new nodes as far as the nodes' rules go; false, half-way, where they refuse. */
  private put(shifts: readonly Shift[]): boolean {
    const { proposals } = this;
    const { state } = this.cluster;
    for (const { instance } of shifts) takeOff(state, instance);
    for (const { instance: i, to } of shifts) {
      if (!proposals.admitsPrimary(i, to) || !proposals.admitsSecondary(i, to)) return false;
      putInstance(state, i, to.primary, to.secondary);
    }
    return true;
  }

  /** Takes over a change if the groups that need no healing stay as they are. */
  private takeOver(touched: readonly number[], arrived: readonly number[]): boolean {
    const { cluster } = this;
    const { isOffline } = cluster.state;
    const others = arrived.filter((n) => !this.isHealed(n) && !isOffline[n]);
    if (others.some((n) => cluster.isOvercommitted(n)) || cluster.refreshIfHarmless(others)) return false;
    cluster.refresh(touched.filter((n) => !others.includes(n)));
    return true;
  }

  private note(shifts: readonly Shift[], touched: readonly number[]): void {
    const { aim, price, residents } = this;
    for (const { instance: i, from, to } of shifts) {
      this.sums.homes += price.ofHome(i, to) - price.ofHome(i, from);
      this.staying += leftOn(aim.leaves, to) - leftOn(aim.leaves, from);
      residents.moved.set(i, !isSame(to, this.homes[i]!));
    }
    this.since?.push(...shifts);
    for (const n of touched) this.noteWrong(n);
    if (aim.healed.size > 0)
      this.sums.nodes = residents.wrong.all.reduce((sum, n) => sum + price.ofNode(n), 0);
    if (this.sums.unrestartable > 0) this.noteUnrestartable();
    this.steps++;
  }
}
