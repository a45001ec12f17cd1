/** Tags that allow repairs, and keep their state. Pure. Source: harep(1); Ganeti's "autorepair" design. */
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { readInt } from '../../../../kit/text/numbers.ts';
import type { repaired } from '../../../results/harep.ts';

/** From the least destructive to the most: who allows one allows those before it. */
export const REPAIR_TYPES = ['fix-storage', 'migrate', 'failover', 'reinstall'] as const;
export type RepairType = (typeof REPAIR_TYPES)[number];

/** Of several results of one repair the last of these counts. `enoperm`: it was not allowed. */
export const REPAIR_RESULTS = ['enoperm', 'success', 'failure'] as const;
export const severityOf = (type: RepairType): number => REPAIR_TYPES.indexOf(type);

const PREFIX = 'ganeti:watcher:autorepair:';
const PENDING = `${PREFIX}pending:`;
const RESULT = `${PREFIX}result:`;
const SUSPEND = `${PREFIX}suspend:`;

/** One repair as a tag tells of it; the id is the same in all its tags. No result: it is pending. */
export type RepairRecord = NonNullable<DocumentOf<typeof repaired>['record']>;

/** What follows the prefix; its last colon may be left out when nothing does. */
function behind(prefix: string, tag: string): string | undefined {
  if (tag.startsWith(prefix)) return tag.slice(prefix.length);
  return tag === prefix.slice(0, -1) ? '' : undefined;
}

const memberOf = <T extends string>(list: readonly T[], text: string): T | undefined =>
  list.find((member) => member === text);

/** Beyond what is exact there is no job, and the next tag would name another one. */
const isJobId = (id: number | undefined): id is number => Number.isSafeInteger(id) && id! >= 0;

function jobIds(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const ids = text.split('+').map(readInt);
  return ids.every(isJobId) ? ids : undefined;
}

function recordOf(tag: string, parts: readonly string[], result: (typeof REPAIR_RESULTS)[number] | null) {
  const [typeText = '', id = '', timeText = '', jobsText = ''] = parts;
  const type = memberOf(REPAIR_TYPES, typeText);
  const time = readInt(timeText);
  const jobs = jobIds(jobsText);
  if (type === undefined || time === undefined || jobs === undefined) return undefined;
  return { type, id, time, jobs, result, tag };
}

const PENDING_PARTS = 4;
const RESULT_PARTS = 5;
const RESULT_AT = 3;

/** Reads a tag; undefined when it tells of no repair, or is malformed. */
export function readRepairTag(tag: string): RepairRecord | undefined {
  const pending = behind(PENDING, tag)?.split(':');
  if (pending !== undefined)
    return pending.length === PENDING_PARTS ? recordOf(tag, pending, null) : undefined;
  const parts = behind(RESULT, tag)?.split(':');
  if (parts?.length !== RESULT_PARTS) return undefined;
  const result = memberOf(REPAIR_RESULTS, parts[RESULT_AT]!);
  return result && recordOf(tag, parts.toSpliced(RESULT_AT, 1), result);
}

export function withTag(record: Omit<RepairRecord, 'tag'>): RepairRecord {
  const { type, id, time, jobs, result } = record;
  const words = [type, id, `${time}`, ...(result === null ? [] : [result]), jobs.join('+')];
  return { ...record, tag: (result === null ? PENDING : RESULT) + words.join(':') };
}

/** What may be done to an instance. Times in seconds since 1970. */
export type RepairPolicy = DocumentOf<typeof repaired>['allowed'];

/** What the tags of one object say; undefined when they say nothing. A suspension outweighs a permission. */
function policyIn(tags: readonly string[], now: number): RepairPolicy | undefined {
  const suspensions = tags.flatMap((tag) => behind(SUSPEND, tag) ?? []);
  if (suspensions.includes('')) return { kind: 'suspended', until: null };
  const ends = suspensions.flatMap((text) => readInt(text) ?? []).filter((time) => time > now);
  if (ends.length > 0) return { kind: 'suspended', until: Math.max(...ends) };
  const types = tags.flatMap((tag) => memberOf(REPAIR_TYPES, behind(PREFIX, tag) ?? '') ?? []);
  const [least] = types.sort((a, b) => severityOf(a) - severityOf(b));
  return least && { kind: 'enabled', upTo: least };
}

/** Its policy: of the objects that say anything, the nearest counts. @param now seconds since 1970 */
export const policyFor = (
  tags: Readonly<Record<'instance' | 'group' | 'cluster', readonly string[]>>,
  now: number,
): RepairPolicy =>
  policyIn(tags.instance, now) ??
  policyIn(tags.group, now) ??
  policyIn(tags.cluster, now) ?? { kind: 'not-enabled' };
