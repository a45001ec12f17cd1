/** The row that all changes of pods go through. */
import type { Session } from '../../store/store.ts';
import type { Policy } from '../model/policy.ts';
import { affinityKeys } from './pods.ts';

export interface Registry {
  /** Every change of pods or of the policy raises it by one. */
  readonly generation: number;
  /** The generation in which a pod was last removed. */
  readonly removedAt: number;
  readonly keys: readonly string[];
  readonly policy: Policy;
}

interface RegistryRow {
  readonly generation: number;
  readonly removed_at: number;
  readonly affinity_keys: string;
  readonly policy: string;
}

const registryOf = (row: RegistryRow): Registry => ({
  generation: row.generation,
  removedAt: row.removed_at,
  keys: JSON.parse(row.affinity_keys) as readonly string[],
  policy: JSON.parse(row.policy) as Policy,
});

const COLUMNS = 'generation, removed_at, affinity_keys, policy';

export const readRegistry = async (session: Session): Promise<Registry> =>
  registryOf((await session.get<RegistryRow>(`SELECT ${COLUMNS} FROM pod_registry WHERE id = 1`))!);

/** The same, and nobody changes a pod until this transaction ends. */
export const holdRegistry = async (session: Session): Promise<Registry> =>
  registryOf((await session.get<RegistryRow>(`SELECT ${COLUMNS} FROM pod_registry WHERE id = 1 {share}`))!);

/** Begins a change of pods; others wait for its end. @returns the new generation */
export async function raiseGeneration(session: Session): Promise<number> {
  const row = await session.get<{ generation: number }>(
    'UPDATE pod_registry SET generation = generation + 1 WHERE id = 1 RETURNING generation',
  );
  return row!.generation;
}

/** Brings the keys up to date after pods were made, given another purpose or removed. */
export const renewKeys = async (session: Session): Promise<number> =>
  session.run('UPDATE pod_registry SET affinity_keys = ? WHERE id = 1', [
    JSON.stringify(await affinityKeys(session)),
  ]);

export const noteRemoval = (session: Session, generation: number): Promise<number> =>
  session.run('UPDATE pod_registry SET removed_at = ? WHERE id = 1', [generation]);

export const writePolicy = (session: Session, policy: Policy): Promise<number> =>
  session.run('UPDATE pod_registry SET policy = ? WHERE id = 1', [JSON.stringify(policy)]);
