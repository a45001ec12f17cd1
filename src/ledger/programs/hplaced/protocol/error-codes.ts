/** Codes of errors that several routes have, for programs that read them. */
export const CONCURRENT_UPDATE = 'placement.concurrent_update';
