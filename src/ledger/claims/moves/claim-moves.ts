/** Claiming the moves of a plan, one after the other. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { plannedMove, refusal } from '../../results/hclaim.ts';
import { type Session, withRetries } from '../../store/store.ts';
import { claim } from '../claim/claim.ts';
import { type Amount, type ConsumerClaim, forGoodOf, partsOf } from '../claim/claim-request.ts';
import type { Author, Ledger } from '../claim/ledger.ts';
import type { StepMode } from '../model/inventory.ts';
import { keptName } from '../model/names.ts';
import type { Outcome } from '../model/refusal.ts';
import { byNames, consumersOf, type Holding } from '../tables/consumers.ts';
import { findProvider, type StoredProvider } from '../tables/providers.ts';

export type PlannedMove = DocumentOf<typeof plannedMove>;

type MoveRefusal = DocumentOf<typeof refusal>;

interface MovesClaimed {
  readonly claimed: number;
  /** What came of the last that was tried: `done` when all are claimed. */
  readonly outcome: Outcome<unknown, MoveRefusal>;
}

interface MoveWords {
  readonly stepMode: StepMode;
  /** When the new places go back unless they are confirmed, ms since 1970; undefined: never. */
  readonly expiresAt?: number | undefined;
}

/** Claims the moves in order and stops at the first that is refused. @param onClaimed told after each. */
export async function claimMoves(
  ledger: Ledger,
  author: Author,
  moves: readonly PlannedMove[],
  words: MoveWords,
  onClaimed: (move: PlannedMove) => void,
): Promise<MovesClaimed> {
  let claimed = 0;
  for (const move of moves) {
    const outcome = await withRetries(
      () => claimMove(ledger, author, move, words),
      // The generation is the one that was read a moment ago, and nobody stated it.
      (tried) => tried.kind === 'conflict' && tried.conflict.kind === 'consumer-generation',
    );
    if (outcome.kind !== 'done') return { claimed, outcome };
    claimed++;
    onClaimed(move);
  }
  return { claimed, outcome: { kind: 'done', value: undefined } };
}

async function claimMove(
  ledger: Ledger,
  author: Author,
  move: PlannedMove,
  { stepMode, expiresAt }: MoveWords,
): Promise<Outcome<unknown, MoveRefusal>> {
  const wanted = await ledger.store.read((session) => claimOf(move, session));
  if (wanted.kind !== 'done') return wanted;
  return claim(ledger, author, { consumers: [{ ...wanted.value, expiresAt }], stepMode, action: 'plan' });
}

/** The claim that makes the move: everything stays, but what is on the nodes that the instance leaves. */
async function claimOf(
  { instance, from, to }: PlannedMove,
  session: Session,
): Promise<Outcome<ConsumerClaim, MoveRefusal>> {
  const refused = (...refusals: MoveRefusal[]) => ({ kind: 'refused', refusals }) as const;
  const [consumer] = (await consumersOf(session, [keptName(instance)])).values();
  if (consumer === undefined) return refused({ kind: 'unknown-instance', instance });
  const nodes = new Map<string | null, StoredProvider>();
  const refusals: MoveRefusal[] = [];
  for (const name of new Set([from.primary, from.secondary, to.primary, to.secondary])) {
    const provider = name === null ? undefined : await findProvider(session, name);
    if (provider !== undefined) nodes.set(name, provider);
    else if (name !== null) refusals.push({ kind: 'unknown-node', node: name });
  }
  if (refusals.length > 0) return refused(...refusals);
  const holdings = byNames(consumer.held);
  const left = [from.primary, from.secondary].map((name) => nodes.get(name)?.id);
  const running = holdings.filter(({ class: name }) => RUNNING.has(name));
  if (!running.some(({ root }) => root === left[0])) {
    const at = [...new Set(running.map(({ providerName }) => providerName))];
    return refused({ kind: 'elsewhere', instance, expected: from.primary ?? '-', nodes: at });
  }
  const others = await otherCopies();
  if (others.length > 0) return refused({ kind: 'other-copies', instance, nodes: others });
  const reached = [to.primary, to.secondary].flatMap((name) => nodes.get(name) ?? []);
  const allocations: Amount[] = [];
  const copied = new Set<string>();
  for (const holding of holdings)
    for (const home of await homesOf(holding))
      allocations.push(...partsOf([holding]).map((part) => ({ ...part, provider: home })));
  // Of several moves in a row the cluster has not made the first yet.
  const movingFrom = consumer.movingFrom ?? forGoodOf(holdings);
  const { generation } = consumer;
  return { kind: 'done', value: { consumer: consumer.uuid, allocations, generation, movingFrom } };

  /** Nodes with what the instance has on its primary node, too, and that the plan does not take from it. */
  async function otherCopies(): Promise<readonly string[]> {
    const own = new Set(holdings.flatMap((one) => (one.root === left[0] ? [one.class] : [])));
    const others = holdings.filter(({ class: name, root }) => own.has(name) && !left.includes(root));
    const hosts = await session.all<{ name: string }>(
      'SELECT name FROM resource_providers WHERE can_host = 1 AND id IN_NUMBERS(?) ORDER BY name',
      [others.flatMap((one) => (RUNNING.has(one.class) ? [] : [one.root]))],
    );
    return hosts.map(({ name }) => name);
  }

  async function homesOf(holding: Holding): Promise<readonly string[]> {
    const { provider, providerName, class: name, root } = holding;
    if (!left.includes(root)) return [provider];
    if (RUNNING.has(name)) return [reached[0]!.uuid];
    // One copy of the disks a node; a child of the node that holds them has a twin below the new node.
    const node = [...nodes.values()].find(({ id }) => id === root)!;
    const ending = providerName.startsWith(node.name) ? providerName.slice(node.name.length) : '';
    const key = `${name}${ending}`;
    if (copied.has(key)) return [];
    copied.add(key);
    const homes = reached.slice(0, from.secondary === null ? 1 : 2).map(async (to) => {
      const row = await session.get<{ uuid: string }>(DISK_HOLDER, [to.id, name, `${to.name}${ending}`]);
      return row?.uuid ?? to.uuid;
    });
    return Promise.all(homes);
  }
}

/** Classes that an instance has where it runs; of all others it has a copy on each of its nodes. */
const RUNNING: ReadonlySet<string> = new Set(['MEMORY_MB', 'VCPU']);

/** The provider of a node's disks of a class: the one of that name, the node, or the first below it. */
const DISK_HOLDER = `SELECT p.uuid FROM resource_providers p JOIN inventories i ON i.provider_id = p.id JOIN resource_classes c ON c.id = i.class_id
  WHERE p.root_id = ? AND c.name = ? ORDER BY CASE WHEN p.name = ? THEN 0 WHEN p.id = p.root_id THEN 1 ELSE 2 END, p.name LIMIT 1`;
