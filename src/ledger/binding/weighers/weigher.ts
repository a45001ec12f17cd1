/** What a weigher is. A new one is a file beside this, with its line in weighers.ts. */
import type { Pod } from '../model/pod.ts';

export interface Weigher {
  /** As policies name it. */
  readonly name: string;
  /** What is preferred, for the manual. */
  readonly about: string;
  /**
   * More is better; in any unit, as it is scaled over the candidates. undefined: not known, no better than
   * the worst.
   */
  readonly value: (pod: Pod) => number | undefined;
}
