/** The value of `make`, called when it is first asked for and never again. Pure if `make` is. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
