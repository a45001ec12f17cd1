/** The name, or the next of `NAME.2`, `NAME.3`... @param take whether it was free, and is taken now */
export async function takeUnused(
  name: string,
  divider: '.' | '_',
  take: (candidate: string) => Promise<boolean>,
): Promise<string> {
  let candidate = name;
  for (let count = 2; !(await take(candidate)); count++) candidate = `${name}${divider}${count}`;
  return candidate;
}
