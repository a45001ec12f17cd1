/** Names and what they stand for. `$` is `$1`; a name that nobody has given is null. */
import type { Value } from './values/value.ts';

export class Scope {
  readonly #names: ReadonlyMap<string, Value>;

  constructor(
    private readonly outer: Scope | undefined,
    names: Iterable<readonly [string, Value]>,
  ) {
    this.#names = new Map(names);
  }

  /** @param name with its `$`. */
  get(name: string): Value {
    const own = this.#names.get(name);
    return own !== undefined ? own : (this.outer?.get(name) ?? null);
  }

  /** A scope in which `items` are `$1`, `$2`, ... */
  with(...items: readonly Value[]): Scope {
    return new Scope(
      this,
      items.map((item, at) => [`$${at + 1}`, item]),
    );
  }
}
