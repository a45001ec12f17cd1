/** Signals while jobs run: to stop behind the running set, to leave at once. Source: hbal(1), "signals". */

const LEAVING = ['SIGTERM', 'SIGHUP'] as const;

/** SIGINT asks to stop, SIGTERM and SIGHUP end the program, not the jobs. @param onStop called at SIGINT */
export function listenForSignals(say: (text: string) => void, onStop: () => void) {
  let isStopRequested = false;
  let leave: (signal: NodeJS.Signals) => void;
  const leaving = new Promise<NodeJS.Signals>((resolve) => {
    leave = resolve;
  });
  const onInterrupt = (): void => {
    isStopRequested = true;
    onStop();
    say('Cancel request registered, will exit at the end of the current job set...\n');
  };
  const onTerminate = (signal: NodeJS.Signals): void => leave(signal);
  process.on('SIGINT', onInterrupt);
  for (const signal of LEAVING) process.on(signal, onTerminate);
  return {
    isStopRequested: () => isStopRequested,
    /** Comes when the program is to end at once. */
    leaving,
    /** Gives the signals their usual effect again. */
    remove: () => {
      process.off('SIGINT', onInterrupt);
      for (const signal of LEAVING) process.off(signal, onTerminate);
    },
  };
}
