/** Who may be where, as one table: pools and the bars of tags, for loops that cannot ask twice. */
import { int32, uint8 } from '../../../kit/shared-arrays.ts';
import type { ClusterState } from './state.ts';

interface Access {
  /** 1 where instances of a row may be: `[row * nodes + node]`; undefined where all may be anywhere. */
  readonly access: Uint8Array | undefined;
  readonly rows: Int32Array;
}

/** The storage's own table where no tag bars anything. */
export function accessOf(state: ClusterState): Access {
  const { placement, storage, storageRow, nodeCount: n, instanceCount } = state;
  if (!placement.hasBars) return { access: storage?.access, rows: storageRow };
  const known = new Map<string, number>();
  const rows = int32(storageRow.length);
  const members: number[] = [];
  for (let i = 0; i < instanceCount; i++) {
    const key = `${storage ? storageRow[i] : 0} ${placement.barRow[i]}`;
    let row = known.get(key);
    if (row === undefined) {
      row = members.length;
      known.set(key, row);
      members.push(i);
    }
    rows[i] = row;
  }
  const access = uint8(members.length * n);
  members.forEach((i, row) => {
    for (let node = 0; node < n; node++) access[row * n + node] = state.admits(i, node) ? 1 : 0;
  });
  return { access, rows };
}
