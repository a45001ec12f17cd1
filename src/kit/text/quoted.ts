/** Any text as one word of a shell: between single quotes, its own ones as a quote outside of these. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
