/**
 * Searches with a regular expression in time proportional to text and pattern: all ways through the pattern
 * are followed at once, so that no pattern can run for hours as with a search that tries one way after the
 * other. Source: K. Thompson, "Regular expression search algorithm", 1968.
 */
import type { Place } from '../values/budget.ts';
import { type CharacterTest, isWordCharacter, type PatternNode, parsePattern } from './syntax.ts';

type Anchor = Extract<PatternNode, { kind: 'anchor' }>['at'];

type State =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'anchor'; readonly at: Anchor }
  | Fork
  | { readonly kind: 'found' };

/** Goes on at each of these places. */
interface Fork {
  readonly kind: 'fork';
  readonly to: number[];
}

const MAX_STATES = 5000;

export class Pattern {
  private readonly states: State[] = [];

  /**
   * @param at where the pattern stands in the expression.
   * @throws ExpressionError when it is malformed or too large.
   */
  constructor(
    text: string,
    private readonly at: Place,
  ) {
    this.compile(parsePattern(text, at.offset));
    this.add({ kind: 'found' });
    at.step(this.states.length);
  }

  /** Whether the pattern fits anywhere in `text`. */
  isIn(text: string): boolean {
    const characters = [...text];
    let active: number[] = [];
    for (let at = 0; at <= characters.length; at++) {
      const reached = new Set<number>();
      for (const state of active) this.reach(state, characters, at, reached);
      this.reach(0, characters, at, reached);
      this.at.step(reached.size);
      active = [];
      for (const place of reached) {
        const state = this.states[place]!;
        if (state.kind === 'found') return true;
        if (state.kind === 'character' && at < characters.length && state.test(characters[at]!))
          active.push(place + 1);
      }
    }
    return false;
  }

  /** Adds the states that can be reached from one without taking a character. */
  private reach(from: number, characters: readonly string[], at: number, reached: Set<number>): void {
    const waiting = [from];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (reached.has(place)) continue;
      reached.add(place);
      const state = this.states[place]!;
      if (state.kind === 'fork') waiting.push(...state.to);
      else if (state.kind === 'anchor' && holds(state.at, characters, at)) waiting.push(place + 1);
    }
  }

  private add<S extends State>(state: S): S {
    if (this.states.length >= MAX_STATES) this.at.fail('the pattern is too large');
    this.states.push(state);
    return state;
  }

  /** @returns the state, for more places to be added. */
  private fork(...to: readonly number[]): Fork {
    return this.add({ kind: 'fork', to: [...to] });
  }

  private compile(node: PatternNode): void {
    switch (node.kind) {
      case 'character':
      case 'anchor':
        this.add(node);
        break;
      case 'sequence':
        for (const part of node.parts) this.compile(part);
        break;
      case 'choice':
        this.compileChoice(node.parts);
        break;
      case 'repeat':
        this.compileRepeat(node.part, node.min, node.max);
    }
  }

  private compileChoice(parts: readonly PatternNode[]): void {
    const ends: Fork[] = [];
    for (const part of parts.slice(0, -1)) {
      const fork = this.fork(this.states.length + 1);
      this.compile(part);
      ends.push(this.fork());
      fork.to.push(this.states.length);
    }
    this.compile(parts.at(-1)!);
    for (const end of ends) end.to.push(this.states.length);
  }

  private compileRepeat(part: PatternNode, min: number, max: number): void {
    for (let time = 0; time < min; time++) this.compile(part);
    const forks: Fork[] = [];
    const optional = Number.isFinite(max) ? max - min : 1;
    for (let time = 0; time < optional; time++) {
      const place = this.states.length;
      forks.push(this.fork(place + 1));
      this.compile(part);
      if (!Number.isFinite(max)) this.fork(place);
    }
    for (const fork of forks) fork.to.push(this.states.length);
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
