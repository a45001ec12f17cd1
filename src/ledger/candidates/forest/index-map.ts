/** Which providers have a class, a trait or an aggregate. */
import { kept } from '../../../kit/kept.ts';
import type { Provider } from './provider.ts';

const NOBODY: ReadonlySet<Provider> = new Set();

export class IndexMap {
  private readonly holders = new Map<string, Set<Provider>>();

  of(key: string): ReadonlySet<Provider> {
    return this.holders.get(key) ?? NOBODY;
  }

  /** Enters the provider under the keys of `after` instead of those of `before`. */
  change(provider: Provider, before: Iterable<string>, after: ReadonlySet<string>): void {
    for (const key of before) {
      if (after.has(key)) continue;
      const set = this.holders.get(key);
      set?.delete(provider);
      if (set?.size === 0) this.holders.delete(key);
    }
    for (const key of after) kept(this.holders, key, () => new Set()).add(provider);
  }
}
