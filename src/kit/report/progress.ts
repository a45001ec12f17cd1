/**
 * Progress in one line on standard error, where both streams are terminals: `less` or `tee` would be garbled.
 */
import { isTerminal, redrawErr, STDERR, STDOUT } from './output.ts';

/** Writing more often than this would cost more than it tells. */
const EVERY_MS = 100;

export class Progress {
  /** Whether anybody sees it; where nobody does, lines may be written in its place. */
  readonly isShown: boolean;
  private lastMs = Number.NEGATIVE_INFINITY;
  private isDirty = false;

  /** @param printsSteps the work prints its steps on standard output; then they are progress enough */
  constructor(printsSteps = false) {
    this.isShown = !printsSteps && isTerminal(STDERR) && isTerminal(STDOUT);
  }

  /** Shows how far the work is; the text is made only when it is shown. */
  at(text: () => string): void {
    if (!this.isShown) return;
    const now = performance.now();
    if (now - this.lastMs < EVERY_MS) return;
    this.lastMs = now;
    this.isDirty = true;
    redrawErr(text());
  }

  /** Takes the line away again. */
  done(): void {
    if (this.isDirty) redrawErr('');
    this.isDirty = false;
  }
}
