/**
 * Signals while jobs run: one to stop behind the running job set, one to leave at once. Source: hbal(1),
 * "signals".
 */

const EXIT_LEFT = 2;

export interface StopSignals {
  readonly isStopRequested: () => boolean;
  /** Gives the signals their usual effect again. */
  readonly remove: () => void;
}

/** SIGINT (Ctrl-C) asks to stop, however often it comes; SIGTERM ends the process, and the jobs go on. */
export function listenForSignals(say: (text: string) => void): StopSignals {
  let isStopRequested = false;
  const onInterrupt = (): void => {
    isStopRequested = true;
    say('Cancel request registered, will exit at the end of the current job set...\n');
  };
  const onTerminate = (): void => {
    say('Double cancel request, exiting now...\n');
    process.exit(EXIT_LEFT);
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return {
    isStopRequested: () => isStopRequested,
    remove: () => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
    },
  };
}
