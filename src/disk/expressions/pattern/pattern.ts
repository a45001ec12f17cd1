/**
 * Searches with a regular expression in time proportional to text and pattern: all ways through the pattern
 * are followed at once, so that no pattern can run for hours as with a search that tries one way after the
 * other. Source: K. Thompson, "Regular expression search algorithm", 1968.
 */
import type { Budget } from '../values/budget.ts';
import { ExpressionError } from '../values/expression-error.ts';
import { type CharacterTest, isWordCharacter, type PatternNode, parsePattern } from './syntax.ts';

type Anchor = Extract<PatternNode, { kind: 'anchor' }>['at'];

type State =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'anchor'; readonly at: Anchor }
  /** Goes on at both places. */
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'found' };

const MAX_STATES = 5000;

export class Pattern {
  readonly #states: State[] = [];

  /**
   * @param offset where the pattern stands in the expression.
   * @throws ExpressionError when it is malformed or too large.
   */
  constructor(
    text: string,
    private readonly offset: number,
    private readonly budget: Budget,
  ) {
    this.#compile(parsePattern(text, offset));
    this.#add({ kind: 'found' });
    budget.step(offset, this.#states.length);
  }

  /** Whether the pattern fits anywhere in `text`. */
  isIn(text: string): boolean {
    const characters = [...text];
    let active: number[] = [];
    for (let at = 0; at <= characters.length; at++) {
      const reached = new Set<number>();
      for (const state of active) this.#reach(state, characters, at, reached);
      this.#reach(0, characters, at, reached);
      this.budget.step(this.offset, reached.size);
      active = [];
      for (const place of reached) {
        const state = this.#states[place]!;
        if (state.kind === 'found') return true;
        if (state.kind === 'character' && at < characters.length && state.test(characters[at]!))
          active.push(place + 1);
      }
    }
    return false;
  }

  /** Adds the states that can be reached from one without taking a character. */
  #reach(from: number, characters: readonly string[], at: number, reached: Set<number>): void {
    const waiting = [from];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (reached.has(place)) continue;
      reached.add(place);
      const state = this.#states[place]!;
      if (state.kind === 'jump') waiting.push(state.to);
      else if (state.kind === 'split') waiting.push(state.first, state.second);
      else if (state.kind === 'anchor' && holds(state.at, characters, at)) waiting.push(place + 1);
    }
  }

  #add(state: State): number {
    if (this.#states.length >= MAX_STATES) throw new ExpressionError('the pattern is too large', this.offset);
    return this.#states.push(state) - 1;
  }

  #compile(node: PatternNode): void {
    switch (node.kind) {
      case 'character':
      case 'anchor':
        this.#add(node);
        break;
      case 'sequence':
        for (const part of node.parts) this.#compile(part);
        break;
      case 'choice':
        this.#compileChoice(node.parts);
        break;
      case 'repeat':
        this.#compileRepeat(node.part, node.min, node.max);
    }
  }

  #compileChoice(parts: readonly PatternNode[]): void {
    const jumps: { to: number }[] = [];
    for (const [at, part] of parts.entries()) {
      const isLast = at === parts.length - 1;
      const split = { kind: 'split' as const, first: 0, second: 0 };
      if (!isLast) split.first = this.#add(split) + 1;
      this.#compile(part);
      if (isLast) break;
      const jump = { kind: 'jump' as const, to: 0 };
      split.second = this.#add(jump) + 1;
      jumps.push(jump);
    }
    for (const jump of jumps) jump.to = this.#states.length;
  }

  #compileRepeat(part: PatternNode, min: number, max: number): void {
    for (let time = 0; time < min; time++) this.#compile(part);
    const splits: { second: number }[] = [];
    const optional = Number.isFinite(max) ? max - min : 1;
    for (let time = 0; time < optional; time++) {
      const split = { kind: 'split' as const, first: 0, second: 0 };
      const place = this.#add(split);
      split.first = place + 1;
      splits.push(split);
      this.#compile(part);
      if (!Number.isFinite(max)) this.#add({ kind: 'jump', to: place });
    }
    for (const split of splits) split.second = this.#states.length;
  }
}

function holds(anchor: Anchor, characters: readonly string[], at: number): boolean {
  const { length } = characters;
  switch (anchor) {
    case 'start':
      return at === 0;
    case 'last':
      return at === length;
    case 'end':
      return at === length || (at === length - 1 && characters[at] === '\n');
    default: {
      const isBoundary = isWordCharacter(characters[at - 1]) !== isWordCharacter(characters[at]);
      return isBoundary === (anchor === 'boundary');
    }
  }
}
