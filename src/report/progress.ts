/** Progress of long work, in one line on standard error: on terminals only, never in a pipe. */
import { isatty } from 'node:tty';
import { printErr } from '../cli/output.ts';

const STDOUT = 1;
const STDERR = 2;
/** Writing more often than this would cost more than it tells. */
const EVERY_MS = 100;
const CLEAR_LINE = '\r\x1b[K';

export class Progress {
  private readonly isShown: boolean;
  private lastMs = 0;
  private isDirty = false;

  /** @param printsSteps the work prints its steps on standard output; then a terminal there is progress enough */
  constructor(printsSteps = false) {
    this.isShown = isatty(STDERR) && !(printsSteps && isatty(STDOUT));
  }

  /** Shows how far the work is; the text is made only when it is shown. */
  at(text: () => string): void {
    if (!this.isShown) return;
    const now = Date.now();
    if (now - this.lastMs < EVERY_MS) return;
    this.lastMs = now;
    this.isDirty = true;
    printErr(`${CLEAR_LINE}${text()}`);
  }

  /** Takes the line away again. */
  done(): void {
    if (this.isDirty) printErr(CLEAR_LINE);
    this.isDirty = false;
  }
}
