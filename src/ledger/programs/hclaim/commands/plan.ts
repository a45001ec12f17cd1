/** `hclaim plan`: claims a move list step by step. */
import { lookupName } from '../../../../htools/cluster/names.ts';
import { readMoves } from '../../../../htools/sources/moves/read-moves.ts';
import { allSaid } from '../../../../kit/cli/all-said.ts';
import { ExecutionError } from '../../../../kit/faults.ts';
import { printOut } from '../../../../kit/report/output.ts';
import { claimMoves, type PlannedMove } from '../../../claims/moves/claim-moves.ts';
import type { Session } from '../../../store/store.ts';
import { readDuration, required } from '../../shared/access/ledger-url.ts';
import { authorOf, type Command, withLedger } from '../kit/context.ts';

const placeText = ({ primary, secondary }: PlannedMove['from']): string =>
  secondary === null ? `${primary}` : `${primary}:${secondary}`;

const moveText = ({ instance, from, to }: PlannedMove): string =>
  `${instance}  ${placeText(from)} => ${placeText(to)}\n`;

const namesIn = async (session: Session, select: string): Promise<readonly string[]> =>
  (await session.all<{ name: string }>(select)).map(({ name }) => name);

export const plan: Command<'plan'> = (options) => {
  const { moves: file, step, dryRun } = options;
  const [read, ttl, author] = allSaid(
    () => readMoves(required(file, 'hclaim plan: the moves are missing', 'name their file: -f MOVES')),
    () => readDuration('ttl', options.ttl),
    () => authorOf(options),
  );
  return withLedger(options, async (ledger) => {
    const { nodes, instances } = await ledger.store.read(async (session) => ({
      nodes: await namesIn(session, 'SELECT name FROM resource_providers'),
      instances: await namesIn(session, 'SELECT uuid AS name FROM consumers'),
    }));
    // Text shows names without the ending that all have in common.
    const unclear = new Set<string>();
    const full = (names: readonly string[], name: string): string => {
      const match = lookupName(names, name);
      if (match.kind === 'several') unclear.add(name);
      return match.name;
    };
    const place = ({ primary, secondary }: (typeof read)[number]['from']): PlannedMove['from'] => ({
      primary: full(nodes, primary),
      secondary: secondary === null ? null : full(nodes, secondary),
    });
    const moves = read.map(({ instance, from, to }) => ({
      instance: full(instances, instance),
      from: place(from),
      to: place(to),
    }));
    if (unclear.size > 0)
      throw new ExecutionError(
        `${file}: the ledger has several names that begin with ${[...unclear].join(', ')}`,
        'give what the program prints with --json: it has whole names',
      );
    if (dryRun) return { kind: 'done', text: moves.map(moveText).join(''), facts: { moves, claimed: 0 } };
    const { claimed, outcome } = await claimMoves(
      ledger,
      author,
      moves,
      { stepMode: step, expiresAt: ttl === undefined ? undefined : ledger.now() + ttl },
      (move) => {
        if (!options.json) printOut(`Claimed: ${moveText(move)}`);
      },
    );
    const facts = { moves, claimed };
    if (outcome.kind !== 'done') return { ...outcome, facts };
    return { kind: 'done', text: `All ${claimed} moves are claimed.\n`, facts };
  });
};
