/** Does the same with many things, some at once, in their order. @param work told who does it, from 0 */
export async function severalAtOnce<Item>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item, who: number) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const workOn = async (who: number): Promise<void> => {
    for (const item of waiting) await work(item, who);
  };
  await Promise.all(Array.from({ length: atOnce }, (_, who) => workOn(who)));
}
