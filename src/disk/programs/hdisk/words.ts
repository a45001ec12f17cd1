/** Requirements and what clashes, in words. */
import { count, inWords } from '../../../kit/text/words.ts';
import type { LaidOut, NodeOutcome } from '../../facts/node-layout.ts';
import type { Disk } from '../../model/hardware.ts';
import type { Space } from '../../model/spaces.ts';
import type { Clash } from '../../solve/lay-out.ts';
import { type Requirement, requirementsOf } from '../../solve/requirement.ts';

/** More disks than this are counted and not named. */
const MOST_NAMED = 4;

const WORDS: Readonly<Record<Requirement['kind'], (amount: number) => string>> = {
  size: (amount) => `= ${amount}`,
  min_size: (amount) => `>= ${amount}`,
  max_size: (amount) => `<= ${amount}`,
  copies: (amount) => `in ${count(amount, 'copy', 'copies')}`,
  min_disks: (amount) => `on at least ${count(amount, 'disk')}`,
  max_disks: (amount) => `on at most ${count(amount, 'disk')}`,
};

/** What a space asks for, as in `>= 10, <= 20 in 2 copies`. */
export function askedWords(space: Space): string {
  const wordsOf = (isSize: boolean): readonly string[] =>
    requirementsOf([space])
      .filter(({ kind }) => kind.endsWith('size') === isSize)
      .map(({ kind, amount }) => WORDS[kind](amount));
  return [wordsOf(true).join(', '), ...wordsOf(false)].filter(Boolean).join(' ') || 'anything';
}

function requirementWords(spaces: readonly Space[], requirements: readonly Requirement[]): readonly string[] {
  const asking = [...new Set(requirements.map(({ space }) => space))];
  return asking.map((space) => {
    const own = requirements
      .filter((one) => one.space === space)
      .map(({ kind, amount }) => WORDS[kind](amount));
    return `${spaces[space]!.id} ${own.join(' ')}`;
  });
}

function diskWords(disks: readonly Disk[]): string {
  if (disks.length === 0) return 'what there is: no disk';
  const all = disks.reduce((sum, { size }) => sum + size, 0);
  if (disks.length === 1) return `disk ${disks[0]!.id} ${all}`;
  if (disks.length > MOST_NAMED) return `the ${disks.length} disks (${all} together)`;
  return `disks ${inWords(disks.map(({ id, size }) => `${id} ${size}`))} (${all} together)`;
}

/** As in `root >= 5000 and swap = 2000 exceed disk sda 5000`. */
function clashWords(
  disks: readonly Disk[],
  spaces: readonly Space[],
  { requirements, shared }: Clash,
): string {
  const words = [...requirementWords(spaces, requirements)];
  const isSumOnly =
    shared.length === 0 && requirements.every(({ kind }) => kind === 'size' || kind === 'min_size');
  if (isSumOnly) return `${inWords(words)} ${words.length === 1 ? 'exceeds' : 'exceed'} ${diskWords(disks)}`;
  for (const { members } of shared) {
    const ids = members.map((at) => `${spaces[at]!.id} (weight ${spaces[at]!.weight})`);
    words.push(`equal sharing of ${inWords(ids)}`);
  }
  return words.length === 1
    ? `${words[0]} is not possible on ${diskWords(disks)}`
    : `${inWords(words)} are not possible together on ${diskWords(disks)}`;
}

/** Why a node has no layout, in one line. */
export function reasonWords(outcome: Exclude<NodeOutcome, LaidOut>): string {
  switch (outcome.kind) {
    case 'infeasible':
      return clashWords(outcome.disks, outcome.spaces, outcome.clash);
    case 'unfinished':
      return 'none was found in time';
    case 'faulty':
      return inWords(
        outcome.problems.map(
          ({ line, field, problem }) => `line ${line ?? 1}${field ? `, ${field}` : ''}: ${problem}`,
        ),
      );
  }
}
