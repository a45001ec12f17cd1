/** What is made when it is first asked for, and kept by a key. */
interface Keeper<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key; where there is none yet, what `make` gives is kept. */
export function kept<Key, Value>(keeper: Keeper<Key, Value>, key: Key, make: () => Value): Value {
  let value = keeper.get(key);
  if (value === undefined) {
    value = make();
    keeper.set(key, value);
  }
  return value;
}

/** The value of `make`, called when it is first asked for and never again. Pure if `make` is. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
