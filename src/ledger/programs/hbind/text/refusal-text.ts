/** Why something was not done, in a sentence and a remedy. */
import type { BookRefusal } from '../../../binding/book/book.ts';

export function refusalText(refusal: BookRefusal): string {
  switch (refusal.kind) {
    case 'unknown-pod':
      return `Refused: there is no pod '${refusal.pod}'\nMaybe look at: hbind pod list`;
    case 'name-taken':
      return `Refused: there is a pod '${refusal.pod}' already\nMaybe change it with: hbind pod set`;
    case 'ever-bound':
      return `Refused: tenants are or were bound to ${refusal.pod}\nMaybe close it with: hbind pod set ${refusal.pod} --state closed`;
    case 'not-in-maintenance':
      return `Refused: ${refusal.pod} is not under maintenance, but ${refusal.state}`;
    case 'does-not-suit':
      return `Refused: ${refusal.pod} ${refusal.why}: no such request would find the tenant there\nMaybe say for which requests, with --az and --spec`;
  }
}
