/**
 * Which of the movable instances a node has, as primary and as secondary, so that chains of failovers and
 * what a node could give away are found without looking at all instances.
 */
import type { SearchLayout } from '../kernel/layout.ts';

/** Members of each node, with where each of them stands, so that both changes take constant time. */
class Roster {
  readonly of: number[][];
  private readonly places: Int32Array;

  constructor(nodeCount: number, instanceCount: number) {
    this.of = Array.from({ length: nodeCount }, () => []);
    this.places = new Int32Array(instanceCount);
  }

  add(node: number, i: number): void {
    const members = this.of[node]!;
    this.places[i] = members.length;
    members.push(i);
  }

  remove(node: number, i: number): void {
    const members = this.of[node]!;
    const last = members.pop()!;
    if (last === i) return;
    const place = this.places[i]!;
    members[place] = last;
    this.places[last] = place;
  }
}

export class Residents {
  private readonly primaries: Roster;
  private readonly secondaries: Roster;
  /** How many of them each node has as secondary. */
  readonly numbers: Int32Array;

  /** @param primary @param secondary where the instances are */
  constructor(
    private readonly layout: SearchLayout,
    primary: Int32Array,
    secondary: Int32Array,
  ) {
    this.primaries = new Roster(layout.nodeCount, layout.instanceCount);
    this.secondaries = new Roster(layout.nodeCount, layout.instanceCount);
    this.numbers = new Int32Array(layout.nodeCount);
    for (const i of layout.movable) {
      this.primaries.add(primary[i]!, i);
      if (layout.isMirrored[i] === 0) continue;
      this.secondaries.add(secondary[i]!, i);
      this.numbers[secondary[i]!]!++;
    }
  }

  primariesOf(node: number): readonly number[] {
    return this.primaries.of[node]!;
  }

  secondariesOf(node: number): readonly number[] {
    return this.secondaries.of[node]!;
  }

  /** An instance went from one placement to another. */
  moved(i: number, p: number, s: number, P: number, S: number): void {
    if (P !== p) {
      this.primaries.remove(p, i);
      this.primaries.add(P, i);
    }
    if (S !== s && this.layout.isMirrored[i] === 1) {
      this.secondaries.remove(s, i);
      this.secondaries.add(S, i);
      this.numbers[s]!--;
      this.numbers[S]!++;
    }
  }
}
