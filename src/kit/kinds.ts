/** A union of facts that `kind` tells apart: what each has besides, by its kind. */
export type OfKinds<Kinds> = {
  [Kind in keyof Kinds]: { readonly kind: Kind } & Readonly<Kinds[Kind]>;
}[keyof Kinds];

type OfKind<Fact, Kind> = Fact extends { readonly kind: infer Own }
  ? Kind extends Own
    ? Fact
    : never
  : never;

export const byKind =
  <Fact extends { readonly kind: string }, Made>(
    table: {
      readonly [Kind in Fact['kind']]: (fact: OfKind<Fact, Kind>) => Made;
    },
  ) =>
  (fact: Fact): Made =>
    (table[fact.kind as Fact['kind']] as (fact: Fact) => Made)(fact);
