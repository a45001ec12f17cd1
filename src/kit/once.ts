/**
 * The value of `make`, which is called when it is first asked for, and never again. Pure as long as `make`
 * is.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
