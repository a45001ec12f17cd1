/**
 * What it costs to leave nodes, in the relaxation whose instances may be split: both roles of an instance
 * together, since one new node is one copy, and an exchange of roles none.
 */

/** Where movable instances are, as places of online nodes (-1 for none), and what moving each costs. */
export interface Homes {
  readonly primary: Int32Array;
  readonly secondary: Int32Array;
  readonly copy: Float64Array;
  readonly change: Float64Array;
  readonly job: Float64Array;
}

/** A role is with the old primary, the old secondary, or a new node. */
const OLD_PRIMARY = 0;
const OLD_SECONDARY = 1;
const NEW = 2;

/** Where both roles are, and the least that any sequence of steps to there needs. */
type Way = readonly [primary: number, secondary: number, copies: number, changes: number, jobs: number];
const MIRRORED: readonly Way[] = [
  [OLD_PRIMARY, OLD_SECONDARY, 0, 0, 0],
  [OLD_SECONDARY, OLD_PRIMARY, 0, 1, 1],
  [OLD_PRIMARY, NEW, 1, 0, 1],
  [OLD_SECONDARY, NEW, 1, 1, 1],
  [NEW, OLD_PRIMARY, 1, 1, 1],
  // By the old secondary, or with a copy that is thrown away.
  [NEW, OLD_SECONDARY, 1, 2, 1],
  [NEW, OLD_SECONDARY, 2, 1, 2],
  [NEW, NEW, 2, 1, 2],
];
/** Without a secondary of its own that role costs nothing. */
const SHARED: readonly Way[] = [
  [OLD_PRIMARY, OLD_SECONDARY, 0, 0, 0],
  [NEW, OLD_SECONDARY, 0, 1, 1],
];

/** What a role costs on the old nodes, and on new ones where that is least. */
class Role {
  readonly costs: Float64Array;
  /** How much of the instance each node has. */
  readonly shares: Float64Array;
  /** By where the role is: its cost, how much of the instance is there, and how many nodes share that. */
  readonly least = new Float64Array(3);
  readonly parts = new Float64Array(3);
  readonly spread = new Float64Array(3);
  private homes = [0, 0];

  constructor(nodeCount: number) {
    this.costs = new Float64Array(nodeCount);
    this.shares = new Float64Array(nodeCount);
  }

  /** @param rest what an old node that is offline costs */
  read(p: number, s: number, rest: number, temperature: number): void {
    const { costs, shares, least, spread } = this;
    this.homes = [p, s];
    let lowest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < costs.length; k++) if (costs[k]! < lowest && k !== p && k !== s) lowest = costs[k]!;
    least[NEW] = lowest;
    least[OLD_PRIMARY] = p < 0 ? rest : costs[p]!;
    least[OLD_SECONDARY] = s < 0 ? rest : costs[s]!;
    spread.fill(1);
    this.parts.fill(0);
    if (temperature === 0 || lowest === Number.POSITIVE_INFINITY) return;
    let sum = 0;
    for (let k = 0; k < costs.length; k++) {
      shares[k] = k === p || k === s ? 0 : Math.exp((lowest - costs[k]!) / temperature);
      sum += shares[k]!;
    }
    spread[NEW] = sum;
  }

  /** Sets the shares by the parts. */
  divide(): void {
    const { shares, parts, spread, homes } = this;
    for (let k = 0; k < shares.length; k++) shares[k]! *= parts[NEW]! / spread[NEW]!;
    for (const role of [OLD_PRIMARY, OLD_SECONDARY])
      if (homes[role]! >= 0) shares[homes[role]!] = parts[role]!;
  }
}

export class PairCosts {
  readonly primary: Role;
  readonly secondary: Role;
  private readonly costs = new Float64Array(MIRRORED.length);

  constructor(
    private readonly homes: Homes,
    nodeCount: number,
  ) {
    this.primary = new Role(nodeCount);
    this.secondary = new Role(nodeCount);
  }

  /**
   * The least that an instance costs with both roles, whose costs are set.
   * @param rest what a role costs on an old node that is offline
   * @param temperature 0 for the true minimum; the soft one sets shares
   */
  place(i: number, isMirrored: boolean, rest: number, temperature: number): number {
    const { primary, secondary, homes, costs } = this;
    primary.read(homes.primary[i]!, homes.secondary[i]!, rest, temperature);
    secondary.read(homes.primary[i]!, homes.secondary[i]!, isMirrored ? rest : 0, temperature);
    const ways = isMirrored ? MIRRORED : SHARED;
    let lowest = Number.POSITIVE_INFINITY;
    for (let w = 0; w < ways.length; w++) {
      const [p, s, copies, changes, jobs] = ways[w]!;
      const price = copies * homes.copy[i]! + changes * homes.change[i]! + jobs * homes.job[i]!;
      costs[w] = primary.least[p]! + secondary.least[s]! + price;
      if (costs[w]! < lowest) lowest = costs[w]!;
    }
    if (temperature === 0 || lowest === Number.POSITIVE_INFINITY) return lowest;
    let total = 0;
    for (let w = 0; w < ways.length; w++) {
      const [p, s] = ways[w]!;
      const part = Math.exp((lowest - costs[w]!) / temperature) * primary.spread[p]! * secondary.spread[s]!;
      primary.parts[p]! += part;
      secondary.parts[s]! += part;
      total += part;
    }
    for (let role = 0; role <= NEW; role++) {
      primary.parts[role]! /= total;
      secondary.parts[role]! /= total;
    }
    primary.divide();
    secondary.divide();
    return lowest - temperature * Math.log(total);
  }
}
