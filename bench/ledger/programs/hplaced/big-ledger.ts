/** A large ledger, written in bulk: hosts of two NUMA nodes with devices, as a cloud has them. */
import { randomUUID } from 'node:crypto';
import { initLedger } from '../../../../src/ledger/claims/claim/ledger.ts';
import { insertRows } from '../../../../src/ledger/store/rows.ts';
import type { Session } from '../../../../src/ledger/store/store.ts';

export interface HostShape {
  readonly hosts: number;
  readonly numaNodes: number;
  /** Devices of each NUMA node. */
  readonly devices: number;
}

/** The uuid of the n-th provider that is made, from 1. */
export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Makes the ledger at `url` with these hosts; nothing is used. @returns the number of providers */
export async function makeBigLedger(url: string, { hosts, numaNodes, devices }: HostShape): Promise<number> {
  const { ledger } = await initLedger(url, { now: Date.now, newRequest: randomUUID });
  const providers: (string | number | null)[][] = [];
  const inventories: (string | number)[][] = [];
  const add = (
    name: string,
    parent: number | null,
    root: number | null,
    stock: readonly (readonly [number, number])[],
  ): number => {
    const id = providers.length + 1;
    providers.push([id, uuidOf(id), name, parent, root ?? id, 0, 0]);
    for (const [classId, total] of stock) inventories.push([id, classId, total, 0, 1, total, 1, '1', 0, 0]);
    return id;
  };
  await ledger.store.write(async (session: Session) => {
    const rows = await session.all<{ id: number; name: string }>('SELECT id, name FROM resource_classes');
    const classes = new Map(rows.map(({ id, name }) => [name, id]));
    for (let h = 0; h < hosts; h++) {
      const host = `host${String(h).padStart(5, '0')}`;
      const root = add(host, null, null, [[classes.get('DISK_GB')!, 2000]]);
      for (let n = 0; n < numaNodes; n++) {
        const numa = add(`${host}-numa${n}`, root, root, [
          [classes.get('VCPU')!, 32],
          [classes.get('MEMORY_MB')!, 131_072],
        ]);
        for (let d = 0; d < devices; d++)
          add(`${host}-numa${n}-dev${d}`, numa, root, [[classes.get('VGPU')!, 4]]);
      }
    }
    await insertRows(
      session,
      'resource_providers (id, uuid, name, parent_id, root_id, created_at, updated_at)',
      providers,
    );
    await insertRows(
      session,
      'inventories (provider_id, class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, created_at, updated_at)',
      inventories,
    );
    if (session.dialect === 'postgres')
      await session.run("SELECT setval(pg_get_serial_sequence('resource_providers', 'id'), ?)", [
        providers.length,
      ]);
  });
  await ledger.store.close();
  return providers.length;
}
