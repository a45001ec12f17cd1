/**
 * What the rules say to instances that get smaller, by node, and down to which size each answer holds.
 *
 * A rule looks at one resource, and lets a smaller instance pass where it let a larger one pass. So an answer
 * holds for all sizes with no more of the other resources, and no less of the one that it is about than a
 * floor.
 */
import {
  FAIL_CPU,
  FAIL_DISK,
  FAIL_MEM,
  FAIL_MODES,
  FAIL_SPINDLES,
  type FailCode,
} from '../../../cluster/refusal.ts';
import type { Instance } from '../../../cluster/snapshot.ts';
import { poolOfRecord } from '../../../cluster/storage/pool-statements.ts';
import type { ClusterState } from '../../../model/state/state.ts';

/** What of an instance decides about the nodes' answers, but for how large it is. */
export const kindKey = (instance: Instance): string => {
  const { spindleUse, disks, diskTemplate } = instance;
  const isKnown = disks.every(({ spindles }) => spindles !== undefined);
  return `${spindleUse},${disks.length},${isKnown},${diskTemplate},${poolOfRecord(instance)}`;
};

/** What an instance needs of what the code is about. Other codes are about nothing that shrinks. */
const COLUMNS = [
  [FAIL_MEM, 'mem'],
  [FAIL_DISK, 'disk'],
  [FAIL_CPU, 'vcpus'],
  [FAIL_SPINDLES, 'diskSpindles'],
] as const;

/** Of something that was not asked yet: no size lies above it. */
const UNASKED = Number.POSITIVE_INFINITY;

export class AskedSize {
  private readonly amounts = new Float64Array(FAIL_MODES.length);
  /** Its position, which is another when one of the same size came before. */
  instance = -1;
  private kind: string | undefined;

  constructor(private readonly state: ClusterState) {}

  /** Another record. Returns whether it differs from the one before in nothing but being smaller. */
  take(record: Instance): boolean {
    const { state, amounts, instance: i } = this;
    const kind = kindKey(record);
    let isSmaller = kind === this.kind;
    for (const [code, column] of COLUMNS) {
      const amount = state[column][i]! || 0;
      if (amount > amounts[code]!) isSmaller = false;
      amounts[code] = amount;
    }
    this.kind = kind;
    return isSmaller;
  }

  /** Whether an answer with that floor is true of it. */
  isAbove(floor: number, code: FailCode): boolean {
    return this.amounts[code]! >= floor;
  }

  /** The same for a floor by code. */
  isAboveAll(floors: readonly number[]): boolean {
    for (const [code] of COLUMNS) if (this.amounts[code]! < floors[code]!) return false;
    return true;
  }

  /** What it needs of what the code is about. */
  amount(code: FailCode): number {
    return this.amounts[code]!;
  }

  /** The least of its resource at which the answer is that code still. @param ask the rules, once more */
  floorOf(code: FailCode, ask: () => FailCode): number {
    const name = COLUMNS.find(([about]) => about === code)?.[1];
    if (name === undefined) return 0;
    const column = this.state[name];
    const asked = column[this.instance]!;
    let low = -1;
    let high = this.amounts[code]!;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      column[this.instance] = middle;
      if (ask() === code) high = middle;
      else low = middle;
    }
    column[this.instance] = asked;
    return high;
  }
}

export class SizedAnswers {
  private readonly codes: Uint8Array;
  private readonly floors: Float64Array;

  constructor(
    nodeCount: number,
    private readonly size: AskedSize,
    private readonly ask: (n: number) => FailCode,
  ) {
    this.codes = new Uint8Array(nodeCount);
    this.floors = new Float64Array(nodeCount).fill(UNASKED);
  }

  forget(n: number): void {
    this.floors[n] = UNASKED;
  }

  forgetAll(): void {
    this.floors.fill(UNASKED);
  }

  at(n: number): FailCode {
    const { codes, floors, size } = this;
    const before = codes[n]!;
    if (size.isAbove(floors[n]!, before)) return before;
    const code = this.ask(n);
    // Most are asked once, and not worth to find how long the answer holds.
    const isFirst = floors[n] === UNASKED || code !== before;
    codes[n] = code;
    floors[n] = isFirst ? size.amount(code) : size.floorOf(code, () => this.ask(n));
    return code;
  }

  /** Of what `at` said. */
  floorAt(n: number): number {
    return this.floors[n]!;
  }
}
