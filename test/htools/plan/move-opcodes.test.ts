/** Each kind of move as opcodes: f is a failover where nothing runs, a tag has it so or the node is dead. */
import { expect } from 'chai';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../src/htools/model/moves/kinds.ts';
import { moveOpcodes } from '../../../src/htools/plan/move-opcodes.ts';

const SHORT: Readonly<Record<string, string>> = {
  OP_INSTANCE_MIGRATE: 'm',
  OP_INSTANCE_FAILOVER: 'f',
  OP_INSTANCE_REPLACE_DISKS: 'r',
};

/** `m`, `f` or `r` for each opcode, with the node that it names. */
const short = (kind: MoveKind, isForthcoming: boolean, isEscape: boolean, ...tags: string[]): string =>
  moveOpcodes({ name: 'i', isForthcoming, tags }, kind, kind === FAILOVER ? undefined : 'T', isEscape)
    .map(
      ({ OP_ID, target_node, remote_node }) => `${SHORT[OP_ID as string]}${target_node ?? remote_node ?? ''}`,
    )
    .join(' ');

describe('a move as opcodes', () => {
  // Of each kind: usual, of an instance that is only reserved or not to be migrated, and off a dead node.
  const rows: readonly (readonly [MoveKind, string, string, string])[] = [
    [FAILOVER, 'm', 'f', 'f'],
    [FAILOVER_TO_ANY, 'mT', 'fT', 'fT'],
    [REPLACE_SECONDARY, 'rT', 'rT', 'rT'],
    [REPLACE_AND_FAILOVER, 'rT m', 'rT f', 'rT f'],
    // Back from a node that lives, to one that lives.
    [REPLACE_PRIMARY, 'm rT m', 'f rT f', 'f rT m'],
    [FAILOVER_AND_REPLACE, 'm rT', 'f rT', 'f rT'],
  ];
  for (const [kind, usual, reserved, flight] of rows)
    it(`of kind ${kind}: ${usual}, ${reserved} or ${flight}`, () => {
      expect(short(kind, false, false)).to.equal(usual);
      expect(short(kind, true, false)).to.equal(reserved);
      expect(short(kind, true, true)).to.equal(reserved);
      expect(short(kind, false, false, 'htools:nomigrate')).to.equal(reserved);
      expect(short(kind, false, true)).to.equal(flight);
    });
});
