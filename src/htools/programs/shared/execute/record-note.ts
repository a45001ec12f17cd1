/** Whether a journal tells of this run already. */
export const recordNote = { isMade: false };
