/** A promise, and what keeps it. */
export function promise(): { readonly made: Promise<void>; readonly keep: () => void } {
  let keep = (): void => {};
  const made = new Promise<void>((resolve) => {
    keep = resolve;
  });
  return { made, keep };
}
