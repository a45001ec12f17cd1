/** Least and largest of some figures. */
export class Range {
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;

  static of(nodes: readonly number[], values: Float64Array): Range {
    const range = new Range();
    for (let k = 0; k < nodes.length; k++) range.add(values[nodes[k]!]!);
    return range;
  }

  /** Of figures that are all zero. */
  static none(): Range {
    const range = new Range();
    range.add(0);
    return range;
  }

  get isEmpty(): boolean {
    return this.low > this.high;
  }

  /** Largest amount, whatever its sign. */
  get largest(): number {
    return Math.max(Math.abs(this.low), Math.abs(this.high));
  }

  add(value: number): void {
    if (value < this.low) this.low = value;
    if (value > this.high) this.high = value;
  }

  cover(other: Range): void {
    this.add(other.low);
    this.add(other.high);
  }

  /** Each figure may have changed by any of those in `by`, times the factor. */
  widen(by: Range, factor: number): void {
    this.low += Math.min(by.low * factor, by.high * factor);
    this.high += Math.max(by.low * factor, by.high * factor);
  }

  clear(): void {
    this.low = Number.POSITIVE_INFINITY;
    this.high = Number.NEGATIVE_INFINITY;
  }
}
