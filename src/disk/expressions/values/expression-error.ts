/** What is wrong with an expression, and where in it. */

/** Thrown by reading and evaluating; callers make it a problem of the file that has the expression. */
export class ExpressionError extends Error {
  constructor(
    message: string,
    /** 0-based offset into the expression's text. */
    readonly offset: number,
    /** What to do about it, without "Maybe". */
    readonly remedy?: string,
  ) {
    super(message);
    this.name = 'ExpressionError';
  }
}
