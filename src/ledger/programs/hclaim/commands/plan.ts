/** `hclaim plan`: claims a move list step by step. */
import { isFound, lookupName } from '../../../../htools/cluster/names.ts';
import { readMoves } from '../../../../htools/sources/moves/read-moves.ts';
import { printOut } from '../../../../kit/report/output.ts';
import { claimMoves, type PlannedMove } from '../../../claims/moves/claim-moves.ts';
import { badArgument, readDuration } from '../../shared/access/ledger-url.ts';
import { authorOf, type Command, withLedger } from '../kit/context.ts';

const placeText = ({ primary, secondary }: PlannedMove['from']): string =>
  secondary === null ? `${primary}` : `${primary}:${secondary}`;

const moveText = ({ instance, from, to }: PlannedMove): string =>
  `${instance}  ${placeText(from)} => ${placeText(to)}\n`;

export const plan: Command<'plan'> = (options) => {
  const { moves: file, step, dryRun } = options;
  const ttl = readDuration('ttl', options.ttl);
  if (file === undefined)
    throw badArgument('hclaim plan: the moves are missing', 'name their file: -f MOVES');
  const read = readMoves(file);
  return withLedger(options, async (ledger) => {
    const names = await ledger.store.read(async (session) => ({
      nodes: (await session.all<{ name: string }>('SELECT name FROM resource_providers')).map(
        ({ name }) => name,
      ),
      instances: (await session.all<{ uuid: string }>('SELECT uuid FROM consumers')).map(({ uuid }) => uuid),
    }));
    // Text shows names without the ending that all have in common.
    const full = (list: readonly string[], name: string | null): string | null => {
      if (name === null) return null;
      const match = lookupName(list, name);
      return isFound(match) ? match.name : name;
    };
    const moves = read.map(({ instance, from, to }) => ({
      instance: full(names.instances, instance)!,
      from: { primary: full(names.nodes, from.primary), secondary: full(names.nodes, from.secondary) },
      to: { primary: full(names.nodes, to.primary), secondary: full(names.nodes, to.secondary) },
    }));
    if (dryRun) return { kind: 'done', text: moves.map(moveText).join(''), facts: { moves, claimed: 0 } };
    const { claimed, outcome } = await claimMoves(
      ledger,
      authorOf(options),
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
