/**
 * Room that whole items can really use: a bin is never filled beyond the largest sum of items that its room
 * holds. Taking off the rest changes no answer and makes proofs stronger: sizes are mostly multiples of a few
 * hundred MiB.
 */
import type { Packing } from './packing.ts';

/** Sums are listed up to so many multiples of the common divisor; beyond, only the divisor counts. */
const MAX_LISTED_SUMS = 16384;

function greatestDivisor(needs: readonly number[]): number {
  let divisor = 0;
  for (const need of needs) {
    let rest = need;
    while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  }
  return divisor;
}

/** For each number of units the largest sum of some of the needs that is not above it. */
function largestSums(units: readonly number[], most: number): Int32Array {
  const isSum = new Uint8Array(most + 1);
  isSum[0] = 1;
  for (const unit of units) {
    for (let sum = most; sum >= unit; sum--) if (isSum[sum - unit]) isSum[sum] = 1;
  }
  const largest = new Int32Array(most + 1);
  for (let sum = 1; sum <= most; sum++) largest[sum] = isSum[sum] ? sum : largest[sum - 1]!;
  return largest;
}

function usableOf(rooms: Float64Array, needs: readonly number[]): Float64Array {
  const asked = needs.filter((need) => need > 0 && Number.isFinite(need));
  const divisor = greatestDivisor(asked);
  if (divisor === 0) return rooms;
  const units = asked.map((need) => need / divisor);
  const most = units.reduce((sum, unit) => sum + unit, 0);
  const largest = most <= MAX_LISTED_SUMS ? largestSums(units, most) : undefined;
  return rooms.map((room) => {
    if (room === Number.POSITIVE_INFINITY) return room;
    const whole = Math.min(most, Math.floor(room / divisor));
    return (largest ? largest[whole]! : whole) * divisor;
  });
}

/** The same question with no room that cannot be used. Needs must be whole numbers. */
export function withUsableRoom(p: Packing): Packing {
  const needs = (values: Float64Array): number[] => [...values.subarray(0, p.itemCount)];
  return {
    ...p,
    memRoom: usableOf(p.memRoom, needs(p.mem)),
    diskRoom: usableOf(p.diskRoom, needs(p.disk)),
    spindleRoom: usableOf(p.spindleRoom, needs(p.spindles)),
  };
}
