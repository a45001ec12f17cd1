/**
 * Points in time as the stock programs print them: `Sat Nov 21 19:29:30 UTC 2026`, in the zone of this
 * machine (byte contract).
 */

const MS_PER_S = 1000;

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const zoneIn = (locale: string, date: Date): string =>
  new Intl.DateTimeFormat(locale, { timeZoneName: 'short' })
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Each locale knows the short names that are usual where it is spoken. */
function zoneName(date: Date): string {
  const [american, british] = [zoneIn('en-US', date), zoneIn('en-GB', date)];
  return american.startsWith('GMT') ? british : american;
}

/** @param seconds since 1970 */
export function clockTime(seconds: number): string {
  const date = new Date(seconds * MS_PER_S);
  // Beyond what the calendar of the machine can tell.
  if (Number.isNaN(date.getTime())) return `${seconds}`;
  const two = (figure: number): string => `${figure}`.padStart(2, '0');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  const day = `${date.getDate()}`.padStart(2);
  return `${DAYS[date.getDay()]} ${MONTHS[date.getMonth()]} ${day} ${time} ${zoneName(date)} ${date.getFullYear()}`;
}
