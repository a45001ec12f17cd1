export function fingerprint(root: string, sources?: readonly string[]): string;
export function isBuilt(root: string): boolean;
export function dropStamp(root: string): void;
export function setStamp(root: string, print: string): void;
