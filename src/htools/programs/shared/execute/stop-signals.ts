/** Signals while jobs run: to stop behind the running set, to leave at once. Source: hbal(1), "signals". */
import { statusAsAsked } from '../../../../kit/exit-status.ts';

const LEAVING = ['SIGTERM', 'SIGHUP'] as const;

interface StopSignals {
  readonly isStopRequested: () => boolean;
  /** Gives the signals their usual effect again. */
  readonly remove: () => void;
}

/** SIGINT asks to stop; SIGTERM and SIGHUP end the process, not the jobs. @param tell says how far it is */
export function listenForSignals(say: (text: string) => void, tell: (signal: string) => void): StopSignals {
  let isStopRequested = false;
  const onInterrupt = (): void => {
    isStopRequested = true;
    say('Cancel request registered, will exit at the end of the current job set...\n');
  };
  const onTerminate = (signal: string): void => {
    try {
      tell(signal);
    } finally {
      process.exit(statusAsAsked('interrupted'));
    }
  };
  process.on('SIGINT', onInterrupt);
  for (const signal of LEAVING) process.on(signal, onTerminate);
  return {
    isStopRequested: () => isStopRequested,
    remove: () => {
      process.off('SIGINT', onInterrupt);
      for (const signal of LEAVING) process.off(signal, onTerminate);
    },
  };
}
