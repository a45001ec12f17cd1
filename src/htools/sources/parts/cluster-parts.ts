/**
 * Parts of clusters that JSON documents state alike, the iallocator's requests and the answers of live
 * clusters: instance policies, storage pools, hypervisors. Messages about policies are those of the stock
 * reader.
 */
import { ProblemList } from '../../../kit/files/problem-list.ts';
import { tallied } from '../../../kit/grouped.ts';
import { JsonRecord } from '../../../kit/json/json-record.ts';
import { isObject } from '../../../kit/json/json-value.ts';
import { itemFault } from '../../../kit/name-faults.ts';
import { LIMIT, RATIO } from '../../../kit/ranges.ts';
import type { InstancePolicy, InstanceSpec, PoolId, SpecRange } from '../../cluster/snapshot.ts';
import { isImpossible } from '../../cluster/storage/pool-statements.ts';
import { poolId, STORAGE_TYPES } from '../../cluster/tags/tags.ts';
import { DISK_TEMPLATES, type DiskTemplate } from '../../cluster/templates.ts';

/** Source: ganeti(7), `enabled_hypervisors`. */
export const HYPERVISORS = ['kvm', 'xen-pvm', 'chroot', 'xen-hvm', 'lxc', 'fake'] as const;

const POLICY_KEYS = ['minmax', 'std', 'disk-templates', 'vcpu-ratio', 'spindle-ratio'];
const RANGE_KEYS = ['min', 'max'];

/** Of two things with one name nobody could tell which is meant. */
export function refuseRepeated<Member extends 'name' | 'uuid'>(
  problems: ProblemList,
  what: string,
  items: readonly { readonly [M in Member]: string }[],
  member: Member,
): void {
  const names = tallied(items.map((item) => item[member]));
  for (const [name, times] of names)
    if (times > 1 && name !== '')
      problems.add({
        field: member,
        value: name,
        problem: `${what} '${name}': there are two of that ${member}`,
        remedy: 'leave one out, or rename it',
      });
}

/** Inside a policy a wrong value is announced in other words than elsewhere. */
class PolicyRecord extends JsonRecord {
  protected override about(key: string): string {
    return `Can't parse value for '${key}'`;
  }

  inner(key: string, value = this.value(key)): PolicyRecord {
    if (isObject(value)) return new PolicyRecord(this.problems, value, this.prefix + this.about(key));
    return this.notA('JSObject', key, value, new PolicyRecord(new ProblemList(''), {}));
  }
}

export function readPolicy(record: JsonRecord): InstancePolicy {
  const policy = new PolicyRecord(record.problems, record.object, record.prefix.slice(0, -2));
  const ranges = policy.list('minmax').map((item): SpecRange => {
    const range = policy.inner('minmax', item);
    const read = { min: readSpec(range.inner('min')), max: readSpec(range.inner('max')) };
    range.allowOnly(RANGE_KEYS);
    return read;
  });
  const standard = readSpec(policy.inner('std'));
  const diskTemplates = policy.words('disk-templates', 'DiskTemplate', DISK_TEMPLATES);
  const vcpuRatio = policy.doubleIn('vcpu-ratio', RATIO);
  const spindleRatio = policy.doubleIn('spindle-ratio', RATIO);
  policy.allowOnly(POLICY_KEYS);
  return { ranges, standard, diskTemplates, vcpuRatio, spindleRatio };
}

function readSpec(record: PolicyRecord): InstanceSpec {
  const spec = {
    memoryMib: record.intIn('memory-size', LIMIT),
    cpuCount: record.intIn('cpu-count', LIMIT),
    diskMib: record.intIn('disk-size', LIMIT),
    diskCount: record.intIn('disk-count', LIMIT),
    nicCount: record.intIn('nic-count', LIMIT),
    spindleUse: record.intIn('spindle-use', LIMIT),
  };
  record.allowOnly(['memory-size', 'cpu-count', 'disk-size', 'disk-count', 'nic-count', 'spindle-use']);
  return spec;
}

/** The name cannot be one of a pool. @returns no pools */
export function refusePool(record: JsonRecord, key: string, name: string): [] {
  const problem = `'${name}' is not the name of a storage pool`;
  const remedy = itemFault(name)?.remedy ?? `write TYPE/NAME, TYPE one of ${STORAGE_TYPES.join(', ')}`;
  record.unreadable(key, problem, name, remedy);
  return [];
}

/** The pool that `storage_type` and `storage_pool` name; undefined when neither is there. */
export function readInstancePool(record: JsonRecord, diskTemplate: DiskTemplate): PoolId | undefined {
  if (!record.has('storage_type') && !record.has('storage_pool')) return undefined;
  const type = record.word('storage_type', 'StorageType', STORAGE_TYPES);
  const name = record.text('storage_pool');
  if (name === undefined) return undefined;
  const storagePool = poolId(type, name);
  if (storagePool === undefined) refusePool(record, 'storage_pool', name);
  else if (isImpossible(diskTemplate, storagePool))
    record.unreadable(
      'storage_pool',
      `${storagePool} is external, but the disk template is drbd`,
      name,
      'correct its storage pool, or its disk template',
    );
  return storagePool;
}
