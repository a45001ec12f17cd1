/** Lists of keys as text: a line has room for many, and the compiler still knows each. */
type Split<
  S extends string,
  Mark extends string,
  Seen = never,
> = S extends `${infer Head}${Mark}${infer Tail}` ? Split<Tail, Mark, Seen | Head> : Seen | S;
type Words<S extends string> = Exclude<Split<Split<S, '\n'>, ' '>, ''>;

/** The words of a text: how lists of keys are written. */
export const words = <const S extends string>(text: S): readonly Words<S>[] =>
  text.trim().split(/\s+/) as Words<S>[];
