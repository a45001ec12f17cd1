/** Allocations as the Placement interface shows them: by consumer, or by provider. */
import type { Session } from '../../store/store.ts';
import type { End } from '../model/ends.ts';
import { OWNER_COLUMNS, OWNERS, type Owner } from './consumers.ts';

export interface AllocationView extends Owner {
  readonly provider: string;
  readonly providerGeneration: number;
  readonly consumer: string;
  readonly consumerGeneration: number;
  readonly class: string;
  readonly used: number;
  readonly updatedAt: number;
}

const SELECT = `SELECT r.uuid AS provider, r.generation AS "providerGeneration", k.uuid AS consumer,
    k.generation AS "consumerGeneration", ${OWNER_COLUMNS}, c.name AS class, a.used, a.updated_at AS "updatedAt"
  FROM consumers k JOIN allocations a ON a.consumer_id = k.id JOIN resource_providers r ON r.id = a.provider_id
    JOIN resource_classes c ON c.id = a.class_id ${OWNERS}`;

export const allocationsOfConsumer = (
  session: Session,
  consumer: string,
): Promise<readonly AllocationView[]> =>
  session.all<AllocationView>(`${SELECT} WHERE k.uuid = ? ORDER BY r.name, c.name`, [consumer]);

export interface EndView extends End {
  readonly provider: string;
  readonly consumer: string;
  readonly class: string;
}

/** The ends of what a consumer or a provider has, by time. */
export const endViews = (
  session: Session,
  of: { readonly consumer: string } | { readonly providerId: number },
): Promise<readonly EndView[]> =>
  session.all<EndView>(
    `SELECT r.uuid AS provider, k.uuid AS consumer, c.name AS class, e.expires_at AS at, e.amount
     FROM allocation_ends e JOIN consumers k ON k.id = e.consumer_id JOIN resource_providers r ON r.id = e.provider_id
       JOIN resource_classes c ON c.id = e.class_id
     WHERE ${'consumer' in of ? 'k.uuid' : 'e.provider_id'} = ? ORDER BY e.expires_at, c.name`,
    ['consumer' in of ? of.consumer : of.providerId],
  );

/** Where ends are written, with the columns in this order. */
export const ENDS = 'allocation_ends (consumer_id, provider_id, class_id, expires_at, amount)';

export const allocationsOfProvider = (
  session: Session,
  providerId: number,
  most?: number,
): Promise<readonly AllocationView[]> =>
  session.all<AllocationView>(
    `${SELECT} WHERE a.provider_id = ? ORDER BY k.uuid, c.name ${most === undefined ? '' : `LIMIT ${most}`}`,
    [providerId],
  );
