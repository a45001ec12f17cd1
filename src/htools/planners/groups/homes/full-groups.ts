/**
 * Groups that have no room left for the memory of instances of some kind, whatever else these need.
 *
 * While instances come to groups and none leaves them, what a group refuses for good it refuses for ever, and
 * anything larger as well. Sizes of disks are many and sizes of memory few: so a group that refuses an
 * instance is asked once whether it would take it without disks, cpus and exclusion tags.
 */
import type { SuperCluster } from './super-cluster.ts';

export class FullGroups {
  /** By kind, and by group: memory (MiB) from which on it is refused. */
  private readonly limits = new Map<string, Float64Array>();
  private readonly asked = new Set<string>();

  /** @param hasRoom whether an instance finds a home in the group as the state stands; it is not moved */
  constructor(
    private readonly cluster: SuperCluster,
    private readonly hasRoom: (i: number, group: number) => boolean,
  ) {}

  /** The groups that are not known to have no room for the instance. */
  without(i: number, groups: readonly number[]): readonly number[] {
    const limits = this.limits.get(this.kindOf(i));
    const { mem } = this.cluster.state;
    return limits ? groups.filter((group) => mem[i]! < limits[group]!) : groups;
  }

  /** Some groups have refused an instance for good. */
  note(i: number, groups: readonly number[]): void {
    const { state, members, storageKinds } = this.cluster;
    // Mates that come let others in, and what migration tags and policies admit does not follow size.
    if (state.placement.hasMates(i) || state.tags.migrationClassCount > 1) return;
    const kind = this.kindOf(i);
    const limits = this.limits.get(kind) ?? new Float64Array(members.length).fill(Number.POSITIVE_INFINITY);
    this.limits.set(kind, limits);
    for (const group of groups) {
      const question = `${kind} ${group} ${state.mem[i]}`;
      if (storageKinds[group]!.length > 1 || this.asked.has(question)) continue;
      this.asked.add(question);
      if (!this.hasRoomForMemory(i, group)) limits[group] = Math.min(limits[group]!, state.mem[i]!);
    }
  }

  private hasRoomForMemory(i: number, group: number): boolean {
    const { disk, vcpus, spindleUse, diskSpindles, tags } = this.cluster.state;
    const sizes = [disk, vcpus, spindleUse, diskSpindles];
    const own = sizes.map((size) => size[i]!);
    const exclusions = tags.exclusionsOf[i]!;
    for (const size of sizes) size[i] = 0;
    tags.exclusionsOf[i] = [];
    const hasRoom = this.hasRoom(i, group);
    tags.exclusionsOf[i] = exclusions;
    sizes.forEach((size, k) => {
      size[i] = own[k]!;
    });
    return hasRoom;
  }

  /** Instances of one kind differ in nothing else that matters. */
  private kindOf(i: number): string {
    const { flags, mirroring, storageRow, placement } = this.cluster.state;
    return `${flags[i]} ${mirroring[i]} ${storageRow[i]} ${placement.barRow[i]}`;
  }
}
