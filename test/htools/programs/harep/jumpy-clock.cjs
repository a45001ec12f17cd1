/** A clock on the wall that somebody sets an hour forward each time that it was looked at. */
const { now } = Date;
let hours = 0;
Date.now = () => now() + 3_600_000 * hours++;
