/** Instances that stand for nothing but a size: what hspace fills a cluster with. Source: hspace(1). */
import { BASE_UTILISATION, type Instance, type InstanceSpec, NO_NODE } from '../../cluster/snapshot.ts';
import { type DiskTemplate, isMovableTemplate } from '../../cluster/templates.ts';

/** What an instance needs. Memory and disk in MiB. */
export interface Size {
  readonly memMib: number;
  readonly diskMib: number;
  readonly vcpus: number;
  /** Spindles of its disk, which count where storage is exclusive. */
  readonly spindles: number;
}

export const sizeOfSpec = (spec: InstanceSpec): Size => ({
  memMib: spec.memoryMib,
  diskMib: spec.diskMib,
  vcpus: spec.cpuCount,
  spindles: spec.spindleUse,
});

/** A running instance with one disk, on no node yet. @param spindleUse its share of a node's spindles */
export function sizedInstance(size: Size, diskTemplate: DiskTemplate, spindleUse: number): Instance {
  return {
    index: -1,
    name: 'new',
    alias: 'new',
    memMib: size.memMib,
    diskMib: size.diskMib,
    disks: [{ sizeMib: size.diskMib, spindles: size.spindles }],
    vcpus: size.vcpus,
    status: 'running',
    isAutoBalanced: true,
    primary: NO_NODE,
    secondary: NO_NODE,
    diskTemplate,
    spindleUse,
    tags: [],
    nics: [],
    isForthcoming: false,
    utilisation: BASE_UTILISATION,
    isMovable: isMovableTemplate(diskTemplate),
    exclusionTags: [],
    desiredLocationTags: [],
  };
}

export const sizeOf = ({ memMib, diskMib, vcpus, disks }: Instance): Size => ({
  memMib,
  diskMib,
  vcpus,
  spindles: disks[0]?.spindles ?? 0,
});

export const isSameSize = (a: Size, b: Size): boolean =>
  a.memMib === b.memMib && a.diskMib === b.diskMib && a.vcpus === b.vcpus && a.spindles === b.spindles;

/** Runs of equal sizes, in the order in which the instances came. */
export function sizeCounts(instances: readonly Instance[]): (Size & { readonly count: number })[] {
  const runs: (Size & { count: number })[] = [];
  for (const instance of instances) {
    const size = sizeOf(instance);
    const last = runs.at(-1);
    if (last && isSameSize(last, size)) last.count++;
    else runs.push({ ...size, count: 1 });
  }
  return runs;
}
