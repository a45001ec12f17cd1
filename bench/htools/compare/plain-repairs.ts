/**
 * harep's output without what differs from run to run: the ids that it makes up, times of now, and its
 * version.
 */
export function plainRepairs(text: string): string {
  const ids = new Map<string, string>();
  const numbered = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `ID${ids.size + 1}`);
    return ids.get(id)!;
  };
  return text
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, numbered)
    .replace(/\b1[0-9]{18}\b/g, 'NANOSECONDS')
    .replace(/\b1[7-9][0-9]{8}\b/g, 'SECONDS')
    .replace(/harep \((ganeti|Evenkeel)\) version [-.~\w]+/g, 'VERSION');
}
