/** What all routes of pods and bindings have in common. */
import type { BookRefusal, Outcome } from '../../../binding/book/book.ts';
import { ApiError } from '../../../http/api-error.ts';

const STATUS: Record<BookRefusal['kind'], number> = {
  'unknown-pod': 404,
  'name-taken': 409,
  'ever-bound': 409,
  'not-in-maintenance': 409,
  'does-not-suit': 409,
};

function words(refusal: BookRefusal): string {
  switch (refusal.kind) {
    case 'unknown-pod':
      return `No pod ${refusal.pod} found`;
    case 'name-taken':
      return `There is a pod ${refusal.pod} already`;
    case 'ever-bound':
      return `Tenants are or were bound to ${refusal.pod}: close it in place of removing it`;
    case 'not-in-maintenance':
      return `${refusal.pod} is not under maintenance, but ${refusal.state}`;
    case 'does-not-suit':
      return `${refusal.pod} ${refusal.why}: no such request would find the tenant there`;
  }
}

/** The value of an outcome. @throws {ApiError} where there is none */
export function settled<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind === 'done') return outcome.value;
  const [first] = outcome.refusals;
  throw new ApiError(STATUS[first!.kind], outcome.refusals.map(words).join('; '));
}
