/**
 * What a plan between groups promises for the groups it touches: at the end no offline node has instances,
 * every online node could take over from any one failed peer, and what runs on any of them could start again
 * elsewhere.
 */
import { describeStorage, type Storage } from '../../cluster/storage/storage.ts';
import { type BrokenRule, broken, brokenOf } from './node-rules.ts';
import { countOn, type Replica, type ReplicaNode } from './replica.ts';
import { restartVerdict } from './restarts.ts';

/** The groups' health at the end of plans from one start; one that a plan leaves alone is judged once. */
export class HealthRules {
  private storage: Storage | undefined;
  private readonly members: readonly (readonly number[])[];
  private readonly untouched: (readonly BrokenRule[] | undefined)[] = [];

  /** @param replica as at the start */
  constructor(private readonly replica: Replica) {
    const members = replica.start.groups.map((): number[] => []);
    for (const { position, record } of replica.nodes) members[record.group]!.push(position);
    this.members = members;
  }

  /** @param groups those that must be healthy @param touched nodes with anything unlike the start */
  of(groups: readonly number[], touched: ReadonlySet<number>): readonly BrokenRule[] {
    return groups.flatMap((group) => {
      if (this.members[group]!.some((node) => touched.has(node))) return this.judge(group);
      this.untouched[group] ??= this.judge(group);
      return this.untouched[group];
    });
  }

  /** @param groups those that must be without any instance */
  emptiness(groups: readonly number[]): readonly BrokenRule[] {
    return groups.flatMap((group) =>
      this.members[group]!.flatMap((n) => {
        const node = this.replica.nodes[n]!;
        const count = countOn(node) + node.forthcomingPrimaries.size + node.forthcomingSecondaries.size;
        return brokenOf(
          count > 0 && broken('empty-group', `${node.record.alias} still has ${count} instance(s)`),
        );
      }),
    );
  }

  private judge(group: number): readonly BrokenRule[] {
    const { replica } = this;
    this.storage ??= replica.storage ?? describeStorage(replica.start);
    const { storage } = this;
    const nodes = this.members[group]!.map((node) => replica.nodes[node]!);
    return nodes.flatMap((node) =>
      node.record.isOffline ? offlineRules(node) : onlineRules(replica, storage, node, nodes),
    );
  }
}

function offlineRules(node: ReplicaNode): readonly BrokenRule[] {
  const count = countOn(node);
  return brokenOf(
    count > 0 && broken('healthy-group', `offline node ${node.record.alias} still has ${count} instance(s)`),
  );
}

function onlineRules(
  replica: Replica,
  storage: Storage,
  node: ReplicaNode,
  members: readonly ReplicaNode[],
): readonly BrokenRule[] {
  const { alias } = node.record;
  return brokenOf(
    node.breaksNPlusOne && broken('healthy-group', `${alias} fails N+1 at the end`),
    restartVerdict(replica, storage, node, members) === 'impossible' &&
      broken('healthy-group', `what runs on ${alias} at the end could not all start again elsewhere`),
  );
}
