/**
 * Parts of clusters that JSON documents state alike, the iallocator's requests and the answers of live
 * clusters: instance policies, storage pools, hypervisors. Messages about policies are those of the stock
 * reader.
 */
import { JsonRecord, jsonFault } from '../../../kit/json/json-record.ts';
import type { JsonValue } from '../../../kit/json/json-value.ts';
import { MIB, RATIO } from '../../../kit/ranges.ts';
import type { InstancePolicy, InstanceSpec, PoolId, SpecRange } from '../../cluster/snapshot.ts';
import { isImpossible } from '../../cluster/storage/pool-statements.ts';
import { poolId, STORAGE_TYPES } from '../../cluster/tags/tags.ts';
import { DISK_TEMPLATES, type DiskTemplate } from '../../cluster/templates.ts';

/** Source: ganeti(7), `enabled_hypervisors`. */
export const HYPERVISORS = ['kvm', 'xen-pvm', 'chroot', 'xen-hvm', 'lxc', 'fake'] as const;

const POLICY_KEYS = ['minmax', 'std', 'disk-templates', 'vcpu-ratio', 'spindle-ratio'];
const RANGE_KEYS = ['min', 'max'];

/** Of two things with one name nobody could tell which is meant. */
export function refuseRepeated(
  source: string,
  what: string,
  items: readonly { readonly name: string }[],
): void {
  const seen = new Set<string>();
  for (const { name } of items) {
    if (seen.has(name)) throw jsonFault(source, `${what} '${name}': there are two of that name`);
    seen.add(name);
  }
}

/** Inside a policy a wrong value is announced in other words than elsewhere. */
class PolicyRecord extends JsonRecord {
  number(key: string, kind: 'Int' | 'Double'): number {
    const value = this.value(key);
    if (typeof value === 'number') return kind === 'Int' ? this.intIn(key, MIB) : this.doubleIn(key, RATIO);
    throw this.unparsed(key, `Unable to read ${kind}`, value);
  }

  inner(key: string, value = this.value(key)): PolicyRecord {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.unparsed(key, 'Unable to read JSObject', value);
    }
    return new PolicyRecord(this.source, value, `${this.prefix}Can't parse value for '${key}'`);
  }

  values(key: string): JsonValue[] {
    const value = this.value(key);
    if (!Array.isArray(value)) throw this.unparsed(key, 'Unable to read list', value);
    return value;
  }

  unparsed(key: string, problem: string, value: JsonValue) {
    return jsonFault(this.source, `${this.prefix}Can't parse value for '${key}': ${problem}`, key, value);
  }
}

/** @throws InputError at the first thing that is wrong. */
export function readPolicy(record: JsonRecord): InstancePolicy {
  const policy = new PolicyRecord(record.source, record.object, record.prefix.slice(0, -2));
  const ranges = policy.values('minmax').map((item): SpecRange => {
    const range = policy.inner('minmax', item);
    const read = { min: readSpec(range.inner('min')), max: readSpec(range.inner('max')) };
    range.allowOnly(RANGE_KEYS);
    return read;
  });
  const standard = readSpec(policy.inner('std'));
  const diskTemplates = policy.values('disk-templates').map((item) => {
    const found = DISK_TEMPLATES.find((template) => template === item);
    if (found !== undefined) return found;
    const problem =
      typeof item === 'string'
        ? `Invalid string value for type DiskTemplate: ${JSON.stringify(item)}`
        : "Can't parse value for 'DiskTemplate': Unable to read String";
    throw policy.unparsed('disk-templates', problem, item);
  });
  const vcpuRatio = policy.number('vcpu-ratio', 'Double');
  const spindleRatio = policy.number('spindle-ratio', 'Double');
  policy.allowOnly(POLICY_KEYS);
  return { ranges, standard, diskTemplates, vcpuRatio, spindleRatio };
}

const SPEC_KEYS = [
  'memory-size',
  'cpu-count',
  'disk-size',
  'disk-count',
  'nic-count',
  'spindle-use',
] as const;

function readSpec(record: PolicyRecord): InstanceSpec {
  const [memoryMib, cpuCount, diskMib, diskCount, nicCount, spindleUse] = SPEC_KEYS.map((key) =>
    record.number(key, 'Int'),
  ) as [number, number, number, number, number, number];
  record.allowOnly(SPEC_KEYS);
  return { memoryMib, cpuCount, diskMib, diskCount, nicCount, spindleUse };
}

/** @throws InputError always: the name cannot be one of a pool. */
export function refusePool(record: JsonRecord, key: string, name: string): never {
  throw record.unreadable(key, `'${name}' is not the name of a storage pool`, name);
}

/** The pool that `storage_type` and `storage_pool` name; undefined when neither is there. */
export function readInstancePool(record: JsonRecord, diskTemplate: DiskTemplate): PoolId | undefined {
  if (!record.has('storage_type') && !record.has('storage_pool')) return undefined;
  const type = record.word('storage_type', 'StorageType', STORAGE_TYPES);
  const name = record.string('storage_pool');
  const storagePool = poolId(type, name) ?? refusePool(record, 'storage_pool', name);
  if (isImpossible(diskTemplate, storagePool))
    throw record.unreadable(
      'storage_pool',
      `${storagePool} is external, but the disk template is drbd`,
      name,
    );
  return storagePool;
}
