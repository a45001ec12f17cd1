/** hail's answer without the members that stock does not have (docs/reference/differences.md). */

/**
 * They stand behind those of the protocol, up to the end of the line. Inside of a string the quotes would be
 * escaped, and no opcode has members of these names.
 */
const FURTHER_MEMBERS = /,"(?:groups|refused|elsewhere)":\[.*\}\n$/;

/** The bytes that stock has to have written, too. Text that has no such members stays as it is. */
export const withoutFurtherMembers = (stdout: string): string => stdout.replace(FURTHER_MEMBERS, '}\n');
