/** The tree of an expression. `offset` is where a part begins in the text. */
import type { Value } from '../values/value.ts';

/** From loose to tight; `not` and `sign` are what binds one operand. */
export const TIERS = [
  ['->'],
  ['or'],
  ['and'],
  ['not'],
  ['=', '!=', '<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', 'mod'],
  ['=~', '!~'],
  ['sign'],
] as const;

export type BinaryOperator = (typeof TIERS)[4 | 5 | 6 | 7][number];

/** An argument; `key` is there when it is written `key => value`. */
export interface Argument {
  readonly key?: Expression;
  readonly value: Expression;
}

export type Expression = { readonly offset: number } & (
  | { readonly kind: 'constant'; readonly value: Value }
  /** A bare word: a string, and the name of a member behind a point. */
  | { readonly kind: 'word'; readonly value: string }
  /** `$` is `$1`. */
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'mapping'; readonly entries: readonly Argument[] }
  | { readonly kind: 'index'; readonly of: Expression; readonly arguments: readonly Expression[] }
  | { readonly kind: 'member'; readonly of: Expression; readonly name: string; readonly isOptional: boolean }
  | {
      readonly kind: 'call';
      /** What a method is called on. */
      readonly of?: Expression;
      readonly isOptional: boolean;
      readonly name: string;
      readonly arguments: readonly Argument[];
    }
  | { readonly kind: 'sign'; readonly sign: '+' | '-'; readonly operand: Expression }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  /** `let(...) -> body`. */
  | { readonly kind: 'with'; readonly bindings: Expression; readonly body: Expression }
);
