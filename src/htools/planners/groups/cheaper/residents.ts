/** Which instances to try next: those on nodes with something wrong, those that have moved, or any. */
import type { RandomStream } from '../../anneal/random.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';

const WRONG_SHARE = 0.45;
const MOVED_SHARE = 0.35;

/** A set of small numbers from which one can be drawn. */
class DrawSet {
  private readonly members: number[] = [];
  private readonly places = new Map<number, number>();

  get size(): number {
    return this.members.length;
  }

  has(value: number): boolean {
    return this.places.has(value);
  }

  set(value: number, isMember: boolean): void {
    if (isMember === this.places.has(value)) return;
    if (isMember) {
      this.places.set(value, this.members.length);
      this.members.push(value);
      return;
    }
    const at = this.places.get(value)!;
    const last = this.members.pop()!;
    this.places.delete(value);
    if (last === value) return;
    this.members[at] = last;
    this.places.set(last, at);
  }

  draw(random: RandomStream): number {
    return this.members[random.below(this.members.length)]!;
  }

  get all(): readonly number[] {
    return this.members;
  }
}

export class Residents {
  private readonly mayMove: Uint8Array;
  /** Nodes with something wrong, and instances that are not where they were. */
  readonly wrong = new DrawSet();
  readonly moved = new DrawSet();

  constructor(
    private readonly cluster: SuperCluster,
    private readonly movable: readonly number[],
    private readonly random: RandomStream,
  ) {
    this.mayMove = new Uint8Array(cluster.state.instanceCount);
    for (const i of movable) this.mayMove[i] = 1;
  }

  /** An instance that may move. */
  draw(): number {
    const { random, wrong, moved, movable } = this;
    const chance = random.unit();
    if (chance < WRONG_SHARE && wrong.size > 0) {
      const found = this.on(wrong.draw(random));
      if (found !== undefined) return found;
    } else if (chance < WRONG_SHARE + MOVED_SHARE && moved.size > 0) return moved.draw(random);
    return movable[random.below(movable.length)]!;
  }

  /** An instance on a node that may move; undefined where none was drawn. */
  on(node: number): number | undefined {
    const { primaries, secondaries } = this.cluster.state;
    const all = primaries[node]!.length + secondaries[node]!.length;
    if (all === 0) return undefined;
    const at = this.random.below(all);
    const first = primaries[node]!.length;
    const i = at < first ? primaries[node]![at]! : secondaries[node]![at - first]!;
    return this.mayMove[i] ? i : undefined;
  }
}
