/**
 * Why nodes are in their rounds of a rolling reboot (`hroller --why`, `--explain`), and what another round
 * would come to (`--try`). Plain data with names; rounds count from 1.
 */
import type { ClusterState } from '../model/state/state.ts';
import { conflictsOf } from '../planners/maintain/reboot/reboot-graph.ts';
import { clearsTogether, type RebootOptions } from '../planners/maintain/reboot/reboot-rounds.ts';

/** A node that must not be down together with another, because of these instances. */
export interface RoundConflict {
  readonly node: string;
  /**
   * mirror: instances have their two nodes there; common-secondary: instances of both would fail over to one
   * node.
   */
  readonly rule: 'mirror' | 'common-secondary';
  readonly instances: readonly string[];
}

/**
 * `--why`: all nodes that may not share a round with this one, whatever round it is in; null where it is in
 * none.
 */
export interface RoundWhy {
  readonly node: string;
  readonly round: number | null;
  readonly conflicts: readonly RoundConflict[];
}

/** What keeps a node out of a round. */
export interface RoundFacts {
  readonly round: number;
  /** Nodes of the round that must not be down with it. */
  readonly conflicts: readonly RoundConflict[];
  /**
   * Instances with one copy (and second copies, with `--full-evacuation`) find room when all of the round and
   * the node are down.
   */
  readonly hasRoom: boolean;
}

/** `--explain`: why a node is in no earlier round. */
export interface RoundExplanation {
  readonly node: string;
  readonly round: number;
  /** The master node goes last whatever room there is. */
  readonly isMaster: boolean;
  readonly earlier: readonly RoundFacts[];
}

/** `--try`: whether a node could be in that round. */
export interface RoundTry extends RoundFacts {
  readonly node: string;
  /** The round that it is in; null where it is in none. */
  readonly at: number | null;
  readonly isAllowed: boolean;
}

export class RoundQuestions {
  private readonly known = new Map<number, readonly RoundConflict[]>();

  /** @param rounds positions of the nodes of each round */
  constructor(
    private readonly state: ClusterState,
    private readonly rounds: readonly (readonly number[])[],
    private readonly options: RebootOptions,
  ) {}

  private nameOf(n: number): string {
    return this.state.snapshot.nodes[n]!.name;
  }

  private roundOf(n: number): number | null {
    const at = this.rounds.findIndex((nodes) => nodes.includes(n));
    return at < 0 ? null : at + 1;
  }

  private conflictsOf(n: number): readonly RoundConflict[] {
    const { state, options } = this;
    const known = this.known.get(n);
    if (known) return known;
    const found = conflictsOf(state, n, options.offlineMaintenance).map(
      ({ node, rule, instances }): RoundConflict => ({
        node: this.nameOf(node),
        rule,
        instances: instances.map((i) => state.snapshot.instances[i]!.name),
      }),
    );
    this.known.set(n, found);
    return found;
  }

  /** What stands in the way of a node in a round; a round beyond the last is empty. */
  private factsOf(n: number, round: number): RoundFacts {
    const others = (this.rounds[round - 1] ?? []).filter((other) => other !== n);
    const names = new Set(others.map((other) => this.nameOf(other)));
    return {
      round,
      conflicts: this.conflictsOf(n).filter(({ node }) => names.has(node)),
      hasRoom: clearsTogether(this.state, [...others, n], this.options),
    };
  }

  why(n: number): RoundWhy {
    return { node: this.nameOf(n), round: this.roundOf(n), conflicts: this.conflictsOf(n) };
  }

  /** All nodes, round by round. */
  explain(): RoundExplanation[] {
    return this.rounds.flatMap((nodes, at) =>
      nodes.map((n) => ({
        node: this.nameOf(n),
        round: at + 1,
        isMaster: this.state.snapshot.nodes[n]!.isMaster,
        earlier: Array.from({ length: at }, (_, k) => this.factsOf(n, k + 1)),
      })),
    );
  }

  /** @param round from 1 to one beyond the last */
  try(n: number, round: number): RoundTry {
    const facts = this.factsOf(n, round);
    const isAllowed = facts.conflicts.length === 0 && facts.hasRoom;
    return { node: this.nameOf(n), at: this.roundOf(n), isAllowed, ...facts };
  }
}
