/**
 * The pods as they were read last: while no pod changes, requests need not read a thousand rows each. Only
 * for transactions that change no pod themselves, since what they would read might be taken back.
 */
import type { Session } from '../../store/store.ts';
import type { Pod } from '../model/pod.ts';
import { allPods, podsById, podsSince } from '../tables/pods.ts';
import type { Registry } from '../tables/registry.ts';

interface Picture {
  readonly generation: number;
  /** The oldest first. */
  readonly pods: readonly Pod[];
  readonly byId: ReadonlyMap<number, Pod>;
}

export class PodCache {
  private picture: Picture | undefined;

  /** All pods of the registry's generation, the oldest first. */
  async all(session: Session, registry: Registry): Promise<readonly Pod[]> {
    const { picture } = this;
    if (picture?.generation === registry.generation) return picture.pods;
    // Another transaction may have seen more than this one does.
    if (picture && picture.generation > registry.generation) return allPods(session);
    const isPiece = picture !== undefined && registry.removedAt <= picture.generation;
    const pods = isPiece
      ? merged(picture, await podsSince(session, picture.generation))
      : await allPods(session);
    const next = { generation: registry.generation, pods, byId: new Map(pods.map((pod) => [pod.id, pod])) };
    if (this.picture === undefined || this.picture.generation < next.generation) this.picture = next;
    return pods;
  }

  async some(session: Session, registry: Registry, ids: readonly number[]): Promise<(id: number) => Pod> {
    const { picture } = this;
    if (ids.length === 0) return (id) => missing(id);
    const byId =
      picture?.generation === registry.generation
        ? picture.byId
        : new Map((await podsById(session, ids)).map((pod) => [pod.id, pod]));
    return (id) => byId.get(id) ?? missing(id);
  }
}

function missing(id: number): never {
  throw new RangeError(`a binding names pod ${id}, which is not there`);
}

function merged({ byId }: Picture, changed: readonly Pod[]): readonly Pod[] {
  const next = new Map(byId);
  for (const pod of changed) next.set(pod.id, pod);
  return [...next.values()].sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
}
