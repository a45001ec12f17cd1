/** What a pod is for: pairs of a key and a value, such as `resource: CAD Modeling`. */

/** Keys and values, in any order. Empty: for everybody who asks for nothing in particular. */
export type Affinity = Readonly<Record<string, string>>;

/** The pairs with their keys in order, so that equal affinities are equal texts. */
export const affinityText = (affinity: Affinity): string =>
  JSON.stringify(Object.fromEntries(Object.entries(affinity).sort(([a], [b]) => (a < b ? -1 : 1))));

export const parseAffinity = (text: string): Affinity => JSON.parse(text) as Affinity;

/** Those of a flavour's or a volume type's extra specs whose keys some pod uses. */
export const affinityOf = (specs: Affinity, keys: readonly string[]): Affinity =>
  Object.fromEntries(Object.entries(specs).filter(([key]) => keys.includes(key)));

export const isEmpty = (affinity: Affinity): boolean => Object.keys(affinity).length === 0;
