/** A union of facts that `kind` tells apart: what each has besides, by its kind. */
export type OfKinds<Kinds> = {
  [Kind in keyof Kinds]: { readonly kind: Kind } & Readonly<Kinds[Kind]>;
}[keyof Kinds];
