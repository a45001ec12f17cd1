/** Who makes a change when nobody says so. */
import { hostname, userInfo } from 'node:os';

/** `user@host`. */
export const thisUser = (): string => `${userInfo().username}@${hostname()}`;
