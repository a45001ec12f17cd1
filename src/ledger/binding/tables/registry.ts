/** The row that all changes of pods go through. */
import type { Session } from '../../store/store.ts';
import type { Policy } from '../model/pod.ts';
import { affinityKeys } from './pods.ts';

export interface Registry {
  /** Every change of pods or of the policy raises it by one. */
  readonly generation: number;
  readonly removedAt: number;
  readonly keys: readonly string[];
  readonly policy: Policy;
}

async function registry(session: Session, more: string): Promise<Registry> {
  type Row = Omit<Registry, 'keys' | 'policy'> & { readonly keys: string; readonly policy: string };
  const row = await session.get<Row>(
    `SELECT generation, removed_at AS "removedAt", affinity_keys AS keys, policy FROM pod_registry WHERE id = 1 ${more}`,
  );
  return { ...row!, keys: JSON.parse(row!.keys), policy: JSON.parse(row!.policy) };
}

export const readRegistry = (session: Session): Promise<Registry> => registry(session, '');

/** The same, and nobody changes a pod until this transaction ends. */
export const holdRegistry = (session: Session): Promise<Registry> => registry(session, '{share}');

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
