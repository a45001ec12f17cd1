/**
 * Values that somebody might write into a name or a number in order to do harm, and such as damage leaves
 * behind.
 */

/**
 * What a terminal obeys, what a shell or a command takes for its own, what divides columns, what text files
 * cannot hold.
 */
// biome-ignore format: a list of words
export const HOSTILE_NAMES = [
  '\u001b[2J', 'a\u0000b', 'del\u007f', '\ufeffname', 'x\u202etxt', 'y\u2066z', 'l\u2028s', 'tag\u{e0041}', 'cr\r', 'tab\t', 'bell\u0007',
  '-f', '-95', '--force', '-n', '.example.com', 'a b', "it's", '$(id)', '`id`', 'a;id', 'a&b', 'a|b', 'a,b', '*', '~root', '!x', '#x', 'a"b',
  'a\\nb', '%s', 'süd', '数', '\u{1f4a5}', '', ' ', '..', '/', '__proto__', 'x'.repeat(3000), '\u00a0', '"; rm -f x; "', "'", "''", '>x', '<x', '=x',
];

/** Numbers at the edges of what is read, and a little beyond. */
// biome-ignore format: a list of numbers
export const ODD_NUMBERS = [
  '0', '1', '-1', '2', '63', '64', '255', '256', '1023', '1024', '-1024', '65535', '1048576', '2147483647', '2147483648', '4294967296',
  '1099511627776', '1099511627777', '-1099511627776', '9007199254740991', '9007199254740992', '1e100', '0.5', '1e-300',
];

/** Arguments of options that take numbers, sizes or words. */
// biome-ignore format: a list of words
export const HOSTILE_ARGUMENTS = [
  ...ODD_NUMBERS, '1e309', '-1e309', '1e308', '1e-309', 'NaN', 'Infinity', '-Infinity', '9'.repeat(300), `-${'9'.repeat(300)}`, '0x7fffffff', '(5)', '- 5',
  '', ',', ',,', '1,1,1', '99999999t,1g,1', '1t,1048575t,2147483647', '0,0,0', '1,0,0', '-1,-1,-1', '1g,1g,1,1', '1g,1g,1,999999999999', '1,1', 'a,b,c',
  '256,64,1', '1e5,1,1', '1m,1m,1',
];
