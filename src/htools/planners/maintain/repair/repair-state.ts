/** What an instance's tags say about its repairs so far. Pure. Source: harep(1), the stock program. */
import { groupedBy } from '../../../../kit/grouped.ts';
import { REPAIR_RESULTS, type RepairRecord, readRepairTag } from './repair-tags.ts';

/** Where an instance stands; the record is that of the repair which brought it there. */
export type RepairState =
  | { readonly state: 'healthy'; readonly record: RepairRecord | undefined }
  | { readonly state: 'failed' | 'pending' | 'needs-repair'; readonly record: RepairRecord };

export interface TaggedState {
  readonly current: RepairState;
  /** Tags that the current one has replaced: of its own repair, then of those before it, newest first. */
  readonly outdated: readonly string[];
}

/** A pending repair with a later one behind it: nobody can tell what is going on. */
export interface RepairConflict {
  readonly conflict: { readonly newer: string; readonly older: string };
}

/** Without a result first, then by how much the result counts. */
const rankOf = ({ result }: RepairRecord): number => (result === null ? -1 : REPAIR_RESULTS.indexOf(result));

/** The record that speaks for a repair: the one with the weightiest result, the latest of those. */
const speaker = (records: readonly RepairRecord[]): RepairRecord =>
  records.toSorted((a, b) => rankOf(a) - rankOf(b) || a.time - b.time).at(-1)!;

function stateOf(record: RepairRecord): RepairState {
  if (record.result === null) return { state: 'pending', record };
  return { state: record.result === 'failure' ? 'failed' : 'healthy', record };
}

/** Records of one repair each, by the repair's first time. */
function repairsOf(tags: readonly string[]): readonly (readonly RepairRecord[])[] {
  const records = tags.flatMap((tag) => readRepairTag(tag) ?? []);
  const byId = groupedBy(
    records.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    ({ id }) => id,
  );
  const began = (repair: readonly RepairRecord[]): number => Math.min(...repair.map(({ time }) => time));
  return [...byId.values()].sort((a, b) => began(a) - began(b));
}

/** The tag of the state's own repair, ahead of those that are outdated already. */
export const withCurrentTag = ({ current, outdated }: TaggedState): readonly string[] =>
  current.record === undefined ? outdated : [current.record.tag, ...outdated];

/** The earliest failure stays; else the latest repair counts, and none may follow on a pending one. */
export function taggedState(tags: readonly string[]): TaggedState | RepairConflict {
  let found: TaggedState = { current: { state: 'healthy', record: undefined }, outdated: [] };
  for (const repair of repairsOf(tags)) {
    const { state, record } = found.current;
    if (state === 'failed') break;
    const next = speaker(repair);
    if (state === 'pending') return { conflict: { newer: next.tag, older: record.tag } };
    // What a killed run has left goes, too: behind a later repair, a pending tag of this one is a conflict.
    const left = repair.filter((one) => one !== next).map(({ tag }) => tag);
    found = { current: stateOf(next), outdated: [...left, ...withCurrentTag(found)] };
  }
  return found;
}
